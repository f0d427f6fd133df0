package main

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// parsed parses a command line and returns the command's struct.
func parsed[T any](t *testing.T, a testApp, args ...string) *T {
	t.Helper()
	k, err := a.parse(args)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	command, ok := k.Selected().Target.Addr().Interface().(*T)
	if !ok {
		t.Fatalf("%q is command %s", args, k.Selected().Name)
	}
	return command
}

// typedIn returns what a start command line sets.
func typedIn(t *testing.T, a testApp, args ...string) (choices, error) {
	t.Helper()
	c := newChoices()
	start := parsed[startCmd](t, a, append([]string{"start"}, args...)...)
	return c, start.Settings.apply(&c, a.app)
}

func TestFlagsSetWhatTheyName(t *testing.T) {
	c, err := typedIn(t, newTestApp(t, "HELD=from outside"), "Do it", "-m", "7", "--timeout=90", "--verify", `go test -run "A,B"`, "--verify", "make",
		"--completion-promise", "", "--no-iteration-context", "--env", "A=b=c", "--env", "HELD", "--allow", "a,b", "--backend", "generic", "--auto-commit")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{`go test -run "A,B"`, "make"}; !slices.Equal(c.Verify, want) {
		t.Errorf("verify %q, want %q: commas stay", c.Verify, want)
	}
	if c.MaxIterations != 7 || c.Timeout.String() != "1m30s" || c.Promise != "" || c.IterationContext || !slices.Equal(c.Allow, []string{"a,b"}) {
		t.Errorf("%+v", c.Config)
	}
	if want := map[string]string{"A": "b=c", "HELD": "from outside"}; !reflect.DeepEqual(c.envValues, want) || !slices.Equal(c.Env, []string{"A", "HELD"}) {
		t.Errorf("env %v %v, want %v", c.Env, c.envValues, want)
	}
	if c.from["verify"].String() != "flag" || c.from["max_failures"].String() != "default" {
		t.Errorf("sources %v", c.from)
	}
}

func TestFlagsThatAreNotTypedChangeNothing(t *testing.T) {
	c, err := typedIn(t, newTestApp(t), "Do it")
	if want := newChoices(); err != nil || !reflect.DeepEqual(c, want) {
		t.Errorf("%v\ngot  %+v\nwant %+v", err, c, want)
	}
}

func TestBytesStayAsTheyAreTyped(t *testing.T) {
	a := newTestApp(t)
	start := parsed[startCmd](t, a, "start", "\xff", "--verify", "\xfe,", "--prompt-file=\xfd")
	if start.Prompt != "\xff" || !slices.Equal(start.Settings.Verify, []string{"\xfe,"}) || start.PromptFile != "\xfd" {
		t.Errorf("%q %q %q", start.Prompt, start.Settings.Verify, start.PromptFile)
	}
}

func TestAnEmptyVerifyTakesBackWhatAFileSays(t *testing.T) {
	c, err := typedIn(t, newTestApp(t), "--verify", "")
	if err != nil || len(c.Verify) != 0 || c.from["verify"].String() != "flag" {
		t.Errorf("%v: verify %q from %s", err, c.Verify, c.from["verify"])
	}
}

func TestATypedProgramIsFoundFromWhereTheUserIs(t *testing.T) {
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(top, "sub", "deep"), 0o777); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ typed, here, prefix, runsIn, want string }{
		{"prog", "sub", "", "", "prog"},
		{"./prog", "", "", "", "./prog"},
		{"./prog", "sub", "", "", "sub/prog"},
		{"../../prog", "sub", "", "", "../prog"},
		{"../prog", "sub/deep", "", "sub", "./prog"},
		{"./prog", "", "sub/", "", "sub/prog"}, // an alias with "!"
		{"/usr/bin/prog", "sub", "", "", "/usr/bin/prog"},
	}
	for _, test := range tests {
		a := newTestApp(t, "GIT_PREFIX="+test.prefix)
		a.dir = filepath.Join(top, test.here)
		if got := a.fromHere([]string{test.typed, "arg"}, filepath.Join(top, test.runsIn)); !slices.Equal(got, []string{test.want, "arg"}) {
			t.Errorf("%s typed in %q%q, run in %q: got %q, want %s", test.typed, test.here, test.prefix, test.runsIn, got, test.want)
		}
	}
}

func TestWhatFollowsTheDashesIsTheAgents(t *testing.T) {
	c, err := typedIn(t, newTestApp(t), "Do it", "--", "prog", "--json", "-h", "", "--", "x")
	if want := []string{"prog", "--json", "-h", "", "--", "x"}; err != nil || !slices.Equal(c.Command, want) {
		t.Errorf("%v: command %q, want %q", err, c.Command, want)
	}
}

func TestBadFlagsAreRefusedAsUsage(t *testing.T) {
	tests := []struct {
		name       string
		args       []string
		text, hint string
	}{
		{"command", []string{"strat"}, `"strat" is no command of git ralph`, "did you mean: git ralph start"},
		{"far off", []string{"frobnicate"}, `"frobnicate" is no command of git ralph`, "see which there are: git ralph -h"},
		{"flag", []string{"start", "--verfy", "x"}, "git ralph start has no flag --verfy", "did you mean: --verify"},
		{"negated", []string{"start", "--no-iteration-contxt"}, "git ralph start has no flag --no-iteration-contxt", "did you mean: --no-iteration-context"},
		{"value that looks like a flag", []string{"start", "-p", "--odd prompt", "--nam"}, "git ralph start has no flag --nam", "did you mean: --name"},
		{"too many", []string{"start", "a", "b"}, "unexpected argument b", "git ralph start -h"},
		{"argv of another command", []string{"version", "--", "x"}, "git ralph version runs no program: nothing can follow --", "git ralph version -h"},
		{"command twice", []string{"start", "-c", "a", "--", "b"}, "the program is given twice: by --command and after --", "leave one of them out"},
		{"number", []string{"start", "-m", "-1"}, "--max-iterations: -1 is less than 0", "write 0 or more"},
		{"word", []string{"start", "--prompt-mode", "pipe"}, `--prompt-mode: "pipe" is none of its values`, "write one of: arg stdin env file none"},
		{"word with a typo", []string{"start", "--prompt-mode", "stdn"}, `--prompt-mode: "stdn" is none of its values`, "did you mean: stdin"},
		{"choice", []string{"scud", "wavs"}, `"wavs" is none of: tags tasks waves spec retry`, "did you mean: waves"},
		{"choice far off", []string{"scud", "mountains"}, `"mountains" is none of: tags tasks waves spec retry`, "git ralph scud -h"},
		{"agent", []string{"start", "x", "--agent", "Claude"}, `--agent: "Claude" is no agent that git-ralph knows`, "did you mean: claude"},
		{"letter", []string{"start", "-z"}, "git ralph start has no flag -z", "see which there are: git ralph start -h"},
		{"no value", []string{"start", "x", "--agent"}, "--agent needs a value: NAME", "git ralph start -h"},
		{"no value before the dashes", []string{"start", "-m", "--", "prog"}, "--max-iterations needs a value: N", "git ralph start -h"},
		{"no number", []string{"log", "-n", "x"}, `"x" is no whole number`, "write a whole number, such as 3"},
		{"no iteration", []string{"show", "x"}, `"x" is no whole number`, "write a whole number, such as 3"},
		{"choice left out", []string{"completion"}, "git ralph completion needs one of: bash zsh fish", "git ralph completion -h"},
		{"env without a value", []string{"start", "--env", "NOPE"}, "--env: NOPE has no value in the environment", "give it one: --env NOPE=VALUE"},
		{"env without a name", []string{"start", "--env", "=x"}, `--env: "" is no name of a variable`, "write NAME=value"},
		{"no program after the dashes", []string{"start", "x", "--"}, "--: there is no program in it", `write "PROGRAM ARGS"`},
		{"prompt twice", []string{"start", "a", "-p", "b"}, "the prompt is given more than once: as PROMPT, --prompt or --prompt-file", "leave the others out"},
		{"name", []string{"start", "a", "--name", "A/b"}, `loop name "A/b" has characters other than a-z 0-9 . _ -`, "--name a-b"},
		{"nothing to tell", []string{"tell"}, "there is nothing to tell", `git ralph tell "use the table tests"`},
		{"tell in Latin-1", []string{"tell", "\xe9"}, "the text is not plain UTF-8", `git ralph tell "use the table tests"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp(t)
			err := run(a.app, nil, test.args)
			wantProblem(t, err, 129, test.text, test.hint)
			if a.out.Len() > 0 {
				t.Errorf("printed %q", a.out)
			}
		})
	}
}

// Every setting has a flag of start's or config's, and every such flag a setting: what can be typed can be configured.
func TestSettingsAndFlagsAreTheSame(t *testing.T) {
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	start := child(parser.Model.Node, "start")
	perCall := []string{"help", "prompt", "name", "dry-run", "yes", "json", "quiet", "verbose", "watch", "auto-commit", "yolo"} // --yolo is permissions = "all"
	flags := map[string]bool{}
	for _, f := range start.Flags {
		flags[f.Name] = true
		if _, ok := findSetting(func(s setting) bool { return s.flag == f.Name }); !ok && !slices.Contains(perCall, f.Name) {
			t.Errorf("--%s cannot be configured", f.Name)
		}
	}
	for _, s := range settings() {
		if s.key == "agents" || strings.HasPrefix(s.key, "push.") { // tables have no flag; git's hook before a push has no command line
			continue
		}
		if !flags[s.flag] {
			t.Errorf("%s has no flag", s.key)
		}
		if last := s.key[strings.LastIndexByte(s.key, '.')+1:]; strings.ReplaceAll(s.flag, "-", "_") != last {
			t.Errorf("key %s and flag --%s have two names", s.key, s.flag)
		}
	}
	if err := everyFlagRepeats(start); err != "" {
		t.Error(err)
	}
}

// everyFlagRepeats names a repeatable flag that would split its value at commas.
func everyFlagRepeats(command *kong.Node) string {
	for _, f := range command.Flags {
		if f.IsSlice() && f.Tag.Sep != -1 {
			return "--" + f.Name + " splits at commas"
		}
	}
	return ""
}
