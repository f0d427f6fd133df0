package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// page is a text of labelled lines.
type page struct {
	text strings.Builder
	l    look
}

// labelCells is the width of the labels.
const labelCells = 10

// add writes a labelled line; nothing for an empty text.
func (p *page) add(label, text string) {
	if text != "" {
		p.text.WriteString(p.l.cut("  "+p.l.faint(left(label, labelCells))+text) + "\n")
	}
}

// more writes lines below a labelled one, indented.
func (p *page) more(lines ...string) {
	for _, line := range lines {
		p.text.WriteString(p.l.cut(strings.Repeat(" ", labelCells+4)+line) + "\n")
	}
}

// section writes a text of several lines, whole, after an empty line.
func (p *page) section(title string, lines []string) {
	if len(lines) == 0 {
		return
	}
	p.text.WriteString("\n  " + p.l.faint(title) + "\n")
	for _, line := range lines {
		p.text.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
}

// maxListed is how many names of a kind are shown; a program gets all of them with --json.
const maxListed = 30

// names writes a list of names, the first ones when there are too many. An empty label takes no room.
func (p *page) names(label string, names []string) {
	for i, name := range names {
		if i == maxListed {
			p.more(fmt.Sprintf("and %s more", grouped(int64(len(names)-maxListed))))
			return
		}
		if label != "" && i == 0 {
			name = left(label, labelCells) + name
		} else if label != "" {
			name = left("", labelCells) + name
		}
		p.more(name)
	}
}

// renderIteration writes everything about one iteration, for a person.
func renderIteration(w io.Writer, i iterationView, now time.Time, l look) error {
	p := &page{l: l}
	r := i.record
	head := []string{l.loud(r.Loop), iterationOf(r.Iteration, i.limit), l.paintStatus(r.Status, string(r.Status))}
	if r.Duration != nil {
		head = append(head, shortDuration(*r.Duration))
	}
	p.text.WriteString(l.cut(strings.Join(head, "   ")) + "\n")
	if r.Exit != "" {
		p.add("loop", "ended here: "+exitWords(r.Exit))
	}
	p.add("blocked", flat(r.Blocked))
	if i.note != nil {
		p.add("error", flat(i.note.Error))
	}
	p.add("commit", shortHash(r.Commit.String())+"  "+flat(r.Subject))
	p.add("time", iterationTime(i, now))
	p.add("task", taskWords(r))
	p.add("agent", agentWords(r))
	p.usage(i)
	p.checks(i)
	p.files(i)
	if i.note == nil {
		p.add("note", noteMissing(i))
	}
	summary := paragraphs(r.Body)
	p.section("summary", summary)
	if i.note != nil && len(summary) == 0 {
		p.section("output begins", paragraphs(i.note.Output))
	}
	_, err := io.WriteString(w, p.text.String())
	return err
}

// usage writes what the iteration used.
func (p *page) usage(i iterationView) {
	r := i.record
	if r.Tokens != nil {
		p.add("tokens", tokenWords(*r.Tokens))
	}
	if i.note != nil && len(i.note.Usage) > 1 {
		for _, model := range slices.Sorted(maps.Keys(i.note.Usage)) {
			p.more(flat(model) + ": " + tokenWords(i.note.Usage[model]))
		}
	}
	if r.CostUSD != nil {
		p.add("cost", costWords(*r.CostUSD))
	}
	if r.Context != nil {
		p.add("context", strconv.Itoa(*r.Context)+"% of the agent's window used")
	}
}

// checks writes what verify and the tests said.
func (p *page) checks(i iterationView) {
	if v := i.record.Verify; v != nil {
		p.add("verify", p.l.verdict(v.Passed, verifyWords(*v)))
		if i.note != nil && i.note.Verify != nil && !v.Passed {
			p.more(paragraphs(i.note.Verify.Tail)...)
		}
	}
	if t := i.record.Tests; t != nil {
		p.add("tests", p.l.verdict(t.Failed == 0, testWords(*t)))
	}
	if i.note == nil || i.note.Tests == nil {
		return
	}
	for _, f := range i.note.Tests.Failures {
		name := "failed: " + flat(f.Name)
		if f.Duration > 0 {
			name += " (" + shortDuration(f.Duration) + ")"
		}
		p.more(name)
		for _, line := range paragraphs(f.Error) {
			p.more("  " + line)
		}
	}
}

// files writes what changed, by name, what was left out, and what was put aside.
func (p *page) files(i iterationView) {
	if i.record.Files != nil {
		p.add("files", fileWords(*i.record.Files))
	}
	p.names("created", shownPaths(i.changes.Created))
	p.names("modified", shownPaths(i.changes.Modified))
	p.names("deleted", shownPaths(i.changes.Deleted))
	renamed := make([]string, len(i.changes.Renamed))
	for n, r := range i.changes.Renamed {
		renamed[n] = shownPath(r.From) + " -> " + shownPath(r.To)
	}
	p.names("renamed", renamed)
	for _, s := range i.record.Skipped {
		p.add("left out", shownPath(s.Path)+" ("+flat(s.Reason)+")")
	}
	for _, k := range i.record.Kept {
		p.add("kept", flat(k.String()))
	}
	commits := make([]string, len(i.commits))
	for n, c := range i.commits {
		commits[n] = shortHash(c.Hash.String()) + "  " + flat(c.Subject)
	}
	if len(commits) > 0 {
		p.add("commits", counted(len(commits), "commit")+" of the agent's own")
		p.names("", commits)
	}
}

func shownPaths(paths []string) []string {
	shown := make([]string, len(paths))
	for i, path := range paths {
		shown[i] = shownPath(path)
	}
	return shown
}

// iterationTime says when the iteration ran; without its note only its end is known.
func iterationTime(i iterationView, now time.Time) string {
	if i.note == nil || i.note.Started.IsZero() {
		return clock(i.record.Time, now) + ", " + ago(i.record.Time, now)
	}
	return clock(i.note.Started, now) + " to " + clock(i.note.Ended, i.note.Started.In(now.Location())) + ", " + ago(i.note.Ended, now)
}

// agentWords says which agent ran and how its process ended.
func agentWords(r gitstate.Record) string {
	var parts []string
	if r.Agent != "" {
		parts = append(parts, flat(r.Agent))
	}
	if r.Session != "" {
		parts = append(parts, "session "+flat(r.Session))
	}
	if r.ExitCode != nil {
		parts = append(parts, "exit code "+strconv.Itoa(*r.ExitCode))
	}
	return strings.Join(parts, ", ")
}

// taskWords says what of a plan the iteration worked on.
func taskWords(r gitstate.Record) string {
	if r.Task == "" {
		return ""
	}
	text := flat(r.Task)
	if r.Wave != nil {
		text += ", wave " + strconv.Itoa(*r.Wave)
	}
	if r.Attempt != nil {
		text += ", attempt " + strconv.Itoa(*r.Attempt)
	}
	return text
}

// noteMissing says what is not known without a note.
func noteMissing(i iterationView) string {
	if i.damaged != "" {
		return "not readable: " + flat(i.damaged)
	}
	return "not in this clone: failed tests, output and times are not known"
}

// renderOpening writes what the loop was told at its start, for a person.
func renderOpening(w io.Writer, r gitstate.Record, now time.Time, l look) error {
	p := &page{l: l}
	p.text.WriteString(l.cut(l.loud(r.Loop)+"   start   "+clock(r.Time, now)+", "+ago(r.Time, now)) + "\n")
	p.add("commit", shortHash(r.Commit.String())+"  "+flat(r.Subject))
	if r.Base != nil {
		p.add("base", baseWords(*r.Base))
	}
	for _, s := range r.Skipped {
		p.add("left out", shownPath(s.Path)+" ("+flat(s.Reason)+")")
	}
	p.section("prompt", paragraphs(r.Body))
	lines := make([]string, len(r.Config))
	for i, line := range r.Config {
		lines[i] = flat(line)
	}
	p.section("configuration", lines)
	_, err := io.WriteString(w, p.text.String())
	return err
}

// baseWords says where a loop began.
func baseWords(b gitstate.Base) string {
	if b.Commit.IsZero() {
		return flat(b.Branch)
	}
	return flat(b.Branch) + " at " + shortHash(b.Commit.String())
}
