package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// showCmd shows everything about one iteration.
type showCmd struct {
	answer
	Iteration *int   `arg:"" optional:"" name:"n" help:"Number of the iteration; 0 is the start (default: the last one)."`
	Loop      string `placeholder:"NAME" help:"The loop (default: the branch's, or the only one)."`
}

// Run reads the iteration's commit and its note.
func (c *showCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	record, err := during(a, lookingForIteration, func() (gitstate.Record, error) { return iterationRecord(ctx, a.opened, v, c.Iteration) })
	if err != nil {
		return err
	}
	if record.Kind == gitstate.Opening {
		if a.json {
			return a.printJSON(recordOf(record))
		}
		return renderOpening(a.stdout, record, a.now(), lookOf(a.outTerm))
	}
	view, err := during(a, "reading the iteration", func() (iterationView, error) { return readIteration(ctx, a.opened, v, record) })
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(showOf(view))
	}
	return renderIteration(a.stdout, view, a.now(), lookOf(a.outTerm))
}

// lookingForIteration is what takes its time in a long loop: an early iteration is reached through all later ones.
const lookingForIteration = "looking for the iteration"

// iterationRecord finds the commit of an iteration, or with number 0 the opening. No number means the last iteration.
func iterationRecord(ctx context.Context, repo *gitstate.Repository, v runner.View, number *int) (gitstate.Record, error) {
	n := v.Totals.Iteration
	if number != nil {
		n = *number
	}
	if n < 0 || n > v.Totals.Iteration {
		return gitstate.Record{}, noIteration(v, n)
	}
	if v.Last.Status != "" && v.Last.Iteration == n {
		return v.Last, nil
	}
	for r, err := range repo.Records(ctx, v.Loop) {
		if err != nil {
			return gitstate.Record{}, err
		}
		if r.Iteration == n && (r.Status != "" || r.Kind == gitstate.Opening) {
			return r, nil
		}
	}
	return gitstate.Record{}, noIteration(v, n)
}

// noIteration says which iterations there are.
func noIteration(v runner.View, n int) error {
	name := shellWord(v.Loop.Name)
	p := &problem{status: 1, text: fmt.Sprintf("loop %q has no iteration %d: it has %s", v.Loop.Name, n, iterationRange(v.Totals.Iteration))}
	if v.Running != nil && n == currentIteration(v) {
		p.text = fmt.Sprintf("iteration %d of loop %q has not ended yet", n, v.Loop.Name)
		p.hints = append(p.hints, "follow it: git ralph logs -f --loop "+name)
	}
	p.hints = append(p.hints, "all of them: git ralph log "+name)
	return p
}

func iterationRange(last int) string {
	switch last {
	case 0:
		return "none, only its start, 0"
	case 1:
		return "only 1"
	}
	return fmt.Sprintf("1 to %d", last)
}

// iterationView is one iteration with everything that is known of it here.
type iterationView struct {
	record  gitstate.Record
	limit   int                   // of iterations; zero: none
	note    *gitstate.Note        // nil: not in this clone
	damaged string                // why the note that is there cannot be read; empty: it can, or there is none
	changes gitstate.Changes      // files by name; empty when what they are compared with is not in this clone
	commits []gitstate.CommitLine // the agent's own, newest first
}

// maxAgentCommits bounds how many of the agent's own commits are read: it may have merged years of history.
const maxAgentCommits = 1000

// readIteration reads what belongs to an iteration's commit. What is not in this clone is left out; only a note of a newer version is refused.
func readIteration(ctx context.Context, repo *gitstate.Repository, v runner.View, record gitstate.Record) (iterationView, error) {
	view := iterationView{record: record, limit: v.Config.MaxIterations}
	var err error
	if record.Commit == v.Last.Commit && v.Note != nil {
		view.note = v.Note
	} else if view.note, err = repo.Note(ctx, record.Commit); err != nil {
		if errors.Is(err, gitstate.ErrNewer) {
			return view, err
		}
		view.note, view.damaged = nil, err.Error()
	}
	if n := view.note; n != nil {
		view.changes = gitstate.Changes{Created: n.Created, Modified: n.Modified, Deleted: n.Deleted, Renamed: n.Renamed}
	}
	if record.Files != nil && view.changes.Counts() != *record.Files {
		if changes, err := repo.Changes(ctx, record.Previous, record.Commit); err == nil {
			view.changes = changes
		}
	}
	if len(record.Parents) > 0 && record.Parents[0] != record.Previous {
		if view.commits, err = repo.Between(ctx, record.Previous, record.Commit, maxAgentCommits); err != nil && ctx.Err() != nil {
			return view, err
		}
	}
	return view, ctx.Err()
}
