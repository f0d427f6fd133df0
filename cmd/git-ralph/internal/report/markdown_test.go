package report

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
)

func markdownOf(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := Markdown(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	t.Parallel()
	got := markdownOf(t, Page{
		Loop: "add-auth", Outcome: "done after 2 iterations", Mood: Good, Facts: []Fact{{Label: "verify", Text: "passed: go test ./..."}}, Prompt: "Add it.\n```\ncode\n```",
		Plan: &Plan{Tag: "auth", Waves: []Wave{{Number: 1, Tasks: []Task{
			{ID: "1", Title: "Store", State: "done", Mood: Good}, {ID: "2", Title: "Keys", State: "blocked", Mood: Bad, Words: "verify failed"},
		}}}},
		Iterations: []Iteration{
			{Number: 1, Status: "failed", Mood: Bad, Cells: []Fact{{Label: "time", Text: "1.0s"}}, Headline: "exit code 1", Summary: "exit code 1"},
			{Number: 2, Status: "completed", Mood: Good, Cells: []Fact{{Label: "time", Text: "2m"}}, Headline: "It works.", Summary: "It works.\n\nAll of it."},
		},
		Made: "written today",
	})
	want := "## add-auth\n\n**✓ done after 2 iterations**\n\n- verify: passed: go test ./...\n\n### Prompt\n\n````text\nAdd it.\n```\ncode\n```\n````\n" +
		"\n### Plan auth\n\nWave 1\n\n- [x] 1 Store: done\n- [ ] 2 Keys: blocked, verify failed\n" +
		"\n### Iterations\n\n| n | status | time | summary |\n| ---: | --- | --- | --- |\n| 1 | ✗ failed | 1.0s | exit code 1 |\n| 2 | ✓ completed | 2m | It works. |\n" +
		"\n### In the agent's words\n\n```text\nIt works.\n\nAll of it.\n```\n\n<sub>written today</sub>\n"
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestMarkdownOfOthersStaysText(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"a | b":                      `a \| b`,
		"<b>*bold* _it_ `code`</b>":  "&lt;b\\>\\*bold\\* \\_it\\_ \\`code\\`&lt;/b\\>",
		"[x](javascript:1) ![y](z)":  `\[x\](javascript:1) !\[y\](z)`,
		"thanks @ada, fixes #12":     "thanks @&#8203;ada, fixes #&#8203;12",
		"closes GH-7":                "closes GH&#8203;-7",
		"see https://x.example/ now": "see https:&#8203;//x.example/ now",
		"www.x.example":              "www&#8203;.x.example",
		"one\n\n# two":               "one #&#8203; two",
		"AT&amp;T $x$ ~~gone~~":      `AT&amp;amp;T \$x\$ \~\~gone\~\~`,
	} {
		if got := plain(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// Nothing that others wrote is more than text, wherever in the page it stands.
func TestMarkdownOfAHostilePageStaysText(t *testing.T) {
	t.Parallel()
	const more = "\n# head [link](https://x.example/) ![i](y) @ada fixes #12 GH-7 www.x.example `code` **loud** $x$ <b>\n```\n" + hostile
	p := hostilePage(2, 100)
	p.Loop, p.Outcome, p.Made, p.Facts = more, more, more, []Fact{{more, more, Bad}}
	p.Plan = &Plan{Tag: more, Waves: []Wave{{Number: 1, Tasks: []Task{{ID: more, Title: more, State: more, Words: more}}}}}
	p.Prompt, p.Iterations[0].Cells[0].Text, p.Iterations[0].Status = more, more, more
	p.Iterations[1].Headline, p.Iterations[1].Summary = more, more
	markup := regexp.MustCompile("<[^<>]*>|<!|@[a-z]|#[0-9]|://|[gG][hH]-|www\\.|[^\\\\](\\]|\\*|`|~|\\$)")
	fence, fenced := "", 0
	for line := range strings.Lines(markdownOf(t, p)) {
		line = strings.TrimSuffix(line, "\n")
		ticks := line[:len(line)-len(strings.TrimLeft(line, "`"))]
		switch {
		case fence != "":
			if line == fence {
				fence = ""
			}
			continue
		case len(ticks) > 3:
			fence, fenced = ticks, fenced+1
			continue
		}
		line = strings.NewReplacer("<sub>", "", "</sub>", "", "- [ ] ", "", noWidth, "·").Replace(line)
		if line = strings.TrimSuffix(strings.TrimPrefix(line, "**"), "**"); markup.MatchString(line) {
			t.Errorf("%q is markup in: %s", markup.FindString(line), line)
		}
	}
	if fence != "" || fenced != 2 {
		t.Errorf("%d blocks, want the prompt and the agent's words; open: %q", fenced, fence)
	}
}

func TestMarkdownFitsAPullRequest(t *testing.T) {
	t.Parallel()
	p := hostilePage(1000, 100_000)
	for n := range 1000 {
		p.Plan.Waves[0].Tasks = append(p.Plan.Waves[0].Tasks, Task{ID: "3", Title: hostile, State: "done", Words: strings.Repeat("#", n)})
		p.Facts = append(p.Facts, Fact{Label: "label", Text: hostile})
	}
	got := markdownOf(t, p)
	if len(got) > 65_000 {
		t.Errorf("it has %d bytes", len(got))
	}
	for _, want := range []string{"| 1000 |", "earlier iterations are left out.", "more\n"} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q", want)
		}
	}
}
