package main

import (
	"context"
	"io"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// listCmd shows all loops.
type listCmd struct{ answer }

// Run reads every loop. One that cannot be read does not hide the others: its line says why.
func (c *listCmd) Run(ctx context.Context, a *app) error {
	loops, err := a.loops(ctx)
	if err != nil {
		return err
	}
	items, err := during(a, "reading "+counted(len(loops), "loop"), func() ([]listItem, error) { return listItems(ctx, a.opened, loops) })
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(listOf(items))
	}
	if len(items) == 0 {
		a.say("no loops in this repository yet")
		return nil
	}
	return renderList(a.stdout, items, a.now(), lookOf(a.outTerm))
}

// listItems reads every loop.
func listItems(ctx context.Context, repo *gitstate.Repository, loops []gitstate.Loop) ([]listItem, error) {
	items := make([]listItem, 0, len(loops))
	for _, l := range loops {
		v, err := runner.Read(ctx, repo, l)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		items = append(items, listItem{loop: l, view: v, err: err})
	}
	return items, nil
}

// listItem is a loop of a list.
type listItem struct {
	loop gitstate.Loop
	view runner.View // of no use when err is set
	err  error       // why it could not be read
}

// listOf is the list for a program.
func listOf(items []listItem) listJSON {
	answer := listJSON{Schema: jsonSchema, Loops: []listItemJSON{}}
	for _, i := range items {
		row := listItemJSON{Loop: i.loop.Name, State: stateUnreadable}
		if i.err != nil {
			row.Error = new(i.err.Error())
		} else {
			row.State, row.Branch = stateOf(i.view), some(i.view.Loop.Branch.Short())
			row.Iteration, row.MaxIterations = new(currentIteration(i.view)), some(i.view.Config.MaxIterations)
			row.StartedAt, row.UpdatedAt = utc(i.view.Totals.StartedAt), utc(i.view.Last.Time)
			if i.view.Running == nil {
				row.ExitReason = some(string(i.view.Totals.Exit))
			}
		}
		answer.Loops = append(answer.Loops, row)
	}
	return answer
}

// renderList writes one line a loop.
func renderList(w io.Writer, items []listItem, now time.Time, l look) error {
	rows := make([][]string, len(items))
	for n, i := range items {
		if i.err != nil {
			rows[n] = []string{l.loud(i.loop.Name), l.paintState(stateUnreadable, string(stateUnreadable)), flat(i.err.Error())}
			continue
		}
		state := stateOf(i.view)
		rows[n] = []string{
			l.loud(i.loop.Name), l.paintState(state, string(state)), iterationOf(currentIteration(i.view), i.view.Config.MaxIterations),
			stateTime(i.view, now), shownBranch(i.view.Loop),
		}
	}
	var b strings.Builder
	for _, line := range columns(rows) {
		b.WriteString(l.cut(line) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
