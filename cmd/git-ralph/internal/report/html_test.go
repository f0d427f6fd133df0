package report

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"
)

// hostile is text that would run a script, or end what it stands in, if it were taken for more than text.
const hostile = `</pre></style></title></svg>"'>--><script>` + pwn + `</script><img src=x onerror="` + pwn + `"><svg onload="` + pwn + `"></svg>` +
	`<iframe srcdoc="<script>parent.` + pwn + `</script>"></iframe><a href="javascript:` + pwn + `">` + "`" + `{{.Loop}}&lt;&#0;<!--<meta http-equiv=refresh content="0;url=javascript:` + pwn + `">`

// pwn is what a script would do.
const pwn = `document.documentElement.setAttribute('pwned',1)`

// hostilePage is a page of so many iterations, full of text of that length.
func hostilePage(iterations, length int) Page {
	text := strings.Repeat(hostile, length/len(hostile)+1)
	lines := make([]string, length/200+1)
	for i := range lines {
		lines[i] = hostile
	}
	p := Page{
		Loop: hostile, Outcome: hostile, Mood: Good, Facts: []Fact{{hostile, hostile, Bad}}, Prompt: text, Limits: []Fact{{Label: hostile, Text: hostile}},
		After: []string{hostile}, Config: lines, Made: hostile,
		Plan: &Plan{Tag: hostile, Waves: []Wave{
			{Number: 1, Tasks: []Task{{ID: hostile, Title: hostile, State: hostile, Mood: Good, Words: hostile}}},
			{Number: 2, Tasks: []Task{{ID: "2", Title: hostile, State: hostile, Mood: Bad, Needs: []string{hostile}}}},
		}},
	}
	plot := Plot{Title: hostile, Words: hostile, Most: hostile, Parts: []Part{{hostile, Good}, {hostile, Plain}}}
	for n := 1; n <= iterations; n++ {
		i := Iteration{
			Number: n, Before: []string{hostile}, Status: hostile, Mood: Bad, Headline: text, Summary: text, Tail: text, Error: text, Commits: lines, Failures: lines,
		}
		for range 5 {
			i.Cells = append(i.Cells, Fact{Label: "tests", Text: "1,000/1,000", Mood: Bad})
		}
		for range 12 {
			i.Facts = append(i.Facts, Fact{Label: "left out", Text: text})
		}
		for range length / 100 {
			i.Files = append(i.Files, File{Path: hostile, Added: 1000, Removed: 1000})
		}
		p.Iterations = append(p.Iterations, i)
		plot.Columns = append(plot.Columns, Column{Words: fmt.Sprintf("iteration %d: 1,000 passed, 1,000 failed", n), Values: []float64{1000, float64(n)}})
	}
	p.Plots = []Plot{plot, plot, plot, plot, plot}
	return p
}

func htmlOf(t *testing.T, p Page) string {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestHundredIterationsAreBelowAMegabyte(t *testing.T) {
	t.Parallel()
	for _, length := range []int{100, 10_000, 300_000} {
		if page := htmlOf(t, hostilePage(100, length)); len(page) >= 1_000_000 {
			t.Errorf("texts of %d bytes: the page has %d", length, len(page))
		}
	}
}

// A page stays below a long whatever its plan is, and whatever happened between its iterations.
func TestLargePlansAreBelowAMegabyte(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("<", 50_000)
	for name, plan := range map[string]func() *Plan{
		"many tasks": func() *Plan { return widePlan(10_000) },
		"the most that are drawn": func() *Plan {
			p := widePlan(48)
			for n := range 150 {
				p.Waves[0].Tasks = append(p.Waves[0].Tasks, Task{ID: fmt.Sprint(long[:10_000], n), Title: long, State: long, Words: long, Needs: []string{long}})
			}
			return p
		},
		"many waves": func() *Plan {
			p := &Plan{Tag: long}
			for n := range 10_000 {
				p.Waves = append(p.Waves, Wave{Number: n, Tasks: []Task{{ID: fmt.Sprint(n), Title: hostile}}})
			}
			return p
		},
	} {
		p := hostilePage(100, 20_000)
		p.Plan, p.Outcome = plan(), long
		for range 1000 {
			p.After = append(p.After, hostile)
		}
		for range 20 {
			p.Facts, p.Limits = append(p.Facts, Fact{"label", long, Bad}), append(p.Limits, Fact{"label", long, Bad})
		}
		for n := range p.Iterations {
			p.Iterations[n].Before = p.After
		}
		if page := htmlOf(t, p); len(page) >= 1_000_000 {
			t.Errorf("%s: the page has %d bytes", name, len(page))
		}
	}
}

func TestNothingIsCutWhereThereIsRoom(t *testing.T) {
	t.Parallel()
	p := Page{Loop: "x", Prompt: strings.Repeat("All of it. ", 1000), Iterations: make([]Iteration, 30)}
	for n := range p.Iterations {
		p.Iterations[n] = Iteration{Number: n + 1, Summary: strings.Repeat("word ", 400), Tail: strings.Repeat("line\n", 400)}
	}
	if page := htmlOf(t, p); strings.Contains(page, "…") {
		t.Error("something is cut")
	}
}

func TestCutTextsSaySo(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{cut("abc", 3), "abc"},
		{cut("abcd", 3), "abc…"},
		{cut("a<<b", 7), "a<…"},
		{cut("äöü", 4), "äö…"},
		{cutHead("abcd", 3), "…bcd"},
		{cutHead("äöü", 4), "…öü"},
		{strings.Join(cutLines([]string{"a", "b", "c"}, 2*lineCost+2), ","), "a,b,and 1 more"},
		{fmt.Sprint(cutFiles([]File{{Path: "a", Added: 1}, {Path: "b", Added: 2}, {Path: "c", Removed: 3}}, 4*lineCost+1)), "[{a 1 0 false false} {and 2 more 2 3 false false}]"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestPolicyAllowsTheStyleSheetAndNothingElse(t *testing.T) {
	t.Parallel()
	page := htmlOf(t, hostilePage(2, 1000))
	_, rest, _ := strings.Cut(page, "<style>")
	style, _, _ := strings.Cut(rest, "</style>")
	sum := sha256.Sum256([]byte(style))
	want := `<meta http-equiv="Content-Security-Policy" content="default-src &#39;none&#39;; style-src &#39;sha256-` +
		strings.ReplaceAll(base64.StdEncoding.EncodeToString(sum[:]), "+", "&#43;") + `&#39;; base-uri &#39;none&#39;; form-action &#39;none&#39;">`
	head, _, _ := strings.Cut(page, "<title>")
	if !strings.Contains(head, want) {
		t.Errorf("no\n%s\nbefore the title in\n%s", want, head)
	}
	for _, never := range []string{"<script", "<img", "<iframe", "<link", " style=", "http://", "https://", "url("} {
		if strings.Contains(page, never) {
			t.Errorf("the page holds %q", never)
		}
	}
}

var links = regexp.MustCompile(`href="([^"]*)"`)

func TestEveryLinkLeadsSomewhereInThePage(t *testing.T) {
	t.Parallel()
	page := htmlOf(t, hostilePage(12, 10))
	found := links.FindAllStringSubmatch(page, -1)
	if len(found) != 13 {
		t.Errorf("%d links, want one to the iterations and one to each of 12", len(found))
	}
	for _, link := range found {
		if id, ok := strings.CutPrefix(link[1], "#"); !ok || strings.Count(page, `id="`+id+`"`) != 1 {
			t.Errorf("%s leads nowhere", link[1])
		}
	}
}

func TestDrawingsAreWellFormed(t *testing.T) {
	t.Parallel()
	drawings := regexp.MustCompile(`(?s)<svg .*?</svg>`).FindAllString(htmlOf(t, hostilePage(3, 10)), -1)
	if len(drawings) != 6 {
		t.Errorf("%d drawings, want 5 plots and a graph", len(drawings))
	}
	for _, text := range drawings {
		for d := xml.NewDecoder(strings.NewReader(text)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%v in %s", err, text)
			}
		}
	}
}

func TestPlotLeavesOutWhatIsUnknown(t *testing.T) {
	t.Parallel()
	p := Plot{Parts: []Part{{"passed", Good}, {"failed", Bad}}, Columns: []Column{{Values: []float64{49, 49}}, {}, {Values: []float64{0, 0}}, {Values: []float64{0, 98}}}}
	d := p.draw()
	if d.Width != fewColumns*columnWidth {
		t.Errorf("width %d", d.Width)
	}
	got := fmt.Sprint(d.Columns[0].Bars, d.Columns[1].Bars, d.Columns[2].Bars, d.Columns[3].Bars)
	want := "[{good 1 51.0 8 49.0} {bad 1 2.0 8 49.0}] [] [{zero 21 99.0 8 1.0}] [{bad 31 2.0 8 98.0}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEmptyPage(t *testing.T) {
	t.Parallel()
	page := htmlOf(t, Page{Loop: "fresh", Outcome: "interrupted", Mood: Wait})
	for _, want := range []string{"<h1>fresh</h1>", "None has ended yet."} {
		if !strings.Contains(page, want) {
			t.Errorf("no %q", want)
		}
	}
	for _, never := range []string{"Prompt", "Timeline", "Over the iterations", "Configuration", "<svg"} {
		if strings.Contains(page, never) {
			t.Errorf("there is %q", never)
		}
	}
}
