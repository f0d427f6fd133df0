package main

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/runner"
)

// chosenFrom applies the text of a .ralph.toml to the defaults.
func chosenFrom(text string) (choices, error) {
	c := newChoices()
	entries, err := parseConfig(text, source{origin: fromRepository, name: repositoryFile})
	if err == nil {
		err = c.apply(entries)
	}
	return c, err
}

func TestConfigFileSetsEverySettingItNames(t *testing.T) {
	c, err := chosenFrom(strings.TrimPrefix(`
command = "prog 'two words' last"
agent = "generic"
prompt_mode = "stdin"
prompt_file = "docs/prompt.md"
working_dir = "src"
prompt_template = true
completion_promise = ""
promise_match = "plain"
verify = [
  "go test -run 'A,B' ./...",
  "make lint",
]
verify_timeout = 90
verify_when = "always"
max_iterations = 7
timeout = "2h"
stall_timeout = 1.5
max_duration = "0"
max_failures = 0
no_progress = 2
grace = "3s"
iteration_context = false
max_context_tokens = 100
spec_file = ["docs/a,b.md", "C.md"]
handoff = "notes.md"
spec_template = "docs/task.md"
include_task = false
include_plan_section = false
max_spec_tokens = 900
branch = "loop/{timestamp}"
subject = "step {iteration}: {summary}"
dirty = "include"
worktree = true
snapshot.max_file_size = "5 MB"
snapshot.allow = ["big/*.bin"]

[env]
TOKEN = "s3cret"
`, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := newChoices()
	want.Config = runner.Config{
		Command: []string{"prog", "two words", "last"}, Agent: "generic", PromptMode: "stdin", PromptFile: "docs/prompt.md", Dir: "src", Template: true,
		Env: []string{"TOKEN"}, Branch: "loop/{timestamp}", Subject: "step {iteration}: {summary}", Promise: "", Match: "plain",
		Verify: []string{"go test -run 'A,B' ./...", "make lint"}, VerifyTimeout: runner.Duration(90 * time.Second), VerifyWhen: "always",
		MaxIterations: 7, Timeout: runner.Duration(2 * time.Hour), StallTimeout: runner.Duration(1500 * time.Millisecond), MaxFailures: 0, NoProgress: 2, MaxRetries: 10, MaxAttempts: 3, OnBlocked: "set-aside",
		Grace: runner.Duration(3 * time.Second), IterationContext: false, MaxContextTokens: 100, MaxFileSize: 5_000_000, Allow: []string{"big/*.bin"},
		SpecFiles: []string{"docs/a,b.md", "C.md"}, Handoff: "notes.md", SpecTemplate: "docs/task.md", MaxSpecTokens: 900,
	}
	if !reflect.DeepEqual(c.Config, want.Config) {
		t.Errorf("got  %+v\nwant %+v", c.Config, want.Config)
	}
	if c.dirty != dirtyInclude || !c.worktree || c.envValues["TOKEN"] != "s3cret" {
		t.Errorf("dirty %q, worktree %v, env %v", c.dirty, c.worktree, c.envValues)
	}
	for key, line := range map[string]string{"command": ":1", "verify": ":9", "verify_timeout": ":13", "snapshot.allow": ":35", "env.TOKEN": ":38"} {
		if got := c.from[key].String(); got != repositoryFile+line {
			t.Errorf("%s comes from %s, want line %s", key, got, line)
		}
	}
	if got := c.from["worktree_path"].String(); got != "default" {
		t.Errorf("worktree_path comes from %s", got)
	}
}

func TestConfigFileRefusesWithLineAndHint(t *testing.T) {
	tests := []struct{ name, text, want, hint string }{
		{"syntax", "max_iterations = 1\nverify = \"x\n", `2: strings cannot contain newlines`, "TOML looks like this: max_iterations = 20"},
		{"twice", "timeout = 1\ntimeout = 2\n", `2: Key 'timeout' has already been defined.`, "TOML looks like this: max_iterations = 20"},
		{"unknown", "\nmax_iteration = 1\n", `2: max_iteration is no setting`, "did you mean: max_iterations"},
		{"dashes", "max-iterations = 1\n", `1: max-iterations is no setting`, "write max_iterations"},
		{"nothing near", "zzz = 1\n", `1: zzz is no setting`, "settings are named as flags: git ralph start -h"},
		{"in the table", "[snapshot]\nverify = \"x\"\n", `2: snapshot.verify is no setting`, "write verify before the first [table]"},
		{"out of the table", "max_file_size = 1\n", `1: max_file_size is no setting`, "write it below [snapshot]"},
		{"first by line", "timeout = true\nagent = 1\n", `1: timeout: true is no duration`, `write "10m"`},
		{"duration", "\n\n\n\n\n\nverify_timeout = \"10 minutes\"\n", `7: verify_timeout: "10 minutes" is no duration`, `write "10m"`},
		{"negative", "timeout = -1\n", `1: timeout: "-1" is less than 0`, `write "10m"`},
		{"date", "timeout = 1979-05-27\n", `1: timeout: a date is no duration`, `write "10m"`},
		{"no grace", "grace = 0\n", `1: grace: 0 is less than it takes to end a program`, `write "1s"`},
		{"number as text", "max_iterations = \"many\"\n", `1: max_iterations: "many" is no whole number`, "write a whole number, such as 20"},
		{"fraction", "max_iterations = 1.5\n", `1: max_iterations: 1.5 is no whole number`, "write a whole number, such as 20"},
		{"out of range", "max_context_tokens = 0\n", `1: max_context_tokens: 0 is less than 1`, "write 1 or more"},
		{"huge", "max_failures = 9999999999\n", `1: max_failures: 9999999999 is more than 2147483647`, "write 0 for no limit"},
		{"word", "verify_when = \"never\"\n", `1: verify_when: "never" is none of its values`, "write one of: promise always"},
		{"switch", "worktree = \"yes\"\n", `1: worktree: "yes" is neither true nor false`, "write true or false"},
		{"list", "verify = [1]\n", `1: verify: 1 is no text`, "write it in quotes"},
		{"table of lists", "[[verify]]\nx = 1\n", `1: verify: a table is no list of texts`, `write ["one", "two"]`},
		{"empty among others", "verify = [\"a\", \"\"]\n", `1: verify: one of its values is empty`, "leave the empty ones out"},
		{"open quote", "command = \"a 'b\"\n", `1: command: "a 'b" cannot be split into words: 1:3: it ends without closing quote ` + "`'`", "quote what belongs together, as for a shell"},
		{"no program", "command = []\n", `1: command: there is no program in it`, `write "PROGRAM ARGS"`},
		{"agent", "agent = \"Clod!\"\n", `1: agent: "Clod!" is no agent that git-ralph knows`, "write one of: generic claude opencode codex gemini cursor-agent amp copilot aider"},
		{"env as text", "env = \"A=b\"\n", `1: env: "A=b" is no table`, `write a table: [env], and below it NAME = "value"`},
		{"env as number", "[env]\nA = 1\n", `2: env: A: 1 is no text`, `write A = "1"`},
		{"env name", "[env]\n\"A B\" = \"1\"\n", `2: env: "A B" is no name of a variable`, "write NAME=value"},
		{"size", "[snapshot]\nmax_file_size = \"big\"\n", `2: snapshot.max_file_size: "big" is no size`, `write a number of bytes, or "100 MB"`},
		{"placeholder", "branch = \"x/{lop}\"\n", `1: branch: "{lop}" cannot be filled in`, "write one of: {loop} {timestamp}"},
		{"promise of two lines", "completion_promise = \"a\\nb\"\n", `1: completion_promise: "a\nb" cannot stand alone on a line`, "write a word or two, such as COMPLETE"},
		{"prompt file outside", "prompt_file = \"../../secret\"\n", `1: prompt_file: "../../secret" leads out of the repository`, "write a path from the top level"},
		{"working directory outside", "working_dir = \"/etc\"\n", `1: working_dir: "/etc" leads out of the repository`, "write a path from the top level"},
		{"path of a worktree", "worktree_path = \"x\"\n", `1: worktree_path: a repository cannot say where on your disk it goes`, "put it into your own configuration, or type --worktree-path"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := chosenFrom(test.text)
			wantProblem(t, err, 1, ".ralph.toml:"+test.want, test.hint)
		})
	}
}

func TestUserFileMayNamePathsAnywhere(t *testing.T) {
	entries, err := parseConfig("worktree_path = \"/elsewhere\"\nprompt_file = \"/my/prompt\"\n", source{origin: fromUserFile, name: "~/.config/git-ralph/config.toml"})
	if err != nil {
		t.Fatal(err)
	}
	c := newChoices()
	if err := c.apply(entries); err != nil || c.worktreePath != "/elsewhere" || c.PromptFile != "/my/prompt" {
		t.Errorf("%v, worktree %q, prompt file %q", err, c.worktreePath, c.PromptFile)
	}
	if got := c.from["prompt_file"].String(); got != "~/.config/git-ralph/config.toml:2" {
		t.Errorf("source %q", got)
	}
	if claims := c.claims(); len(claims) > 0 {
		t.Errorf("the user's own file needs no yes, got %v", claims)
	}
}

func TestFilesThatAreNotThere(t *testing.T) {
	dir := t.TempDir()
	if entries, err := readConfig(filepath.Join(dir, "none"), "none", fromRepository); err != nil || len(entries) > 0 {
		t.Errorf("a missing file: %v, %v", entries, err)
	}
	if _, err := readConfig(dir, repositoryFile, fromRepository); err == nil || !strings.HasPrefix(err.Error(), "read configuration .ralph.toml: ") {
		t.Errorf("a directory: %v", err)
	}
}

func TestUserFileFollowsTheEnvironment(t *testing.T) {
	home, config := filepath.Join(t.TempDir(), "home"), filepath.Join(t.TempDir(), "config")
	file := filepath.Join("git-ralph", "config.toml")
	tests := []struct {
		name, path, shown string
		env               []string
	}{
		{"XDG", filepath.Join(config, file), filepath.Join(config, file), []string{"HOME=" + home, "AppData=" + home, "XDG_CONFIG_HOME=" + config}},
		{"XDG below home", filepath.Join(home, "c", file), "~/c/git-ralph/config.toml", []string{"HOME=" + home, "XDG_CONFIG_HOME=" + filepath.Join(home, "c")}},
		{"nothing", "", "", nil},
	}
	if os.PathSeparator == '/' {
		usual := tests[0]
		usual.name, usual.path, usual.shown = "home", filepath.Join(home, ".config", file), "~/.config/git-ralph/config.toml"
		usual.env = []string{"HOME=" + home, "XDG_CONFIG_HOME=not/absolute"}
		tests = append(tests, usual)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			path, shown := newTestApp(t, test.env...).userFile()
			if path != test.path || shown != test.shown {
				t.Errorf("got %q shown as %q\nwant %q shown as %q", path, shown, test.path, test.shown)
			}
		})
	}
}

func TestClaimsAreWhatTheRepositoryWantsToRun(t *testing.T) {
	c, err := chosenFrom("command = [\"a b\", \"c\"]\nverify = [\"make\", \"go vet\"]\nmax_iterations = 3\nprompt_file = \"p\"\n[env]\nLD_PRELOAD = \"x.so\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := kinds(c.claims()), "command='a b' c, prompt=p, verify=make, verify=go vet, env=LD_PRELOAD=x.so"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	verify, _ := findSetting(func(s setting) bool { return s.key == "verify" })
	if err := c.apply([]entry{{verify, []string{"true"}, source{origin: fromFlag, name: "--verify"}}}); err != nil {
		t.Fatal(err)
	}
	if got, want := kinds(c.claims()), "command='a b' c, prompt=p, env=LD_PRELOAD=x.so"; got != want {
		t.Errorf("with --verify typed: got %s, want %s", got, want)
	}
}

func kinds(claims []runner.Claim) string {
	var all []string
	for _, c := range claims {
		all = append(all, c.Kind+"="+c.Value)
	}
	return strings.Join(all, ", ")
}

func FuzzParseConfig(f *testing.F) {
	for _, seed := range []string{"", "verify = [\"a\"]\n", "[env]\nA = \"1\"\n", "snapshot.allow = [1]\n", "timeout = 1e300\n", "[[x]]\n", "\ufeffgrace = 1\n", "a.b.c = {d = 1}"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := chosenFrom(text)
		if err == nil {
			for _, s := range settings() {
				if err := s.set(&choices{envValues: map[string]string{}}, again(s.show(c))); s.key != "env" && s.key != "command" && s.key != "prompt_mode" && err != nil {
					t.Errorf("%s does not take its own value %v: %v", s.key, s.show(c), err)
				}
			}
			return
		}
		p, ok := errors.AsType[*problem](err)
		if !ok || p.status != 1 || len(p.hints) == 0 || !strings.HasPrefix(p.text, ".ralph.toml:") {
			t.Errorf("%q: no problem with place and hint: %#v", text, err)
		}
	})
}

// again makes of a value that is shown one as TOML gives it.
func again(value any) any {
	if n, ok := value.(int); ok {
		return int64(n)
	}
	return value
}

// Whether there is an agent of a name is known when all files are read; the complaint still names the place.
func TestAnAgentThatNobodyDescribesIsRefusedWithItsPlace(t *testing.T) {
	c, err := chosenFrom("max_iterations = 3\nagent = \"clod\"\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.settleAgent(&app{})
	if err == nil || !strings.Contains(err.Error(), `.ralph.toml:2: agent: "clod" is no agent that git-ralph knows`) {
		t.Errorf("got %v", err)
	}
	c, err = chosenFrom("agent = \"mine\"\n[agents.mine]\ncommand = \"prog --json\"\nprompt = \"stdin\"\noutput = \"claude-stream\"\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.settleAgent(&app{}); err != nil || c.Custom.Command[1] != "--json" {
		t.Errorf("got %+v, %v", c.Custom, err)
	}
}
