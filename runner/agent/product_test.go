package agent

import (
	"errors"
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func find(t *testing.T, name string) Preset {
	t.Helper()
	preset, err := Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return preset
}

func TestPresetsInvoke(t *testing.T) {
	for name, c := range map[string]struct{ safe, all, env string }{
		"claude":       {"claude -p --output-format stream-json --verbose --model m", "claude -p --output-format stream-json --verbose --dangerously-skip-permissions --model m", "DISABLE_AUTOUPDATER=1"},
		"opencode":     {"opencode run --format json --print-logs --log-level ERROR -m m", "opencode run --format json --print-logs --log-level ERROR --auto -m m", ""},
		"codex":        {"codex exec --json -m m -", "codex exec --json --dangerously-bypass-approvals-and-sandbox -m m -", ""},
		"gemini":       {"gemini --output-format stream-json -m m", "gemini --output-format stream-json --approval-mode=yolo -m m", ""},
		"cursor-agent": {"cursor-agent -p --output-format stream-json --model m", "cursor-agent -p --output-format stream-json --force --trust --model m", ""},
		"copilot":      {"copilot --output-format json -s --no-ask-user --model m", "copilot --output-format json -s --no-ask-user --allow-all --model m", ""},
		"amp":          {"amp -x --stream-json", "amp -x --stream-json --dangerously-allow-all", ""},
		"aider": {
			"aider --no-stream --no-pretty --no-check-update --analytics-disable --no-show-model-warnings --model m --message-file /p",
			"aider --no-stream --no-pretty --no-check-update --analytics-disable --no-show-model-warnings --yes-always --model m --message-file /p", "PROMPT_FILE=/p",
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := Request{Prompt: "--do 'it'", PromptFile: "/p", Model: "m"}
			if name == "amp" {
				r.Model = ""
			}
			stdin := "/p"
			if name == "aider" {
				stdin = ""
			}
			for permissions, want := range map[string]string{"": c.safe, "all": c.all} {
				r.Permissions = permissions
				call, err := find(t, name).Invoke(r)
				if got := strings.Join(call.Argv, " "); err != nil || got != want || call.Stdin != stdin || call.Switched {
					t.Errorf("permissions %q: %q, standard input %q, %v; want %q", permissions, got, call.Stdin, err, want)
				}
				env := strings.Fields(c.env)
				if permissions == "all" && name == "gemini" {
					env = append(env, "GEMINI_CLI_TRUST_WORKSPACE=true")
				}
				if permissions == "all" && name == "claude" && os.Getuid() == 0 {
					env = append(env, "IS_SANDBOX=1")
				}
				if !slices.Equal(call.Env, env) {
					t.Errorf("permissions %q: environment %q, want %q", permissions, call.Env, env)
				}
			}
			r.Permissions, r.Program = "", "/opt/x"
			if call, err := find(t, name).Invoke(r); err != nil || call.Argv[0] != "/opt/x" || len(call.Argv) != len(strings.Fields(c.safe)) {
				t.Errorf("another path of the program: %q, %v", call.Argv, err)
			}
		})
	}
}

func TestPresetsPromptAsArgument(t *testing.T) {
	const prompt = "-x {prompt}"
	for name, want := range map[string][]string{
		"claude": {"--", prompt}, "opencode": {"--", prompt}, "codex": {"--json", "--", prompt}, "cursor-agent": {"--", prompt},
		"gemini": {"--prompt=" + prompt}, "copilot": {"--prompt=" + prompt}, "aider": {"--message", prompt},
	} {
		r := Request{Prompt: prompt, PromptFile: "/p", PromptMode: PromptArg}
		call, err := find(t, name).Invoke(r)
		if err != nil || !reflect.DeepEqual(call.Argv[len(call.Argv)-len(want):], want) || call.Stdin != "" {
			t.Errorf("%s: %q, %v; want the end %q and no standard input", name, call.Argv, err, want)
		}
		r.Prompt = strings.Repeat("x", MaxArgPrompt+1)
		call, err = find(t, name).Invoke(r)
		if err != nil || slices.Contains(call.Argv, "--") || name != "aider" && (call.Stdin != "/p" || !call.Switched) || name == "aider" && call.Argv[len(call.Argv)-1] != "/p" {
			t.Errorf("%s, a long prompt: %.80q, standard input %q, %v", name, call.Argv, call.Stdin, err)
		}
	}
}

// The prompt comes to a command of the user's that begins with a known agent as that one takes it: as the last argument it would be the value of the option
// before it, or an option itself.
func TestPromptOfACommand(t *testing.T) {
	const prompt = "---\ntitle: x"
	for command, want := range map[string]string{
		"prog -x":                       "prog -x " + prompt,
		"claude -p --allowedTools Bash": "claude -p --allowedTools Bash < /p",
		"claude -p {prompt} -x":         "claude -p " + prompt + " -x",
		"opencode run":                  "opencode run < /p",
		"codex exec --json -":           "codex exec --json - < /p",
		"qwen -y":                       "qwen -y < /p",
		"aider --yes":                   "aider --yes --message-file /p",
		"agent -p --output-format json": "agent -p --output-format json < /p",
		"agent -x":                      "agent -x " + prompt,
	} {
		call, err := generic{}.Invoke(Request{Command: strings.Fields(command), Prompt: prompt, PromptFile: "/p"})
		got := strings.Join(call.Argv, " ")
		if call.Stdin != "" {
			got += " < " + call.Stdin
		}
		if err != nil || got != want {
			t.Errorf("%s: %q, %v; want %q", command, got, err, want)
		}
	}
}

// A path at the beginning of a prompt is no command; what looks like a command is the user's own.
func TestPromptIsNoCommand(t *testing.T) {
	for prompt, lead := range map[string]bool{
		"/src/x is broken": true, "\n/src/x.go: fix it": true, "/etc.": true, "/": true, "/*.go": true, "/2 is wrong": true,
		"Fix /src/x": false, "/review": false, "/ralph:plan all of it": false, "/review\n\nand more": false, "": false, "-x": false,
	} {
		for name, commands := range map[string]bool{"claude": true, "gemini": true, "opencode": false, "codex": false, "generic": false} {
			want := prompt
			if lead && commands {
				want = "The task:\n\n" + prompt
			}
			if got := find(t, name).Prompt(Request{Prompt: prompt}); got != want {
				t.Errorf("%s gets %q for %q", name, got, prompt)
			}
		}
		if got := (generic{}).Prompt(Request{Prompt: prompt, Command: []string{"claude", "-p"}}); (got != prompt) != lead {
			t.Errorf("claude as a command gets %q for %q", got, prompt)
		}
	}
}

func TestPresetsRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		preset  string
		request Request
		want    error
	}{
		"mode":                    {"claude", Request{PromptMode: PromptEnv}, ErrPromptMode},
		"no prompt":               {"codex", Request{PromptMode: PromptNone}, ErrPromptMode},
		"standard input":          {"aider", Request{PromptMode: PromptStdin}, ErrPromptMode},
		"model":                   {"amp", Request{Model: "m"}, ErrModel},
		"model of a command":      {"claude", Request{Model: "m", Command: []string{"claude", "-p"}}, ErrModel},
		"model of any command":    {"generic", Request{Model: "m", Command: []string{"prog"}}, ErrModel},
		"size of standard input":  {"gemini", Request{Prompt: strings.Repeat("x", 8<<20+1), PromptFile: "/p"}, ErrPromptSize},
		"command without program": {"claude", Request{Command: []string{""}}, ErrNoCommand},
	} {
		if _, err := find(t, c.preset).Invoke(c.request); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

// kind names the reader that a preset gives.
func kind(reader Reader) string {
	switch r := reader.(type) {
	case *streamReader:
		return fmt.Sprintf("%T", r.dialect)
	case documentReader:
		return fmt.Sprintf("document of %T", r.dialect)
	default:
		return fmt.Sprintf("%T", reader)
	}
}

func TestReaderOfACommand(t *testing.T) {
	for command, want := range map[string]string{
		"prog":                             "*agent.textReader",
		"prog --output-format stream-json": "*agent.textReader",
		"claude -p":                        "agent.agentText",
		"claude -p --output-format stream-json --verbose":       "*agent.claudeStream",
		"/opt/bin/claude -p --output-format=stream-json":        "*agent.claudeStream",
		`C:\bin\Claude.EXE -p --output-format=stream-json`:      "*agent.claudeStream",
		"claude.cmd -p --output-format=json":                    "document of *agent.claudeStream",
		"claude -p --output-format json --output-format text":   "agent.agentText",
		"claude -p -- --output-format stream-json":              "agent.agentText",
		"claude -p --output-format":                             "agent.agentText",
		"opencode run --format json":                            "*agent.opencodeStream",
		"opencode run":                                          "agent.agentText",
		"codex exec --json -":                                   "*agent.codexStream",
		"codex exec":                                            "agent.agentText",
		"gemini -o stream-json":                                 "*agent.geminiStream",
		"gemini --output-format json":                           "document of *agent.geminiStream",
		"qwen --output-format stream-json":                      "*agent.claudeStream",
		"cursor-agent -p --output-format stream-json":           "*agent.cursorStream",
		"agent -p --output-format json":                         "*agent.cursorStream",
		"agent -p":                                              "*agent.textReader",
		"amp -x --stream-json":                                  "*agent.claudeStream",
		"copilot --output-format json":                          "*agent.copilotStream",
		"aider --message x":                                     "*agent.aiderText",
		"npx claude -p --output-format stream-json --verbose":   "*agent.textReader",
		"claude-wrapper -p --output-format stream-json -y true": "*agent.textReader",
	} {
		r := Request{Command: strings.Fields(command)}
		if got := kind(generic{}.Reader(r)); got != want {
			t.Errorf("%s: %s, want %s", command, got, want)
		}
	}
	for preset, want := range map[string]string{
		"claude": "*agent.claudeStream", "codex": "*agent.codexStream", "aider": "*agent.aiderText", "gemini": "*agent.geminiStream",
		"opencode": "*agent.opencodeStream", "cursor-agent": "*agent.cursorStream", "amp": "*agent.claudeStream", "copilot": "*agent.copilotStream",
	} {
		if got := kind(find(t, preset).Reader(Request{})); got != want {
			t.Errorf("%s: %s, want %s", preset, got, want)
		}
	}
	for command, want := range map[string]string{
		"wrapper --output-format stream-json": "*agent.claudeStream", "wrapper": "agent.agentText", "codex exec --json": "*agent.codexStream",
	} {
		if got := kind(find(t, "claude").Reader(Request{Command: strings.Fields(command)})); got != want {
			t.Errorf("claude as %s: %s, want %s", command, got, want)
		}
	}
}

func TestCannotEdit(t *testing.T) {
	for name, blind := range map[string]bool{
		"generic": false, "claude": true, "opencode": false, "codex": true, "gemini": true, "cursor-agent": true, "amp": false, "copilot": true, "aider": false,
	} {
		why := find(t, name).CannotEdit(Request{})
		if (why != "") != blind || blind && (!strings.HasPrefix(why, name+" ") || !strings.Contains(why, "--yolo")) {
			t.Errorf("%s: %q", name, why)
		}
		if why := find(t, name).CannotEdit(Request{Permissions: "all"}); why != "" {
			t.Errorf("%s with all permissions: %q", name, why)
		}
	}
	for command, want := range map[string]string{
		"prog":                                 "",
		"claude -p":                            "claude will not be able to edit files, because nobody is there to allow it: add --dangerously-skip-permissions to its command",
		"claude -p --permission-mode=dontAsk":  "",
		"codex exec -s workspace-write":        "",
		"gemini -p x":                          "gemini will not be able to edit files, because nobody is there to allow it: add --approval-mode to its command",
		"claude --dangerously-skip-permission": "claude will not be able to edit files, because nobody is there to allow it: add --dangerously-skip-permissions to its command",
	} {
		r := Request{Command: strings.Fields(command), Permissions: "all"} // a command is the user's: nothing is added
		if got := (generic{}).CannotEdit(r); got != want {
			t.Errorf("%s: %q, want %q", command, got, want)
		}
	}
}

func TestTells(t *testing.T) {
	for command, want := range map[string]Telling{
		"prog": {}, "claude -p": {}, "codex exec --json": {Tokens: true}, "opencode run --format json": {Tokens: true, Cost: true},
		"claude -p --output-format stream-json": {Tokens: true, Cost: true, Context: true}, "copilot --output-format json": {},
	} {
		if got := (generic{}).Tells(Request{Command: strings.Fields(command)}); got != want {
			t.Errorf("%s tells %+v, want %+v", command, got, want)
		}
	}
	// What a format is said to tell is told in its transcript.
	for format, text := range transcripts(t) {
		v, _ := readAs(t, format, string(text), Exit{})
		found, err := findOutput(format)
		if want := (Telling{v.Tokens != nil, v.CostUSD != nil, v.Context != nil}); err != nil || found.tells != want {
			t.Errorf("%s is said to tell %+v, and tells %+v", format, found.tells, want)
		}
	}
}

func TestUnset(t *testing.T) {
	want := []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"}
	for _, c := range []struct {
		preset  string
		command []string
	}{{"claude", nil}, {"claude", []string{"wrapper"}}, {"generic", []string{"claude", "-p"}}} {
		call, err := find(t, c.preset).Invoke(Request{Command: c.command, PromptFile: "/p"})
		if err != nil || !slices.Equal(call.Unset, want) {
			t.Errorf("%s %q: unset %q, %v", c.preset, c.command, call.Unset, err)
		}
	}
}

func TestInvocationsShareNothing(t *testing.T) {
	r := Request{Prompt: "a", PromptFile: "/p", PromptMode: PromptArg, Permissions: "all"}
	for _, name := range Presets() {
		if name == "generic" || name == "amp" {
			continue
		}
		preset := find(t, name)
		first, err := preset.Invoke(r)
		if err != nil {
			t.Fatal(err)
		}
		before := strings.Join(first.Argv, " ")
		r.Prompt, r.Model = "b", "m"
		if _, err := preset.Invoke(r); err != nil || strings.Join(first.Argv, " ") != before {
			t.Errorf("%s: an invocation changed another one: %q, %v", name, first.Argv, err)
		}
		r.Prompt, r.Model = "a", ""
	}
}
