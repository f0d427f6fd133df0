package agent

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// judge reads output as the generic preset does and returns the verdict.
func judge(t *testing.T, r Request, output string, exit Exit) Verdict {
	t.Helper()
	reader := generic{}.Reader(r)
	if err := reader.Read(iotest.HalfReader(strings.NewReader(output)), nil); err != nil {
		t.Fatal(err)
	}
	return reader.Verdict(exit)
}

func TestGenericPromise(t *testing.T) {
	const tag = "<promise>COMPLETE</promise>"
	const prompt = "Fix it. When you are done print\n\n" + tag + "\n\nand nothing else.\n\nEnd with a line of " + tag + " (one line).\n"
	more := func(n int) string { return strings.Repeat("more\n", n) }
	for name, c := range map[string]struct {
		output string
		plain  bool
		exit   Exit
		want   bool
	}{
		"last line":                       {"work\n" + tag + "\n", false, Exit{}, true},
		"without newline":                 {"work\n" + tag, false, Exit{}, true},
		"only output":                     {tag, false, Exit{}, true},
		"coloured, windows":               {"\x1b[32m" + tag + "\x1b[0m\r\n", false, Exit{}, true},
		"behind a spinner":                {"⠋ thinking\r⠙ thinking\r\x1b[K" + tag + "\n", false, Exit{}, true},
		"twentieth line from the end":     {tag + "\n" + more(19), false, Exit{}, true},
		"twenty-first line":               {tag + "\n" + more(20), false, Exit{}, false},
		"blank lines at the end":          {tag + "\n" + more(19) + strings.Repeat(" \n", 100), false, Exit{}, true},
		"blank lines count in between":    {tag + strings.Repeat("\n", 20) + "bye\n", false, Exit{}, false},
		"within a line":                   {"I print " + tag + "\n", false, Exit{}, false},
		"bare word":                       {"COMPLETE\n", false, Exit{}, false},
		"exit code":                       {tag + "\n", false, Exit{Code: 1}, false},
		"ended by us":                     {tag + "\n", false, Exit{Ours: true}, false},
		"standard error":                  {"work\n", false, Exit{Stderr: tag + "\n"}, false},
		"echo of the prompt":              {prompt, false, Exit{}, false},
		"echo within other output":        {"Prompt:\n" + prompt + "\nError: offline\n", false, Exit{}, false},
		"echo with other blank lines":     {strings.ReplaceAll(prompt, "\n\n", "\n"), false, Exit{}, false},
		"own words after the echo":        {prompt + "I fixed it.\n\n" + tag + "\n", false, Exit{}, true},
		"own words, the echo's neighbour": {prompt + "and nothing else.\n" + tag + "\n", false, Exit{}, true},
		"plain: word":                     {"The work is complete.\n", true, Exit{}, true},
		"plain: tag":                      {tag + "\n", true, Exit{}, true},
		"plain: completed":                {"I completed step 1 of 7.\n", true, Exit{}, false},
		"plain: incomplete":               {"Incomplete.\n", true, Exit{}, false},
		"plain: exit code":                {"complete\n", true, Exit{Code: 2}, false},
		"plain: echo":                     {"> \n" + prompt + "boom\n", true, Exit{}, false},
		"plain: early":                    {"complete\n" + more(20), true, Exit{}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := Request{Prompt: prompt, Promise: "COMPLETE"}
			if c.plain {
				r.Match = MatchPlain
			}
			if got := judge(t, r, c.output, c.exit).Promise; got != c.want {
				t.Errorf("promise %v, want %v", got, c.want)
			}
		})
	}
}

func TestGenericPromiseNoneAsked(t *testing.T) {
	if v := judge(t, Request{}, "<promise></promise>\n<promise>COMPLETE</promise>\n", Exit{}); v.Promise || v.Class != Completed {
		t.Errorf("verdict %+v; want completed without a promise", v)
	}
}

func TestGenericVerdict(t *testing.T) {
	for name, c := range map[string]struct {
		output  string
		exit    Exit
		class   Class
		err     string
		blocked string
	}{
		"well":              {"ok\n", Exit{Stderr: "warning: x\n"}, Completed, "", ""},
		"exit code":         {"ok\n", Exit{Code: 3}, Failed, "exit code 3", ""},
		"standard error":    {"", Exit{Code: 1, Stderr: "trace\n\x1b[31mboom:\tno  key\x1b[0m\r\n\n"}, Failed, "exit code 1: boom: no key", ""},
		"long error":        {"", Exit{Code: 1, Stderr: strings.Repeat("é", 9999)}, Failed, "exit code 1: " + strings.Repeat("é", maxError/2), ""},
		"ours":              {"<blocked>why</blocked>\n", Exit{Ours: true, Code: 143, Stderr: "x"}, Failed, "ended by the loop", ""},
		"ours, exit 0":      {"ok\n", Exit{Ours: true}, Failed, "ended by the loop", ""},
		"blocked":           {"<blocked>no key</blocked>\n", Exit{}, Completed, "", "no key"},
		"blocked, failed":   {"<blocked>no key</blocked>\n", Exit{Code: 1}, Failed, "exit code 1", "no key"},
		"blocked long ago":  {"<blocked>no key</blocked>\n" + strings.Repeat("x\n", 20), Exit{}, Completed, "", ""},
		"blocked in prompt": {"Say\n<blocked>why</blocked>\nif stuck.\n", Exit{}, Completed, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			v := judge(t, Request{Prompt: "Say\n<blocked>why</blocked>\nif stuck."}, c.output, c.exit)
			if v.Class != c.class || v.Error != c.err || v.Blocked != c.blocked {
				t.Errorf("class %q, error %q, blocked %q; want %q, %q, %q", v.Class, v.Error, v.Blocked, c.class, c.err, c.blocked)
			}
			if v.Tokens != nil || v.CostUSD != nil || v.Context != nil || v.Usage != nil {
				t.Errorf("a program that says nothing of its costs has some: %+v", v)
			}
		})
	}
}

func TestGenericFinalText(t *testing.T) {
	var output strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&output, "line %d é\n", i)
	}
	got := judge(t, Request{}, output.String(), Exit{}).FinalText
	if len(got) > finalText || len(got) < finalText-20 {
		t.Errorf("final text has %d bytes, want nearly %d", len(got), finalText)
	}
	if !strings.HasSuffix(output.String(), "\n"+got+"\n") {
		t.Errorf("final text is not made of the last whole lines: %.40q … %q", got, got[len(got)-40:])
	}
	if got := judge(t, Request{}, "a\n\nb\n\n\n", Exit{}).FinalText; got != "a\n\nb" {
		t.Errorf("final text %q", got)
	}
	if got := judge(t, Request{}, strings.Repeat("é", 99999)+"\n", Exit{}).FinalText; got != strings.Repeat("é", finalText/2) {
		t.Errorf("one long line became %d bytes", len(got))
	}
}

func TestGenericMemoryIsBounded(t *testing.T) {
	var kept tail
	long := strings.Repeat("x", maxLine)
	for range 1000 {
		kept.push(long)
		kept.push("")
	}
	if kept.size > (keepLines+1)*(maxLine+1) {
		t.Errorf("%d bytes kept", kept.size)
	}
	for range 10000 {
		kept.push("short")
	}
	if kept.size > finalText {
		t.Errorf("%d bytes kept of short lines", kept.size)
	}
}

func TestGenericActivity(t *testing.T) {
	var seen []Activity
	output := "one\n \n\x1b[1mtwo\x1b[0m\r\n" + strings.Repeat("x", 5000)
	if err := (generic{}).Reader(Request{}).Read(strings.NewReader(output), func(a Activity) { seen = append(seen, a) }); err != nil {
		t.Fatal(err)
	}
	want := []Activity{
		{Kind: ActivityText, Text: "one"}, {Kind: ActivityText, Text: "two"}, {Kind: ActivityText, Text: strings.Repeat("x", maxActivity)},
	}
	if fmt.Sprint(seen) != fmt.Sprint(want) {
		t.Errorf("seen %.200v", seen)
	}
}

func TestGenericReadGivesTheError(t *testing.T) {
	broken := errors.New("broken")
	reader := generic{}.Reader(Request{Promise: "X"})
	err := reader.Read(io.MultiReader(strings.NewReader("<promise>X</promise>\n"), iotest.ErrReader(broken)), nil)
	if !errors.Is(err, broken) {
		t.Errorf("error %v", err)
	}
	if !reader.Verdict(Exit{}).Promise {
		t.Error("what was read before the error is lost")
	}
}
