package agent

import (
	"errors"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestCustom(t *testing.T) {
	const prompt = "do it"
	for name, c := range map[string]struct {
		custom Custom
		argv   string
		stdin  bool
		reader string
	}{
		"new":                    {Custom{Name: "mine", Command: []string{"prog", "-x"}}, "prog -x do it", false, "agent.agentText"},
		"new, all of it":         {Custom{Name: "mine", Command: []string{"prog"}, Prompt: PromptStdin, Output: "claude-stream", Unattended: []string{"--go"}, ModelFlag: "-M"}, "prog --go -M m", true, "*agent.claudeStream"},
		"new, a known program":   {Custom{Name: "mine", Command: []string{"codex", "exec", "--json"}, Prompt: PromptStdin, ModelFlag: "-m"}, "codex exec --json -m m", true, "*agent.codexStream"},
		"new, a known one's way": {Custom{Name: "mine", Command: []string{"claude", "-p", "--allowedTools", "Bash"}}, "claude -p --allowedTools Bash", true, "agent.agentText"},
		"new, its file":          {Custom{Name: "mine", Command: []string{"aider", "-x"}}, "aider -x --message-file /p", false, "*agent.aiderText"},
		"new, another way":       {Custom{Name: "mine", Command: []string{"aider"}, Prompt: PromptStdin}, "aider", true, "*agent.aiderText"},
		"preset, a placeholder":  {Custom{Name: "claude", Command: []string{"claude", "-p={prompt}"}}, "claude -p=do it --dangerously-skip-permissions --model m", false, "agent.agentText"},
		"new, a placeholder":     {Custom{Name: "mine", Command: []string{"prog", "{prompt}", "-x"}}, "prog do it -x", false, "agent.agentText"},
		"preset, its command":    {Custom{Name: "claude", Command: []string{"claude", "-p"}}, "claude -p --dangerously-skip-permissions --model m", true, "agent.agentText"},
		"preset, a wrapper":      {Custom{Name: "claude", Command: []string{"box", "--output-format=stream-json"}}, "box --output-format=stream-json --dangerously-skip-permissions --model m", true, "*agent.claudeStream"},
		"preset, its wrapper":    {Custom{Name: "claude", Command: []string{"box"}, Output: "claude-stream"}, "box --dangerously-skip-permissions --model m", true, "*agent.claudeStream"},
		"preset, no permissions": {Custom{Name: "codex", Unattended: []string{}}, "codex exec --json -m m -", true, "*agent.codexStream"},
		"preset, permissions":    {Custom{Name: "codex", Unattended: []string{"-s", "workspace-write"}}, "codex exec --json -s workspace-write -m m -", true, "*agent.codexStream"},
		"preset, as argument":    {Custom{Name: "codex", Prompt: PromptArg}, "codex exec --json --dangerously-bypass-approvals-and-sandbox -m m -- do it", false, "*agent.codexStream"},
		"preset, a model flag":   {Custom{Name: "amp", ModelFlag: "--mode"}, "amp -x --stream-json --dangerously-allow-all --mode m", true, "*agent.claudeStream"},
	} {
		t.Run(name, func(t *testing.T) {
			preset, err := c.custom.Preset()
			if err != nil {
				t.Fatal(err)
			}
			r := Request{Prompt: prompt, PromptFile: "/p", Permissions: "all", Model: "m"}
			if c.custom.Name == "mine" && c.custom.ModelFlag == "" {
				r.Model = ""
			}
			call, err := preset.Invoke(r)
			if got := strings.Join(call.Argv, " "); err != nil || got != c.argv || (call.Stdin == "/p") != c.stdin {
				t.Errorf("%q, standard input %q, %v; want %q", got, call.Stdin, err, c.argv)
			}
			if got := kind(preset.Reader(r)); got != c.reader || preset.Name() != c.custom.Name {
				t.Errorf("%s is read by %s, want %s", preset.Name(), got, c.reader)
			}
		})
	}
	if found := find(t, "codex"); !reflect.DeepEqual(found, Preset(codex{codexProduct()})) {
		t.Errorf("the preset itself was changed: %+v", found)
	}
}

func TestCustomRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		custom Custom
		want   error
	}{
		"no command":    {Custom{Name: "mine"}, ErrNoCommand},
		"empty program": {Custom{Name: "claude", Command: []string{""}}, ErrNoCommand},
		"output":        {Custom{Name: "claude", Output: "json"}, ErrUnknownOutput},
		"prompt":        {Custom{Name: "claude", Prompt: "post"}, ErrPromptMode},
		"no name":       {Custom{Command: []string{"x"}}, ErrName},
		"generic":       {Custom{Name: "generic", Command: []string{"x"}}, ErrName},
	} {
		if _, err := c.custom.Preset(); !errors.Is(err, c.want) {
			t.Errorf("%s: error %v, want %v", name, err, c.want)
		}
	}
}

func TestCustomCannotEdit(t *testing.T) {
	for command, want := range map[string]bool{"claude -p": true, "claude -p --settings x": false, "prog": false} {
		preset, err := Custom{Name: "mine", Command: strings.Fields(command)}.Preset()
		if why := preset.CannotEdit(Request{}); err != nil || (why != "") != want {
			t.Errorf("%s: %q, %v", command, why, err)
		}
	}
}

func TestProbes(t *testing.T) {
	answers := map[string][2]string{
		"claude":       {"2.1.197 (Claude Code)\n", "2.1.197"},
		"opencode":     {"1.18.33\n", "1.18.33"},
		"codex":        {"WARNING: proceeding\r\ncodex-cli 0.169.0-alpha.1\r\n", "0.169.0-alpha.1"},
		"gemini":       {"\x1b[1m0.61.0\x1b[0m\n", "0.61.0"},
		"cursor-agent": {"2026.01.28-fd13201\n", "2026.01.28-fd13201"},
		"amp":          {"0.0.1763000000-g1a2b3c (released 2026-01-01)\n", "0.0.1763000000-g1a2b3c"},
		"copilot":      {"GitHub Copilot CLI 1.0.78.\nRun 'copilot update' to check for updates.\n", "1.0.78"},
		"aider":        {"aider 0.86.1\n", "0.86.1"},
	}
	var names []string
	for _, probe := range Probes() {
		names = append(names, probe.Agent)
		answer := answers[probe.Agent]
		if got := probe.Version(answer[0]); got != answer[1] {
			t.Errorf("%s answers %q: version %q, want %q", probe.Agent, answer[0], got, answer[1])
		}
		for _, other := range []string{"", "usage: agent [options]\n", "OpenSSH_9.6p1\n", "agent 1.2.3 is ready\n"} {
			if got := probe.Version(other); got != "" {
				t.Errorf("%s takes %q for its own: %q", probe.Agent, other, got)
			}
		}
		if len(probe.Programs) == 0 || len(probe.Args) == 0 {
			t.Errorf("%s: nothing to look for: %+v", probe.Agent, probe)
		}
	}
	if want := Presets()[1:]; !slices.Equal(names, want) {
		t.Errorf("probes of %q, want %q", names, want)
	}
}

const rolloutText = `{"type":"session_meta","payload":{"id":"t"}}
{"type":"event_msg","payload":{"type":"token_count","info":null,"rate_limits":null}}
{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"total_tokens":20000},"model_context_window":112000},"rate_limits":{"primary":{"used_percent":99.5,"resets_at":1773160000},"secondary":{"used_percent":100.0,"resets_at":1773150000}}}}
not json
{"type":"response_item","payload":{"type":"token_count","info":{"last_token_usage":{"total_tokens":1}}}}
{"type":"event_msg","payload":{"type":"token_count","info":{"last_token_usage":{"total_tokens":62000},"model_context_window":112000},"rate_limits":null}}
{"type":"event_msg","payload":{"type":"other","info":{"last_token_usage":{"total_tokens":2}}}}
{"type":"event_msg","payl`

func TestCodexRecord(t *testing.T) {
	recorder, ok := find(t, "codex").(Recorder)
	if !ok {
		t.Fatal("codex keeps no record")
	}
	v := recorder.Amend(Verdict{Class: RateLimited}, strings.NewReader(rolloutText), now)
	if *v.Context != 50 || *v.ContextUsed != 62000 || *v.ContextWindow != 112000 || !v.ResetAt.Equal(time.Unix(1773150000, 0)) {
		t.Errorf("verdict %s", asJSON(v))
	}
	if v := recorder.Amend(Verdict{Class: Completed}, strings.NewReader(rolloutText), now); !v.ResetAt.IsZero() {
		t.Errorf("a run that was not limited waits until %s", v.ResetAt)
	}
	for _, info := range []string{`{"last_token_usage":{"total_tokens":7}}`, `{"last_token_usage":{"total_tokens":7},"model_context_window":12000}`} {
		v := recorder.Amend(Verdict{}, strings.NewReader(`{"type":"event_msg","payload":{"type":"token_count","info":`+info+`}}`), now)
		if v.Context != nil || *v.ContextUsed != 7 {
			t.Errorf("%s: %s", info, asJSON(v))
		}
	}
	told := Verdict{Context: new(7), ContextUsed: new(int64(8))}
	if v := recorder.Amend(told, strings.NewReader(rolloutText), now); *v.Context != 7 || *v.ContextUsed != 8 {
		t.Errorf("what the output told was overwritten: %s", asJSON(v))
	}
	early := Verdict{Class: RateLimited, ResetAt: now.Add(time.Minute)}
	if v := recorder.Amend(early, strings.NewReader(""), now); !reflect.DeepEqual(v, early) {
		t.Errorf("an empty file changed the verdict to %s", asJSON(v))
	}
	home := filepath.FromSlash("/home/u")
	for name, c := range map[string]struct {
		env     []string
		session string
		want    string
	}{
		"home":           {[]string{"HOME=" + home}, "0aaa-bbbb", "/home/u/.codex/sessions/*/*/*/rollout-*-0aaa-bbbb.jsonl"},
		"its own home":   {[]string{"CODEX_HOME=" + home, "HOME=/x"}, "0aaa-bbbb", "/home/u/sessions/*/*/*/rollout-*-0aaa-bbbb.jsonl"},
		"no home":        {[]string{"PATH=/x"}, "0aaa-bbbb", ""},
		"no session":     {[]string{"HOME=" + home}, "", ""},
		"odd session":    {[]string{"HOME=" + home}, "../../../*", ""},
		"the last wins":  {[]string{"HOME=/x", "HOME=" + home}, "0aaa-bbbb", "/home/u/.codex/sessions/*/*/*/rollout-*-0aaa-bbbb.jsonl"},
		"empty variable": {[]string{"CODEX_HOME=", "HOME=" + home}, "0aaa-bbbb", "/home/u/.codex/sessions/*/*/*/rollout-*-0aaa-bbbb.jsonl"},
	} {
		if got := recorder.Recorded(c.env, c.session); got != filepath.FromSlash(c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	if _, ok := find(t, "claude").(Recorder); ok {
		t.Error("claude keeps a record")
	}
}
