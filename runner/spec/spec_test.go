package spec_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/spec"
)

const asked = "When everything is done and checked, and only then, end your final message with a line that holds nothing but " +
	"the word COMPLETE inside a promise tag, like <promise>COMPLETE</promise> (opening and closing tag on that one line).\n" +
	"If you cannot go on without a human, end it with a line that holds nothing but the reason inside a blocked tag, like " +
	"<blocked>the reason</blocked> (opening and closing tag on that one line).\n"

func TestPrompt(t *testing.T) {
	third := spec.Context{
		Iteration: 3, Max: 20, LastStatus: "failed", LastSummary: "Wrote the parser.\n\nTests are missing.",
		DiffStat: " a.go | 3 ++-\n b.go | 1 +\n 2 files changed, 3 insertions(+), 1 deletion(-)\n",
		Verify:   "go test ./... (exit 1)", VerifyTail: "--- FAIL: TestA (0.00s)\r\n\n\x1b[31mFAIL\x1b[0m\n", FailedTests: []string{"TestA", "TestB/x\ny"},
	}
	const sentence = "This is iteration 3 of 20 of a loop. Earlier work is in the files and in the git history: review it " +
		"(git log, git diff) and go on from there; do not start over. The last iteration ended as failed.\n\n"
	const knowledge = `This check failed on the last iteration's work: go test ./... (exit 1)
The end of what it printed:
> --- FAIL: TestA (0.00s)
>
> FAIL

These tests failed:
> TestA
> TestB/x y

The last iteration's own summary:
> Wrote the parser.
>
> Tests are missing.

The last iteration changed (2 files changed, 3 insertions(+), 1 deletion(-)):
>  a.go | 3 ++-
>  b.go | 1 +

`
	complete := spec.Promise{Text: "COMPLETE"}
	for name, c := range map[string]struct {
		request spec.Request
		want    string
	}{
		"the user's text, byte for byte": {spec.Request{Prompt: "do {it} $HOME \\n {{.Max}} %s\r\n\n\n"}, "do {it} $HOME \\n {{.Max}} %s\r\n\n\n"},
		"first iteration":                {spec.Request{Prompt: "Fix it.", Promise: complete, Context: spec.Context{Iteration: 1, LastSummary: "x"}}, "Fix it.\n\n" + asked},
		"newline at the end":             {spec.Request{Prompt: "Fix it.\n", Promise: complete}, "Fix it.\n\n" + asked},
		"blank line at the end":          {spec.Request{Prompt: "Fix it.\n\n", Promise: complete}, "Fix it.\n\n" + asked},
		"windows line ends stay":         {spec.Request{Prompt: "Fix\r\nit.\r\n", Promise: complete}, "Fix\r\nit.\r\n\n" + asked},
		"third iteration":                {spec.Request{Prompt: "Fix it.", Promise: complete, Context: third}, "Fix it.\n\n" + sentence + knowledge + asked},
		"no promise":                     {spec.Request{Prompt: "Fix it.", Context: third}, "Fix it.\n\n" + sentence + strings.TrimSuffix(knowledge, "\n")},
		"no context":                     {spec.Request{Prompt: "Fix it.", Promise: complete, Context: third, NoContext: true}, "Fix it.\n\n" + asked},
		"no limit, nothing known": {spec.Request{Prompt: "Fix it.", Context: spec.Context{Iteration: 2}},
			"Fix it.\n\nThis is iteration 2 of a loop. Earlier work is in the files and in the git history: review it (git log, git diff) and go on from there; do not start over.\n"},
		"guidance": {spec.Request{Prompt: "Fix it.", Promise: complete, NoContext: true, Guidance: []string{"Use Go.\n", "", "First:\r\n\n<promise>COMPLETE</promise>"}},
			"Fix it.\n\nThe user says:\n> Use Go.\n\nThe user says:\n> First:\n>\n> <promise>COMPLETE</promise>\n\n" + asked},
		"a promise of two words": {spec.Request{Prompt: "x", Promise: spec.Promise{Text: " ALL\n DONE"}},
			"x\n\n" + strings.ReplaceAll(strings.ReplaceAll(asked, "the word", "the words"), "COMPLETE", "ALL DONE")},
		"template": {spec.Request{Prompt: "{{.Iteration}} of {{.Max}} of {{.Loop}}{{with .Summary}}: {{.}}{{end}}", Template: true, Loop: "l", Context: third, NoContext: true},
			"3 of 20 of l: Wrote the parser.\n\nTests are missing."},
		"template, first iteration": {spec.Request{Prompt: "{{.Iteration}}{{with .Summary}}: {{.}}{{end}}", Template: true}, "1"},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := spec.Prompt(c.request)
			if err != nil || got != c.want {
				t.Errorf("error %v, got:\n%q\nwant:\n%q", err, got, c.want)
			}
		})
	}
}

func TestPromptTemplateErrors(t *testing.T) {
	for prompt, want := range map[string]string{
		"a\n{{.Iteration":   "prompt:2: unclosed action",
		"a\n  {{.Nothing}}": `prompt:2:4: executing "prompt" at <.Nothing>: map has no entry for key "Nothing"`,
		"{{nothing}}":       `prompt:1: function "nothing" not defined`,
	} {
		if got, err := spec.Prompt(spec.Request{Prompt: prompt, Template: true}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %q, %v; want an error with %q", prompt, got, err, want)
		}
	}
}

// many is numbered lines of text.
func many(what string, n int) string {
	var text strings.Builder
	for i := 1; i <= n; i++ {
		fmt.Fprintf(&text, "%s line %d\n", what, i)
	}
	return text.String()
}

// added is what Prompt puts behind the user's text and the sentence on the iteration.
func added(t *testing.T, c spec.Context, tokens int) string {
	t.Helper()
	text, err := spec.Prompt(spec.Request{Prompt: "x", Context: c, MaxContextTokens: tokens})
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(text, "do not start over.")
	if !found {
		t.Fatalf("no sentence on the iteration in %q", text)
	}
	return text
}

func TestPromptBudget(t *testing.T) {
	c := spec.Context{
		Iteration: 2, Verify: "make test (exit 2)", VerifyTail: many("verify", 500), LastSummary: many("summary", 500),
		DiffStat: many("file", 500) + " 500 files changed, 1 insertion(+)", FailedTests: strings.Split(many("test", 500), "\n"),
	}
	got := added(t, c, 0)
	if len(got) > 8000+4 || len(got) < 7600 {
		t.Errorf("%d bytes are added for a budget of 8,000:\n%s", len(got), got)
	}
	for _, want := range []string{
		"verify line 500\n", "lines are left out)\n> verify line", // the end of the check's output
		"These tests failed:\n> test line 1\n", "own summary:\n> summary line 1\n", "1 insertion(+)):\n> file line 1\n", // the beginning of the rest
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q is missing in:\n%s", want, got)
		}
	}
	if n := strings.Count(got, "lines are left out)"); n != 4 {
		t.Errorf("%d parts say that they were cut, want 4", n)
	}
	if strings.Count(got, "verify line") < strings.Count(got, "summary line")*3 {
		t.Error("the check's output gets no more room than the summary")
	}
}

func TestPromptBudgetIsPassedOn(t *testing.T) {
	short := added(t, spec.Context{Iteration: 2, Verify: "make", VerifyTail: "boom", LastSummary: many("summary", 300)}, 0)
	if strings.Contains(short, "left out") {
		t.Errorf("something is cut though all of it fits:\n%s", short)
	}
}

func TestPromptTinyBudget(t *testing.T) {
	c := spec.Context{Iteration: 2, Verify: "make test (exit 2)", VerifyTail: many("verify", 50), LastSummary: many("summary", 50), DiffStat: many("file", 9)}
	want := "\n\nThis check failed on the last iteration's work: make test (exit 2) (what it printed is left out)\n\nLeft out for its length: the last summary, the changed files.\n"
	if got := added(t, c, 40); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := added(t, c, 1), "\n\nLeft out for its length: the output of the check, the last summary, the changed files.\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestPromptCutsOneLongLine(t *testing.T) {
	long := strings.Repeat("größer ", 5000) + "END"
	got := added(t, spec.Context{Iteration: 2, Verify: "make", VerifyTail: "BEGIN" + long, LastSummary: "BEGIN" + long}, 500)
	if !utf8.ValidString(got) || len(got) > 2000+4 {
		t.Errorf("%d bytes, valid %v", len(got), utf8.ValidString(got))
	}
	if !strings.Contains(got, "\n> …") || !strings.Contains(got, "END\n\nThe last iteration's own summary:\n> BEGINgr") || !strings.HasSuffix(got, "…\n") {
		t.Errorf("cut at the wrong ends: %.200q … %q", got, got[len(got)-200:])
	}
}

// An agent that prints its prompt and nothing else has promised nothing, whatever stands in what git knows.
func FuzzPromptEcho(f *testing.F) {
	f.Add("<promise>COMPLETE</promise>", "<blocked>why</blocked>", "COMPLETE", 100)
	f.Add("a\r\n <promise>A B</promise>\r\n", "\x1b[1m<promise>A B</promise>", "A B", 3)
	f.Add(many("x", 100), "\n\n\xff\n", "</promise>", 0)
	f.Fuzz(func(t *testing.T, printed, said, promise string, tokens int) {
		r := spec.Request{
			Prompt: "Fix it.", Promise: spec.Promise{Text: promise}, MaxContextTokens: tokens, Guidance: []string{said, printed},
			Context: spec.Context{Iteration: 2, LastSummary: said, DiffStat: printed, Verify: said, VerifyTail: printed, FailedTests: []string{printed, said}},
		}
		text, err := spec.Prompt(r)
		if err != nil {
			t.Fatal(err)
		}
		if agent.Promised(text, promise) || agent.Blocked(text) != "" {
			t.Errorf("an echo would count: %q", text)
		}
		if again, _ := spec.Prompt(r); again != text {
			t.Error("the same request gives another text")
		}
		r.Guidance, r.Promise = nil, spec.Promise{}
		text, _ = spec.Prompt(r)
		if tokens > 0 && tokens < 1<<20 && len(text) > 400+tokens*4 {
			t.Errorf("%d bytes for %d tokens", len(text), tokens)
		}
	})
}

// A program that prints its prompt and ends well has promised nothing, even where any mention of the word counts.
func TestPromptEchoedByAProgram(t *testing.T) {
	prompt, err := spec.Prompt(spec.Request{
		Prompt: "Print\n\n<promise>COMPLETE</promise>\n\nwhen it is complete.", Promise: spec.Promise{Text: "COMPLETE"},
		Context: spec.Context{Iteration: 2, LastSummary: "Not complete.", Verify: "make", VerifyTail: "<promise>COMPLETE</promise>"},
	})
	if err != nil {
		t.Fatal(err)
	}
	generic, err := agent.Find("generic")
	if err != nil {
		t.Fatal(err)
	}
	for _, match := range []agent.Match{agent.MatchTag, agent.MatchPlain} {
		for said, want := range map[string]bool{"": false, "I completed step 1.\n": false, "It is done.\n<promise>COMPLETE</promise>\n": true} {
			reader := generic.Reader(agent.Request{Prompt: prompt, Promise: "COMPLETE", Match: match})
			if err := reader.Read(strings.NewReader("\x1b[2m"+prompt+"\x1b[0m"+said), nil); err != nil {
				t.Fatal(err)
			}
			if got := reader.Verdict(agent.Exit{}).Promise; got != want {
				t.Errorf("match %s: the prompt and then %q: promise %v, want %v", match, said, got, want)
			}
		}
	}
}
