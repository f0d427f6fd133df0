package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// LeftTask is a task of a plan that is neither done nor cancelled.
type LeftTask struct {
	ID       string
	Title    string    // empty: not known
	State    LeftState // what keeps it
	Reason   string    // why, in one line
	WaitsFor []string  // tasks that are not done, and must be before it; nil: none
}

// LeftState says what keeps a task from being done: one of these, or a status of SCUD's that is not run: "blocked", "in-progress" (it is somebody else's), "deferred",
// "review", "expanded", or what else the task file says.
type LeftState string

// The states that are no status.
const (
	LeftPending LeftState = "pending" // nothing: it is run yet
	LeftWaiting LeftState = "waiting" // it waits for what will not be done
	LeftBroken  LeftState = "broken"  // it can never run: what it needs is missing or waits for it, or its id is no word
	LeftGone    LeftState = "gone"    // the task file has it no more
)

// left tells of each leaf that is neither done nor cancelled why it is not.
func (b *board) left() []LeftTask {
	var all []LeftTask
	for _, leaf := range b.gone() {
		all = append(all, LeftTask{ID: leaf, State: LeftGone, Reason: goneLine(leaf)})
	}
	known := map[string]bool{}
	for _, w := range b.order {
		for _, leaf := range w.Tasks {
			if t := b.keeps(leaf, known); t.State != "" {
				all = append(all, t)
			}
		}
	}
	for _, leaf := range b.tag.Leaves() {
		if task, _ := b.tag.Task(leaf); twoWords(leaf) && task.Status != scud.Done && task.Status != scud.Cancelled {
			all = append(all, LeftTask{ID: leaf, State: LeftBroken, Reason: fmt.Sprintf("task %q is not run: its id has a blank in it", leaf)})
		}
	}
	for i := range all {
		if task, there := b.tag.Task(all[i].ID); there {
			all[i].Title = task.Title
		}
	}
	return all
}

// keeps says what keeps a leaf from being done; the state is empty when it is, or cancelled. What is known of hope is kept for the next leaf.
func (b *board) keeps(leaf string, known map[string]bool) LeftTask {
	status := b.status(leaf)
	t := LeftTask{ID: leaf, State: LeftState(status)}
	switch {
	case status == scud.Done || status == scud.Cancelled:
		return LeftTask{}
	case status == scud.Blocked && b.tasks[leaf].blocked != "":
		t.Reason = fmt.Sprintf("task %s is blocked: %s", leaf, b.tasks[leaf].blocked)
		return t
	case status != scud.Pending:
		t.Reason = fmt.Sprintf("task %s is %s and not run", leaf, status)
		return t
	}
	for _, need := range b.graph.Needs(leaf) {
		if b.status(need) != scud.Done {
			t.WaitsFor = append(t.WaitsFor, need)
		}
	}
	switch {
	case b.hope(leaf, known):
		t.State, t.Reason = LeftPending, fmt.Sprintf("task %s is pending", leaf)
		return t
	case slices.Contains(b.graph.Broken, leaf):
		t.State, t.Reason = LeftBroken, fmt.Sprintf("task %s can never run: what it needs is missing or waits for it", leaf)
		return t
	}
	t.State, t.Reason = LeftWaiting, fmt.Sprintf("task %s waits for %s", leaf, strings.Join(t.WaitsFor, ", "))
	return t
}

// unfinished are the reasons of all that is left: one line each.
func (b *board) unfinished() []string {
	var lines []string
	for _, t := range b.left() {
		lines = append(lines, t.Reason)
	}
	return lines
}

// stillBlocked reports whether the loop ended for want of a task to run, and there is none now: nothing is written for that.
func (l *loop) stillBlocked(ctx context.Context) (bool, error) {
	if l.plan == nil || l.state.Totals.Exit != gitstate.TasksBlocked {
		return false, nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return false, err
	}
	if leaf, _ := b.next(); leaf != "" || b.exit() != gitstate.TasksBlocked || len(b.settledWaves(l.state.Last.Tree)) > 0 {
		return false, nil
	}
	l.tellForeign()
	for _, line := range b.unfinished() {
		l.tell("%s", line)
	}
	return true, nil
}

// leftTasks is what is left of the loop's plan, as far as that can be read.
func (l *loop) leftTasks(ctx context.Context) []LeftTask {
	if l.plan == nil {
		return nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return nil // who needs it has said it
	}
	return b.left()
}
