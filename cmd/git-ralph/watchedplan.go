package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/watch"
	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/scud"
)

// watchedPlan is how far a loop is with its plan. Reading it opens the plan's files, so that is done only when something has happened.
type watchedPlan struct {
	seen     string // what the progress was read for
	progress *runner.Progress
}

// follow reads the progress again if the loop has moved on.
func (p *watchedPlan) follow(ctx context.Context, repo *gitstate.Repository, v runner.View) error {
	now := fmt.Sprint(v.Loop.Tip, v.Running != nil)
	if v.Live != nil {
		now += v.Live.Task
	}
	if now == p.seen {
		return nil
	}
	progress, err := runner.ReadProgress(ctx, repo, v)
	if err != nil {
		return err
	}
	p.seen, p.progress = now, progress
	return nil
}

// planOnScreen is a loop's progress for the screen; of a loop without a plan nil.
func planOnScreen(p *runner.Progress, running bool, l look) *watch.Plan {
	if p == nil {
		return nil
	}
	shown := &watch.Plan{Tasks: tasksDone(p, l), At: -1}
	for i, w := range p.Waves {
		state := waveState(w, p.Task, running)
		shown.Waves = append(shown.Waves, watch.Wave{Label: fmt.Sprintf("wave %d", w.Number), State: state, Done: w.Done, All: w.Total})
		if shown.At < 0 && !waveSettled(w) {
			shown.At = i
		}
	}
	if shown.At < 0 {
		shown.At = len(p.Waves) - 1
	}
	if t := p.Task; t != nil {
		shown.Current = taskTitle(t.ID, t.Title) + l.faint(currentWords(*t))
	}
	for _, t := range p.Blocked {
		shown.Blocked = append(shown.Blocked, blockedWords(t))
	}
	shown.Page = planPage(p, shown, l)
	return shown
}

// waveSettled reports whether nothing is left to be done in a wave.
func waveSettled(w runner.WaveProgress) bool {
	return !w.Commit.IsZero() || w.Done+w.Blocked >= w.Total
}

// waveState says how far a wave is.
func waveState(w runner.WaveProgress, task *runner.CurrentTask, running bool) string {
	state := "waiting"
	switch {
	case w.Done >= w.Total:
		return "done"
	case waveSettled(w):
		return fmt.Sprintf("%d blocked", w.Blocked)
	case running && task != nil && task.Wave == w.Number:
		state = "running"
	case w.Done > 0 || w.Blocked > 0:
		state = "begun"
	}
	if w.Blocked > 0 {
		state += fmt.Sprintf(", %d blocked", w.Blocked)
	}
	return state
}

// currentWords says of the task in hand what its title does not.
func currentWords(t runner.CurrentTask) string {
	words := fmt.Sprintf("  attempt %d of %d", t.Attempt, t.Of)
	if t.Complexity > 0 {
		words = fmt.Sprintf("  complexity %d,%s", t.Complexity, words[1:])
	}
	return words
}

// planPage is the plan in full: each wave with its tasks.
func planPage(p *runner.Progress, shown *watch.Plan, l look) []string {
	var rows [][]string
	for _, w := range p.Waves {
		for _, t := range w.Tasks {
			rows = append(rows, waveTaskRow(t, p.Task, l))
		}
	}
	lined := columns(rows)
	var lines []string
	for i, w := range p.Waves {
		lines = append(lines, l.loud(fmt.Sprintf("%s: %s %d/%d %s", shown.Waves[i].Label, bar(w.Done, w.Total), w.Done, w.Total, shown.Waves[i].State)))
		lines = append(append(lines, lined[:len(w.Tasks)]...), "")
		lined = lined[len(w.Tasks):]
	}
	for _, text := range shown.Blocked {
		lines = append(lines, "blocked   "+text)
	}
	return lines
}

// waveTaskRow is a task in one line.
func waveTaskRow(t runner.WaveTask, current *runner.CurrentTask, l look) []string {
	status := string(t.Status)
	if current != nil && current.ID == t.ID {
		status = string(scud.InProgress)
	}
	complexity := unknown
	if t.Complexity > 0 {
		complexity = fmt.Sprint(t.Complexity)
	}
	title := flat(t.Title)
	if len(t.Needs) > 0 {
		title += l.faint("  (after " + flat(strings.Join(t.Needs, ", ")) + ")")
	}
	return []string{"  " + flat(t.ID), paintTask(scud.Status(status), l), complexity, title}
}
