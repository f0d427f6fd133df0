package report

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
)

//go:embed page.html
var pageTemplate string

//go:embed page.css
var pageStyle string

// sheet is a page as its template wants it.
type sheet struct {
	Page
	Style    template.CSS
	Policy   string // content security policy
	Drawings []drawnPlot
	Graph    *graph
	Undrawn  string // why there is no graph; empty: there is one, or nothing to draw
	Counts   []Fact // how many iterations there are of each status
	Last     int    // number of the last iteration, which stands open
}

// drawnPlot is a plot with its shapes.
type drawnPlot struct {
	Plot
	Drawing     drawing
	First, Last int  // numbers of the iterations
	Few         bool // the columns do not reach the right end
}

// HTML writes the page as one HTML file. A page of a hundred iterations stays below a megabyte, whatever is in it: long texts are cut, and say so.
//
// The file brings everything along and runs nothing: its policy forbids scripts, and whatever would have to be fetched.
func HTML(w io.Writer, p Page) error {
	parsed, err := template.New("page").Funcs(template.FuncMap{"sign": Mood.sign, "class": Part.class, "lines": countLines}).Parse(pageTemplate)
	if err != nil {
		return fmt.Errorf("read the page's template: %w", err)
	}
	s := sheet{Page: p.trimmed(), Style: template.CSS(pageStyle), Policy: policy(pageStyle), Counts: countStatuses(p.Iterations)} //nolint:gosec // a file of ours
	s.Graph, s.Undrawn = p.Plan.draw()
	if n := len(p.Iterations); n > 0 {
		s.Last = p.Iterations[n-1].Number
		for _, plot := range p.Plots {
			s.Drawings = append(s.Drawings, drawnPlot{Plot: plot, Drawing: plot.draw(), First: p.Iterations[0].Number, Last: s.Last, Few: n < fewColumns})
		}
	}
	var page bytes.Buffer // a page that cannot be made leaves no half of one
	if err := parsed.Execute(&page, s); err != nil {
		return fmt.Errorf("make the page: %w", err)
	}
	_, err = w.Write(page.Bytes())
	return err
}

// policy allows the style sheet of the page by its hash, and nothing else.
func policy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'"
}

// countStatuses counts iterations by status, in the order in which they appear first.
func countStatuses(iterations []Iteration) []Fact {
	var counts []Fact
	number, at := []int{}, map[string]int{}
	for _, i := range iterations {
		if _, seen := at[i.Status]; !seen {
			at[i.Status] = len(counts)
			counts, number = append(counts, Fact{Text: i.Status, Mood: i.Mood}), append(number, 0)
		}
		number[at[i.Status]]++
	}
	for i := range counts {
		counts[i].Text = fmt.Sprintf("%d %s", number[i], counts[i].Text)
	}
	return counts
}

// countLines sums up the lines of files, as far as they are known.
func countLines(files []File) string {
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
	}
	return fmt.Sprintf("+%d −%d lines", added, removed)
}
