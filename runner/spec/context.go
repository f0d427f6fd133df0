package spec

import (
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

const (
	defaultTokens = 2000
	bytesPerToken = 4
)

// iteration tells where in the loop the agent is and that it is not to begin anew.
func iteration(c Context) string {
	of := ""
	if c.Max > 0 {
		of = fmt.Sprintf(" of %d", c.Max)
	}
	text := fmt.Sprintf("This is iteration %d%s of a loop. Earlier work is in the files and in the git history: "+
		"review it (git log, git diff) and go on from there; do not start over.", c.Iteration, of)
	if c.LastStatus != "" {
		text += fmt.Sprintf(" The last iteration ended as %s.", c.LastStatus)
	}
	return text
}

// known returns what git knows of the last iteration as paragraphs of at most tokens together.
//
// What is of most use comes first and gets what it needs, but for an eighth of the budget for each of those behind it.
// A part that does not fit is cut at its less useful end and says so. When not even a line of it fits, the last
// paragraph names it; that one is beyond the budget.
func known(c Context, tokens int) []string {
	if tokens <= 0 {
		tokens = defaultTokens
	}
	budget := tokens * bytesPerToken
	eighth := budget / 8
	parts := partsOf(c)
	reserved := 0
	for _, p := range parts {
		reserved += min(p.size(), eighth)
	}
	var paragraphs, left []string
	for _, p := range parts {
		reserved -= min(p.size(), eighth)
		text := p.within(budget - reserved - len(gap("x")))
		if text == "" {
			left = append(left, p.name)
			continue
		}
		paragraphs = append(paragraphs, text)
		budget -= len(text) + len(gap("x"))
	}
	if len(left) > 0 {
		paragraphs = append(paragraphs, "Left out for its length: "+strings.Join(left, ", ")+".")
	}
	return paragraphs
}

// partsOf returns the parts of what git knows, the most useful first. None is empty.
func partsOf(c Context) []part {
	var parts []part
	if c.Verify != "" {
		p := part{name: "the output of the check", lines: clean(c.VerifyTail), keep: theEnd}
		p.head = "This check failed on the last iteration's work: " + oneLine(c.Verify)
		p.alone = p.head + " (what it printed is left out)"
		if len(p.lines) > 0 {
			p.head += "\nThe end of what it printed:"
		}
		parts = append(parts, p)
	}
	if len(c.FailedTests) > 0 {
		p := part{name: "the names of failed tests", head: "These tests failed:"}
		for _, name := range c.FailedTests {
			p.lines = append(p.lines, oneLine(name))
		}
		parts = append(parts, p)
	}
	if said := clean(c.LastSummary); len(said) > 0 {
		parts = append(parts, part{name: "the last summary", head: "The last iteration's own summary:", lines: said})
	}
	if changed := clean(c.DiffStat); len(changed) > 0 {
		p := part{name: "the changed files", head: "The last iteration changed:", lines: changed}
		if last := len(changed) - 1; last > 0 && strings.Contains(changed[last], " changed") { // git's own total
			p.head, p.lines = fmt.Sprintf("The last iteration changed (%s):", strings.TrimSpace(changed[last])), changed[:last]
		}
		parts = append(parts, p)
	}
	return parts
}

// oneLine folds text into one line of at most 300 bytes.
func oneLine(text string) string {
	return lines.Head(strings.Join(strings.Fields(strings.Join(clean(text), " ")), " "), 300)
}
