package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/git-ralph/git-ralph/runner"
)

// completed returns the candidates for a command line whose last word is being typed.
func completed(t *testing.T, line ...string) []string {
	t.Helper()
	a := newTestApp(t)
	a.dir = t.TempDir()
	if err := run(a.app, nil, append([]string{completeCommand, "--"}, line...)); err != nil {
		t.Fatalf("%q: %v", line, err)
	}
	var words []string
	for row := range strings.Lines(a.out.String()) {
		word, _, _ := strings.Cut(strings.TrimSuffix(row, "\n"), "\t")
		words = append(words, word)
	}
	return words
}

func TestCompletionKnowsTheGrammar(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"rew", "rewind"},
		{"zz", ""},
		{"help la", "land"},
		{"help land ", ":files"},
		{"status --js", "--json"},
		{"status --json --js", ""},
		{"start --no-pu", "--no-push"},
		{"start --no-push --no-p", "--no-progress --no-prompt-template"},
		{"start --verify x --verif", "--verify --verify-when --verify-timeout"},
		{"start --verify-when ", "promise always"},
		{"start --verify-when=al", "--verify-when=always"},
		{"start --no-push --verify-when a", "always"},
		{"start -m ", ""},
		{"start -m 3 --verify-when a", "always"},
		{"start -m3 --verify-when a", "always"},
		{"start --verify --verify-when --permissions ", "all"},
		{"start --on-blocked s", "set-aside"},
		{"start --agent=generi", "--agent=generic"},
		{"start --backend generi", "generic"},
		{"start --prompt-file ", ":files"},
		{"start --prompt-file=x", ":files"},
		{"start -w ", ":folders"},
		{"start do-it ", ""},
		{"start -- prog ", ":files"},
		{"start --nothing ", ""},
		{"stats --by w", ""},
		{"stats --by mo", "model"},
		{"completion z", "zsh"},
		{"man sho", "show"},
		{"status ", ""}, // there is no repository
		{"start --auto", ""},
		{"demo-a", ""},
	} {
		if got := strings.Join(completed(t, strings.Split(test.line, " ")...), " "); got != test.want {
			t.Errorf("%q becomes %q, want %q", test.line, got, test.want)
		}
	}
	if got := completed(t); !slices.Contains(got, "start") || !slices.Contains(got, "help") {
		t.Errorf("an empty line becomes %q", got)
	}
}

func FuzzCompletionEndsWell(f *testing.F) {
	for _, seed := range []string{"", "start\n--verify", "start\n-", "help\n", "show\n--loop=\n", "start\n--\n--", "-\n=", "scud\nwaves\n"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, line string) { completed(t, strings.Split(line, "\n")...) })
}

// Every value that is typed is one that completion knows, or is said here to be any text. Whoever adds a flag decides.
func TestCompletionKnowsEveryValue(t *testing.T) {
	free := strings.Fields(`allow branch completion-promise env grace max-attempts max-context-tokens max-cost max-duration max-failures
		max-file-size max-iterations max-retries max-tokens message model name no-progress number prompt stall-timeout subject text timeout verify
		verify-timeout max-spec-tokens`)
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	check := func(command *kong.Node, v *kong.Value) {
		_, known := valueSources()[v.Name]
		known = known || len(choiceOf(v)) > 0 || slices.Contains([]string{"FILE", "DIR"}, placeholderOf(v))
		if known == slices.Contains(free, v.Name) {
			t.Errorf("%s: completion has a source for %s: %v; valueSources names it, its placeholder is FILE, DIR or a|b, or it is any text and stands in this test", command.Name, v.Name, known)
		}
	}
	for _, c := range parser.Model.Children {
		if c.Hidden {
			continue
		}
		for _, f := range c.Flags {
			if !f.IsBool() && !f.Hidden && !(c.Name == "start" && f.Name == "command") {
				check(c, f.Value)
			}
		}
		for _, p := range c.Positional {
			check(c, p)
		}
	}
	by := findFlag(child(parser.Model.Node, "stats"), func(f *kong.Flag) bool { return f.Name == "by" })
	if got, want := choiceOf(by.Value), texts([]runner.StatsBy(statsKinds())); !slices.Equal(got, want) {
		t.Errorf("stats --by is completed to %q, but takes %q", got, want)
	}
}
