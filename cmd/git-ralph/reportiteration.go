package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/report"
	"github.com/git-ralph/git-ralph/gitstate"
)

// iteration puts an iteration into words. Without its lines the files that changed are named alone.
func (w *pageWriter) iteration(i iterationView, lines []gitstate.FileLines) report.Iteration {
	r := i.record
	told := report.Iteration{
		Number: r.Iteration, Status: string(r.Status), Mood: statusMood(r.Status), Cells: w.iterationCells(r), Headline: firstLine(r.Body),
		Summary: blockText(r.Body), Facts: w.iterationFacts(i), Files: reportFiles(i.changes, lines),
	}
	for _, c := range i.commits {
		told.Commits = append(told.Commits, shortHash(c.Hash.String())+"  "+flat(c.Subject))
	}
	if i.note == nil {
		return told
	}
	told.Error = flat(i.note.Error)
	if i.note.Verify != nil {
		told.Tail = blockText(i.note.Verify.Tail)
	}
	if i.note.Tests != nil {
		for _, f := range i.note.Tests.Failures {
			told.Failures = append(told.Failures, flat(f.Name+" "+firstLine(f.Error)))
		}
	}
	return told
}

// statusMood says how a status is to be taken.
func statusMood(s gitstate.Status) report.Mood {
	switch s {
	case gitstate.Completed:
		return report.Good
	case gitstate.Interrupted, gitstate.Skipped:
		return report.Wait
	}
	return report.Bad
}

// iterationCells are what the log shows of an iteration.
func (w *pageWriter) iterationCells(r gitstate.Record) []report.Fact {
	cells := []report.Fact{
		{Label: "time", Text: logDuration(r.Duration)}, {Label: "files", Text: logFiles(r.Files)}, {Label: "tests", Text: logTests(r.Tests)},
		{Label: "verify", Text: logVerify(r.Verify)}, {Label: "USD", Text: logCost(r.CostUSD)},
	}
	if r.Tests != nil {
		cells[2].Mood = verdictMood(r.Tests.Failed == 0)
	}
	if r.Verify != nil {
		cells[3].Mood = verdictMood(r.Verify.Passed)
	}
	if w.view.Config.ScudTag != "" {
		cells = append([]report.Fact{{Label: "task", Text: cmp.Or(flat(r.Task), unknown)}}, cells...)
	}
	return cells
}

// iterationFacts are everything else that is known of an iteration.
func (w *pageWriter) iterationFacts(i iterationView) []report.Fact {
	var facts []report.Fact
	add := func(label, text string) {
		if text != "" {
			facts = append(facts, report.Fact{Label: label, Text: text})
		}
	}
	r := i.record
	if r.Exit != "" {
		add("loop", "ended here: "+flat(exitWords(r.Exit)))
	}
	add("blocked", flat(r.Blocked))
	add("task", taskWords(r))
	if i.note != nil {
		add("started", w.clock(i.note.Started))
	}
	add("commit", shortHash(r.Commit.String())+"  "+flat(r.Subject))
	add("agent", agentWords(r))
	if r.Tokens != nil {
		add("tokens", tokenWords(*r.Tokens))
	}
	if i.note != nil && len(i.note.Usage) > 0 {
		for _, model := range slices.Sorted(maps.Keys(i.note.Usage)) {
			add("model", flat(model)+": "+tokenWords(i.note.Usage[model]))
		}
	}
	if r.Context != nil {
		add("context", strconv.Itoa(*r.Context)+"% of the agent's window used")
	}
	if r.Verify != nil {
		add("verify", verifyWords(*r.Verify))
	}
	for _, s := range r.Skipped {
		add("left out", shownPath(s.Path)+" ("+flat(s.Reason)+")")
	}
	for _, k := range r.Kept {
		add("kept", flat(k.String()))
	}
	if i.note == nil {
		add("note", noteMissing(i))
	}
	return facts
}

// reportFiles lists the files that an iteration changed, with their lines as far as they are known.
func reportFiles(c gitstate.Changes, lines []gitstate.FileLines) []report.File {
	var files []report.File
	for _, f := range lines {
		path := shownPath(f.Path)
		if f.From != "" {
			path = shownPath(f.From) + " → " + path
		}
		files = append(files, report.File{Path: path, Added: f.Added, Removed: f.Removed, Binary: f.Binary})
	}
	if files != nil {
		return files
	}
	for _, path := range slices.Concat(c.Created, c.Modified, c.Deleted) {
		files = append(files, report.File{Path: shownPath(path), Uncounted: true})
	}
	for _, r := range c.Renamed {
		files = append(files, report.File{Path: shownPath(r.From) + " → " + shownPath(r.To), Uncounted: true})
	}
	return files
}

// lineWords sums up what changed: "3 files, +120 −7 lines".
func lineWords(files []gitstate.FileLines) string {
	if len(files) == 0 {
		return "nothing"
	}
	added, removed := 0, 0
	for _, f := range files {
		added, removed = added+f.Added, removed+f.Removed
	}
	return fmt.Sprintf("%s, +%s −%s lines", counted(len(files), "file"), grouped(int64(added)), grouped(int64(removed)))
}

// happening tells of a commit of ours that is no iteration, in a line. What the opening says stands elsewhere.
func (w *pageWriter) happening(r gitstate.Record) []string {
	if r.Kind == gitstate.Opening {
		return nil
	}
	what, words := eventWords(r, w.now.Location())
	line := strings.TrimSpace(what + "  " + words)
	if r.Exit != "" {
		line += ": " + flat(exitWords(r.Exit))
	}
	return []string{line}
}
