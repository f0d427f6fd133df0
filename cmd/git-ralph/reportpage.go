package main

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/report"
	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// pageWriter puts a loop into the words of a report.
type pageWriter struct {
	view    runner.View
	now     time.Time
	records []gitstate.Record                          // oldest first, at least the opening
	whole   *gitstate.TreePair                         // what the loop changed; nil: not known here
	lines   map[gitstate.TreePair][]gitstate.FileLines // of what is in this clone
}

// readPage reads a loop's whole history and puts it into words.
func (a *app) readPage(ctx context.Context, v runner.View) (report.Page, error) {
	w := pageWriter{view: v, now: a.now()}
	var err error
	if w.records, err = readRecords(ctx, a.opened, v.Loop); err != nil {
		return report.Page{}, err
	}
	if err := w.readLines(ctx, a); err != nil {
		return report.Page{}, err
	}
	progress, err := runner.ReadProgress(ctx, a.opened, v)
	if err != nil {
		return report.Page{}, err
	}
	p := report.Page{
		Loop: v.Loop.Name, Plan: reportPlan(v, progress), Facts: append(planFacts(progress), w.facts()...), Prompt: blockText(v.Prompt), Limits: limitFacts(v.Config), Config: configLines(v.State.Config),
		Made: "written " + w.now.Format("2006-01-02 15:04 MST") + " by git-ralph " + thisVersion().Version,
	}
	p.Outcome, p.Mood = w.outcome()
	var iterations []iterationView
	for n, r := range w.records {
		if r.Status == "" {
			p.After = append(p.After, w.happening(r)...)
			continue
		}
		i, err := readIteration(ctx, a.opened, v, r)
		if err != nil {
			return p, err
		}
		told := w.iteration(i, w.lines[w.pair(n)])
		told.Before, p.After = p.After, nil
		iterations, p.Iterations = append(iterations, i), append(p.Iterations, told)
	}
	p.Plots = plotsOf(iterations)
	return p, nil
}

// readRecords reads a loop's commits, oldest first.
func readRecords(ctx context.Context, repo *gitstate.Repository, l gitstate.Loop) ([]gitstate.Record, error) {
	var records []gitstate.Record
	for r, err := range repo.Records(ctx, l) {
		if err != nil {
			return nil, err
		}
		records = append(records, r)
	}
	slices.Reverse(records)
	return records, nil
}

// pair is what the n-th commit of ours changed.
func (w *pageWriter) pair(n int) gitstate.TreePair {
	return gitstate.TreePair{Base: w.records[max(0, n-1)].Tree, To: w.records[n].Tree}
}

// readLines counts the lines that changed, with one git call.
func (w *pageWriter) readLines(ctx context.Context, a *app) error {
	var pairs []gitstate.TreePair
	for n, r := range w.records {
		if r.Status != "" {
			pairs = append(pairs, w.pair(n))
		}
	}
	if base := w.view.Base; base != nil && !base.Commit.IsZero() {
		if tree, err := a.opened.TreeID(base.Commit); err == nil {
			w.whole = &gitstate.TreePair{Base: tree, To: w.records[len(w.records)-1].Tree}
			pairs = append(pairs, *w.whole)
		}
	}
	var err error
	if w.lines, err = a.opened.Lines(ctx, pairs); err != nil && ctx.Err() == nil {
		a.say("files are shown without their lines: %s", flat(err.Error()))
		return nil
	}
	return err
}

// blockText makes a text of several lines safe to show.
func blockText(text string) string { return strings.Join(paragraphs(text), "\n") }

// configLines makes the lines of a configuration safe to show.
func configLines(config []string) []string {
	lines := make([]string, len(config))
	for i, line := range config {
		lines[i] = flat(line)
	}
	return lines
}

// outcome says what the loop has come to.
func (w *pageWriter) outcome() (string, report.Mood) {
	v := w.view
	o := outcomeOf(v)
	switch stateOf(v) {
	case stateRunning:
		return "running: " + iterationOf(currentIteration(v), v.Config.MaxIterations), report.Busy
	case stateDone:
		return outcomeWords(o, v), report.Good
	case stateStopped:
		return outcomeWords(o, v), report.Bad
	}
	return outcomeWords(o, v), report.Wait
}

// facts are the lines below the outcome.
func (w *pageWriter) facts() []report.Fact {
	var facts []report.Fact
	add := func(label, text string, mood report.Mood) {
		if text != "" {
			facts = append(facts, report.Fact{Label: label, Text: text, Mood: mood})
		}
	}
	v, t := w.view, w.view.Totals
	add("started", w.clock(t.StartedAt), report.Plain)
	add("last commit", w.clock(v.Last.Time), report.Plain)
	add("time", shortDuration(elapsed(v, w.now))+" of iterations", report.Plain)
	if t.Verify != nil {
		add("verify", verifyWords(*t.Verify), verdictMood(t.Verify.Passed))
	}
	if t.Tests != nil {
		add("tests", testWords(*t.Tests), verdictMood(t.Tests.Failed == 0))
	}
	if w.whole != nil {
		if files, known := w.lines[*w.whole]; known {
			add("changed", lineWords(files), report.Plain)
		}
	}
	if t.Tokens != nil {
		add("tokens", atLeast(t.TokensUnknown)+tokenWords(*t.Tokens), report.Plain)
	}
	add("cost", costKnown(t), report.Plain)
	add("agent", flat(v.Config.Agent+" "+v.Config.Model), report.Plain)
	add("branch", flat(shownBranch(v.Loop)), report.Plain)
	if v.Base != nil {
		add("base", baseWords(*v.Base), report.Plain)
	}
	return facts
}

// clock writes a time for somebody who reads it elsewhere and later.
func (w *pageWriter) clock(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(w.now.Location()).Format("2006-01-02 15:04:05 MST")
}

func verdictMood(good bool) report.Mood {
	if good {
		return report.Good
	}
	return report.Bad
}
