package runner

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// recover meets what the last run left. After a crash uncommitted work and commits above the tip become an interrupted iteration, which may be the
// last one; after a pause or an end they are the user's.
func (l *loop) recover(ctx context.Context, include bool) (gitstate.Exit, error) {
	if err := l.cleanUp(ctx); err != nil {
		return "", err
	}
	if err := l.readLast(ctx); err != nil {
		return "", err
	}
	exit, err := l.meetLeftWork(ctx, include)
	if err != nil || exit != "" {
		return exit, err
	}
	return "", l.seePlan(ctx)
}

// cleanUp ends processes and removes locks that a killed process of ours left, and completes its last transaction and what was to follow that.
func (l *loop) cleanUp(ctx context.Context) error {
	ended, err := proc.Sweep(marker(l.repo, l.state.Loop.Name), time.Duration(l.config.Grace))
	if err != nil {
		return err
	}
	if ended > 0 {
		l.tell("ended %s left running", processes(ended))
	}
	locks, err := l.repo.RemoveOwnLocks(ctx, gitstate.OwnLocks{Loop: l.state.Loop.Name, Branch: l.state.Loop.Branch, Since: l.state.Last.Time})
	if err != nil {
		return err
	}
	for _, lock := range locks {
		l.tell("removed a lock of ours that a killed process left: %s", lock)
	}
	if l.state, err = l.repo.Repair(ctx, l.state); err != nil {
		return err
	}
	if err := l.finishMove(ctx); err != nil {
		return err
	}
	return l.catchUpIndex(ctx)
}

// onLine makes sure that the loop branch still holds our last commit on its first-parent line.
func (l *loop) onLine(ctx context.Context) error {
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil {
		return err
	}
	holds, err := l.repo.Holds(ctx, branch, l.state.Loop.Tip)
	if err != nil || holds {
		return err
	}
	name := l.state.Loop.Branch.Short()
	return &StateError{
		Fact:  fmt.Sprintf("branch %q was moved off the loop's last commit %s", name, l.state.Loop.Tip.String()[:10]),
		Hints: []string{"keep what is there under another name: git branch NAME " + name, "then go back: git reset --keep " + l.state.Loop.TipRef().String()},
	}
}

// interrupted commits what a crash left as an iteration of its own.
func (l *loop) interrupted(ctx context.Context) (gitstate.Exit, error) {
	it := &iteration{number: l.state.Totals.Iteration + 1, started: l.Now(), recovered: true, status: gitstate.Interrupted, failure: "the loop stopped during this iteration"}
	inHand := ""
	if live := ReadLive(l.repo, l.state.Loop.Name); live != nil && live.Iteration == it.number {
		it.started, inHand = live.Started, live.Task
		if it.failure = "the loop was killed during this iteration"; live.Failure != "" {
			it.failure = "the loop stopped during this iteration: " + live.Failure
		}
	}
	l.live = Live{Iteration: it.number, Pid: 0, Started: it.started}
	it.duration = l.lastedUntilCrash(it)
	if l.plan != nil {
		var err error
		if it.task, err = l.inHand(ctx, inHand); err != nil {
			return "", err
		}
	}
	exit, err := l.commitPart(ctx, it)
	if err == nil {
		l.tell("iteration %d was interrupted: its work is committed", it.number)
	}
	return exit, err
}

// lastedUntilCrash is the time from the iteration's start to the last output of its agent; nil: not known.
func (l *loop) lastedUntilCrash(it *iteration) *time.Duration {
	info, err := os.Stat(l.outputPath(it.number, "out"))
	if err != nil || info.ModTime().Before(it.started) {
		return nil
	}
	lasted := info.ModTime().Sub(it.started).Round(tenth)
	return &lasted
}

// readLast reads the last iteration, which the next prompt tells of.
func (l *loop) readLast(ctx context.Context) error {
	id := l.state.Totals.LastIteration
	if id.IsZero() {
		return nil
	}
	record, err := l.repo.Record(id)
	if err != nil {
		return err
	}
	l.last = &record
	l.lastNote, err = l.repo.Note(ctx, id)
	if err != nil {
		l.tell("%v", err) // the trailers are enough
		l.lastNote = nil
	}
	return nil
}
