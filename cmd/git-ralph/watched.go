package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/watch"
	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// watched gives the screen what it shows of a loop, all of it read as any other process could read it.
type watched struct {
	a    *app
	name string
	view atomic.Pointer[runner.View] // the last one
	l    look
	plan watchedPlan // belongs to look

	// For each goroutine of the screen's one: a repository is not safe for concurrent use.
	looks, history, pages, acts *gitstate.Repository
}

func newWatched(a *app, v runner.View) *watched {
	w := &watched{
		a: a, name: v.Loop.Name, l: look{colour: a.outTerm.colour},
		looks: a.opened.Beside(), history: a.opened.Beside(), pages: a.opened.Beside(), acts: a.opened.Beside(),
	}
	w.view.Store(&v)
	return w
}

// close ends what the reading needed.
func (w *watched) close() {
	for _, repo := range []*gitstate.Repository{w.looks, w.history, w.pages, w.acts} {
		_ = repo.Close()
	}
}

// source is what the screen sees of it.
func (w *watched) source() watch.Source {
	return watch.Source{Look: w.look, History: w.records, Show: w.show, Diff: w.diff, Output: w.output, Do: w.do, Columns: watchColumns()}
}

// look reads the loop as it is now.
func (w *watched) look(ctx context.Context) (watch.Sight, error) {
	v, err := w.view.Load().Again(ctx, w.looks)
	if errors.Is(err, gitstate.ErrNoLoop) {
		return watch.Sight{}, fmt.Errorf("loop %q is gone", w.name)
	}
	if err != nil {
		return watch.Sight{}, w.plain(err)
	}
	w.view.Store(&v)
	if err := w.plan.follow(ctx, w.looks, v); err != nil {
		return watch.Sight{}, w.plain(err)
	}
	sight := sightOf(v, w.a.now(), w.l)
	sight.Plan = planOnScreen(w.plan.progress, v.Running != nil, w.l)
	return sight, nil
}

// plain is an error in one line of words.
func (w *watched) plain(err error) error { return errors.New(oneLine(w.a.explain(err).text)) }

// watchColumns are the columns of the history. A screen of 60 columns has room for all but the status.
func watchColumns() []watch.Column {
	return []watch.Column{
		{Head: "n", Cells: 4, Right: true}, {Head: "status", Cells: 11, Screen: 80}, {Head: "time", Cells: 6, Right: true}, {Head: "exit", Cells: 4, Right: true},
		{Head: "files", Cells: 8}, {Head: "tests", Cells: 6, Right: true}, {Head: "verify", Cells: 6}, {Head: "summary"},
	}
}

// records reads the iterations, newest first.
func (w *watched) records(ctx context.Context) iter.Seq2[watch.Row, error] {
	return func(yield func(watch.Row, error) bool) {
		for r, err := range w.history.Records(ctx, w.view.Load().Loop) {
			if err != nil {
				yield(watch.Row{}, w.plain(err))
				return
			}
			if r.Status != "" && !yield(watchRow(r, w.l), nil) {
				return
			}
		}
	}
}

// watchRow is an iteration in the history.
func watchRow(r gitstate.Record, l look) watch.Row {
	exit, tests, verify := unknown, logTests(r.Tests), logVerify(r.Verify)
	if r.ExitCode != nil {
		exit = l.verdict(*r.ExitCode == 0, strconv.Itoa(*r.ExitCode))
	}
	if r.Tests != nil {
		tests = l.verdict(r.Tests.Failed == 0, tests)
	}
	if r.Verify != nil {
		verify = l.verdict(r.Verify.Passed, verify)
	}
	return watch.Row{ID: r.Commit.String(), Number: r.Iteration, Cells: []string{
		strconv.Itoa(r.Iteration), l.paintStatus(r.Status, string(r.Status)), logDuration(r.Duration), exit, logFiles(r.Files), tests, verify, firstLine(r.Body),
	}}
}

// show is the page of an iteration: what `git ralph show` says, with what changed and what verify said last.
func (w *watched) show(ctx context.Context, n int) ([]string, error) {
	v := *w.view.Load()
	record, err := iterationRecord(ctx, w.pages, v, &n)
	if err != nil {
		return nil, w.plain(err)
	}
	view, err := readIteration(ctx, w.pages, v, record)
	if err != nil {
		return nil, w.plain(err)
	}
	var text bytes.Buffer
	if err := renderIteration(&text, view, w.a.now(), w.l); err != nil {
		return nil, err
	}
	p := &page{l: w.l}
	if stat, err := w.pages.DiffStat(ctx, record.Previous, record.Commit, maxListed); err == nil {
		p.section("changes", paragraphs(stat))
	}
	if view.note != nil && view.note.Verify != nil && view.note.Verify.Passed { // of one that failed it stands above
		p.section("verify printed", paragraphs(view.note.Verify.Tail))
	}
	text.WriteString(p.text.String())
	return strings.Split(strings.TrimRight(text.String(), "\n"), "\n"), nil
}

// maxDiff is how many bytes of a diff are shown.
const maxDiff = 2 << 20

// diff is what an iteration changed, as git shows it.
func (w *watched) diff(ctx context.Context, n int) ([]string, error) {
	c := diffCmd{Iteration: &n}
	q := gitstate.DiffRequest{Dir: w.pages.TopLevel, Options: []string{"--no-color", "--no-ext-diff", "--stat", "--patch"}}
	var err error
	if q.Base, q.To, err = c.between(ctx, w.pages, *w.view.Load()); err != nil {
		return nil, w.plain(err)
	}
	text := &head{limit: maxDiff}
	q.Stdout, q.Stderr = text, text
	if err := w.pages.ShowDiff(ctx, q); err != nil {
		return nil, w.plain(err)
	}
	lines := paragraphs(text.String())
	for i, line := range lines {
		lines[i] = w.paintDiff(line)
	}
	switch {
	case len(lines) == 0:
		lines = []string{"nothing changed"}
	case text.cut:
		lines = append(lines, "", fmt.Sprintf("only the beginning is shown; all of it: git ralph diff %d --loop %s", n, shellWord(w.name)))
	}
	return lines, nil
}

// paintDiff colours a line of a diff.
func (w *watched) paintDiff(line string) string {
	switch {
	case strings.HasPrefix(line, "+++"), strings.HasPrefix(line, "---"), strings.HasPrefix(line, "diff "):
		return w.l.loud(line)
	case strings.HasPrefix(line, "+"):
		return w.l.good(line)
	case strings.HasPrefix(line, "-"):
		return w.l.bad(line)
	case strings.HasPrefix(line, "@@"):
		return w.l.faint(line)
	}
	return line
}

// head keeps the beginning of what is written to it.
type head struct {
	bytes.Buffer
	limit int
	cut   bool
}

// Write implements [io.Writer] and takes everything.
func (h *head) Write(p []byte) (int, error) {
	room := max(0, h.limit-h.Len())
	h.cut = h.cut || len(p) > room
	_, _ = h.Buffer.Write(p[:min(len(p), room)]) // a buffer never fails
	return len(p), nil
}

// do does what a key asks for.
func (w *watched) do(ctx context.Context, what watch.Action, text string) (string, error) {
	if what == watch.Tell {
		r, err := w.a.runner(w.acts, nil)
		if err != nil {
			return "", err
		}
		r.Emit = nil
		if err := r.Tell(ctx, w.name, text); err != nil {
			return "", w.plain(err)
		}
		return "the next iteration is told", nil
	}
	running, err := w.acts.Running(w.name)
	if err != nil {
		return "", w.plain(err)
	}
	if running == nil {
		return "nothing to " + string(what) + ": it does not run", nil
	}
	asks := map[watch.Action]struct {
		request runner.Request
		words   string
	}{
		watch.Pause:     {runner.AskPause, "it pauses after this iteration"},
		watch.Cancel:    {runner.AskCancel, "it ends after this iteration; C ends it now"},
		watch.CancelNow: {runner.AskCancelNow, "it is ending now"},
	}
	return asks[what].words, runner.Ask(w.acts, w.name, asks[what].request)
}
