package runner

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

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
	return l.meetWorkTree(ctx, include)
}

// cleanUp ends processes and removes locks that a killed process of ours left, and completes its last transaction.
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
	l.state, err = l.repo.Repair(ctx, l.state)
	return err
}

// meetWorkTree brings the work tree to the loop branch and decides whose the uncommitted work in it is.
func (l *loop) meetWorkTree(ctx context.Context, include bool) (gitstate.Exit, error) {
	head, err := l.repo.HeadBranch(ctx)
	if err != nil {
		return "", err
	}
	dirty, err := l.repo.Dirty(ctx)
	if err != nil {
		return "", err
	}
	home := head == l.state.Loop.Branch
	if l.died() && (len(dirty) > 0 || !home) {
		same, err := l.followTip(ctx, head)
		if err != nil {
			return "", err
		}
		if same {
			dirty, home = nil, true
		}
	}
	ours := crashed(l.state) && (home || ReadLive(l.repo, l.state.Loop.Name) != nil)
	if !home && len(dirty) == 0 && (head != "" || !ours) {
		if err := l.repo.Switch(ctx, l.state.Loop.Branch); err != nil {
			return "", err
		}
		home = true
	}
	if len(dirty) > 0 && !ours {
		if include && home {
			return "", l.includeDirty(ctx)
		}
		return "", &DirtyError{Paths: dirty}
	}
	if !crashed(l.state) {
		return "", l.onLine(ctx)
	}
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil || len(dirty) == 0 && home && branch == l.state.Loop.Tip {
		return "", err
	}
	return l.interrupted(ctx)
}

// died reports whether a process that ran the loop may have been killed before its index followed the last commit.
func (l *loop) died() bool {
	return crashed(l.state) || ReadLive(l.repo, l.state.Loop.Name) != nil
}

// followTip meets a kill between a commit and the index (or HEAD, at a start) that was to follow it: when the work tree is just what the tip holds,
// HEAD and the index follow now, and the result is true.
func (l *loop) followTip(ctx context.Context, head plumbing.ReferenceName) (bool, error) {
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil || branch != l.state.Loop.Tip {
		return false, err
	}
	if operation, err := l.repo.Operation(ctx); err != nil || operation != "" {
		return false, err
	}
	home := head == l.state.Loop.Branch
	if !home {
		commit, err := l.repo.Resolve(plumbing.HEAD)
		if err != nil || l.state.Last.Kind != gitstate.Opening || l.state.Base == nil || l.state.Base.Commit != commit {
			return false, err
		}
	}
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil {
		return false, err
	}
	defer snapshot.Close() // the next snapshot removes what stays behind
	if snapshot.Tree != l.state.Last.Tree {
		return false, nil
	}
	if !home {
		if err := l.repo.AttachHead(ctx, l.state.Loop.Branch, "ralph: resume "+l.state.Loop.Name); err != nil {
			return false, err
		}
	}
	return snapshot.FollowIndex(ctx)
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
	if live := ReadLive(l.repo, l.state.Loop.Name); live != nil && live.Iteration == it.number {
		it.started = live.Started
		if it.failure = "the loop was killed during this iteration"; live.Failure != "" {
			it.failure = "the loop stopped during this iteration: " + live.Failure
		}
	}
	l.live = Live{Iteration: it.number, Pid: 0, Started: it.started}
	it.duration = l.lastedUntilCrash(it)
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

// includeDirty puts the user's uncommitted work into a commit below the resume.
func (l *loop) includeDirty(ctx context.Context) error {
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil {
		return err
	}
	defer snapshot.Close() // the next snapshot removes what stays behind
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil {
		return err
	}
	work, err := l.repo.CommitTree(ctx, snapshot.Tree, []plumbing.Hash{branch}, "ralph: work before resume of "+l.state.Loop.Name+"\n")
	if err != nil {
		return err
	}
	if err := l.repo.MoveRef(ctx, "ralph: work before resume", gitstate.RefUpdate{Name: l.state.Loop.Branch, Old: branch, New: work}); err != nil {
		return err
	}
	_, err = snapshot.FollowIndex(ctx)
	return err
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
