package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// Retry makes a blocked task pending again. One that the loop gave up its next run tries anew, with all its attempts: an event commit says so. One that
// somebody else blocked is changed in the task file alone, and the result is false. The loop must not be running.
//
// The error is a *[gitstate.HeldError] while the loop runs, and a *[StateError] when it has no plan, or the task is not blocked.
func (r *Runner) Retry(ctx context.Context, loop, task string) (recorded bool, err error) {
	l, err := r.Repo.FindLoop(ctx, loop)
	if err != nil {
		return false, err
	}
	v, err := Read(ctx, r.Repo, l)
	if err != nil {
		return false, err
	}
	if !v.Config.hasPlan() {
		return false, &StateError{Fact: fmt.Sprintf("loop %q has no plan", loop), Hints: []string{"git ralph list"}}
	}
	if v.Running != nil {
		return false, v.Running
	}
	at := slices.IndexFunc(v.givenUp(), func(g gitstate.GivenUp) bool { return sameTask(v.Config.ScudTag, g.Task, task) })
	if at < 0 {
		root, err := locatePlan(ctx, r.Repo, v.Config)
		if err != nil {
			return false, planError(err)
		}
		all, err := scud.Read(ctx, root)
		if err != nil {
			return false, planError(err)
		}
		if !crashed(v.State) { // what it finds when it goes on it takes from the file
			return false, Unblock(ctx, r.Repo, all, v.Config.ScudTag, task)
		}
		if _, err := retriable(r.Repo, all, v.Config.ScudTag, task); err != nil {
			return false, err
		}
		return true, r.recordRetry(ctx, v, task, waveOf(v.Config, task))
	}
	task = v.givenUp()[at].Task // as the history calls it
	record, err := r.Repo.Record(v.givenUp()[at].Commit)
	if err != nil {
		return false, err
	}
	return true, r.recordRetry(ctx, v, task, record.Wave)
}

// recordRetry writes the event that says that the loop is to try a task again.
func (r *Runner) recordRetry(ctx context.Context, v View, task string, wave *int) error {
	if _, err := r.stopped(ctx, v.Loop.Name, gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventRetry, Task: task, Wave: wave}); err != nil {
		return err
	}
	return r.showRetried(ctx, v, task)
}

// waveOf is the number of the wave that a task was fixed in; nil: it came later.
func waveOf(c Config, task string) *int {
	for _, w := range wavesOf(c.Waves) {
		if slices.Contains(w.Tasks, task) {
			return &w.Number
		}
	}
	return nil
}

// sameTask reports whether two references mean the same task of a tag, whose name may stand before either.
func sameTask(tag, a, b string) bool {
	return strings.TrimPrefix(a, tag+":") == strings.TrimPrefix(b, tag+":")
}

// givenUp are the tasks that the loop gave up.
func (v View) givenUp() []gitstate.GivenUp {
	if v.Totals.Tasks == nil {
		return nil
	}
	return v.Totals.Tasks.Blocked
}

// showRetried sets the task pending in the task file as well, where that is in the loop's own work tree or in nobody's commits: else it would read as
// blocked until the loop goes on. Where it cannot be, the history still says it.
func (r *Runner) showRetried(ctx context.Context, v View, task string) error {
	home, err := r.Repo.HeadBranch(ctx)
	if err != nil {
		return err
	}
	root, err := locatePlan(ctx, r.Repo, v.Config)
	if err != nil {
		return nil // a clone without the plan
	}
	within, err := filepath.Rel(r.Repo.TopLevel, root)
	if home != v.Loop.Branch && err == nil && filepath.IsLocal(within) {
		return nil
	}
	all, err := scud.Read(ctx, root)
	if err != nil {
		return planError(err)
	}
	tag, known := all.Tag(v.Config.ScudTag)
	if !known {
		return nil
	}
	_, err = tag.Mark(ctx, scud.Mark{ID: task, Status: scud.Pending})
	return err
}

// Unblock makes a blocked or failed task of a plan pending, or one in progress that no loop works at here: one column of its file changes. An empty tag is the
// active one, or the only one. The error is a *[StateError] when there is no such task, or it is none of that, and a *[gitstate.HeldError] while a loop works through the tag.
func Unblock(ctx context.Context, repo *gitstate.Repository, all *scud.Plan, name, id string) error {
	tag, err := retriable(repo, all, name, id)
	if err != nil {
		return err
	}
	if _, err := tag.Mark(ctx, scud.Mark{ID: id, Status: scud.Pending}); err != nil {
		return fmt.Errorf("mark task %s: %w", id, planError(err))
	}
	return nil
}

// retriable makes sure that a task can be tried again, and returns its tag.
func retriable(repo *gitstate.Repository, all *scud.Plan, name, id string) (*scud.Tag, error) {
	tag, err := ChooseTag(all, name)
	if err != nil {
		return nil, err
	}
	if held, err := repo.PlanHeld(planKey(all.Root, tag.Name)); err != nil || held != nil {
		return nil, heldOr(held, err)
	}
	task, known := tag.Task(id)
	hints := []string{"git ralph scud tasks " + tag.Name}
	switch {
	case !known:
		return nil, &StateError{Fact: fmt.Sprintf("tag %q has no task %s", tag.Name, id), Hints: hints}
	case task.Status != scud.Blocked && task.Status != scud.Failed && task.Status != scud.InProgress:
		return nil, &StateError{Fact: fmt.Sprintf("task %s is %s: only a blocked or failed one, or one in progress, can be tried again", id, task.Status), Hints: hints}
	}
	return tag, nil
}

// heldOr is the error that says who holds something, else err.
func heldOr(held *gitstate.HeldError, err error) error {
	if held != nil {
		return held
	}
	return err
}
