package runner

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// TakenBack is what a rewind or an undo came to.
type TakenBack struct {
	Loop      string
	Branch    string                 // short name
	Iteration int                    // the last one from now on
	From      int                    // the last one until now
	Event     string                 // undo: the event that was taken back
	Kept      plumbing.ReferenceName // holds what the loop moved away from; empty: nothing had to move
	Work      bool                   // there was uncommitted work, which is kept too
	Worktree  string                 // path of the other work tree in which the loop's branch is checked out; empty: it is here, or nowhere
	Told      []string               // lines for the user
}

// destination is where a loop goes back to.
type destination struct {
	commit plumbing.Hash // of ours
	onto   plumbing.Hash // the event stands on this: commit, or one above it
	event  string        // undo: what is taken back
}

// Rewind makes an iteration the last one again, with the counts, streaks and configuration as they were; what was spent stays spent. With number 0 it is
// the opening. What comes after it is kept, and uncommitted work too. The loop then waits, as after a pause.
//
// Where the loop is shared it is brought to where the remote has it first, as by resume, and pushed then. The error is a *[gitstate.HeldError] while the
// loop runs, a *[gitstate.LeaseError] while it runs in another clone, and a *[NoIterationError] when it has no such iteration. Before or after, never between: what
// a kill leaves half done the next command on the loop completes.
func (r *Runner) Rewind(ctx context.Context, loop string, number int) (TakenBack, error) {
	return r.takeBack(ctx, loop, gitstate.EventRewind, func(l *loopAtRest) (destination, error) {
		record, err := l.iteration(ctx, number)
		if err != nil {
			return destination{}, err
		}
		return destination{commit: record.Commit, onto: record.Commit}, nil
	})
}

// takeBack takes a loop back to where find says.
func (r *Runner) takeBack(ctx context.Context, name, event string, find func(l *loopAtRest) (destination, error)) (TakenBack, error) {
	l, err := r.atRest(ctx, name)
	if err != nil {
		return TakenBack{}, err
	}
	defer l.release()
	if err := l.own(ctx); err != nil {
		return TakenBack{}, err
	}
	done, err := l.takeBack(ctx, event, find)
	if err == nil {
		err = l.pushTakenBack(ctx)
	} else {
		l.giveUp(ctx)
	}
	done.Told = l.lines
	return done, err
}

// pushTakenBack pushes a shared loop that was taken back, so that no other clone goes on from what it moved away from, and gives the lease up.
func (l *loopAtRest) pushTakenBack(ctx context.Context) error {
	if l.sharing == nil {
		return nil
	}
	tip, err := l.repo.Resolve(l.state.Loop.TipRef())
	if err != nil {
		return err
	}
	err = l.sharing.pushLast(ctx, tip)
	if err == nil && !l.sharing.missing && l.sharing.refused == "" {
		l.tell("the loop is on remote %s, too: pushed there", l.sharing.remote.Name)
	}
	return err
}

// takeBack takes the loop back to where find says. The locks are ours, and the lease is.
func (l *loopAtRest) takeBack(ctx context.Context, event string, find func(l *loopAtRest) (destination, error)) (TakenBack, error) {
	name := l.state.Loop.Name
	to, err := find(l)
	if err != nil {
		return TakenBack{}, err
	}
	now := l.state
	done := TakenBack{Loop: name, Branch: now.Loop.Branch.Short(), From: now.Totals.Iteration, Event: to.event}
	if l.linked {
		done.Worktree = l.repo.TopLevel
	}
	then, err := l.repo.State(ctx, gitstate.Loop{Name: name, Branch: now.Loop.Branch, Tip: to.commit})
	if err != nil {
		return done, err
	}
	done.Iteration = then.Totals.Iteration
	if there, err := l.isAt(ctx, to.commit); err != nil || there {
		return done, err
	}
	if err := l.correctIgnored(ctx); err != nil {
		return done, err
	}
	took, err := l.repo.TakeBack(ctx, gitstate.TakeBackRequest{Now: now, Then: then, Onto: to.onto, Event: event, Guard: l.guard()})
	if err != nil {
		return done, err
	}
	removeLive(l.repo, name)
	l.showTakenBack(ctx)
	done.Kept, done.Work = took.Kept, took.Work
	for _, kept := range took.Also {
		l.tell("what came into the work tree meanwhile is kept: %s", kept)
	}
	l.tellLeft(ctx)
	return done, nil
}

// isAt reports whether nothing would change: the loop stands at that commit, or was taken back to it last, and there is no uncommitted work.
func (l *loopAtRest) isAt(ctx context.Context, commit plumbing.Hash) (bool, error) {
	last := l.state.Last
	again := !last.From.IsZero() && len(last.Parents) > 0 && last.Parents[0] == commit
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil || branch != last.Commit || last.Commit != commit && !again {
		return false, err
	}
	head, err := l.repo.HeadBranch(ctx)
	if err != nil || head != l.state.Loop.Branch {
		return err == nil, err
	}
	dirty, err := l.repo.Dirty(ctx)
	if err != nil {
		return false, nil // a damaged index: there is something to mend
	}
	dirty, err = l.usersOwn(ctx, dirty)
	return len(dirty) == 0, err
}

// tellLeft says what stays in the work tree that is not ignored any more, or was never to be committed.
func (l *loopAtRest) tellLeft(ctx context.Context) {
	head, err := l.repo.HeadBranch(ctx)
	if err != nil || head != l.state.Loop.Branch {
		return
	}
	if paths, err := l.repo.Dirty(ctx); err == nil && len(paths) > 0 {
		l.tell("still in the work tree, not committed: %s", some(paths, 3))
	}
}

// NoIterationError says that a loop has no iteration of that number.
type NoIterationError struct {
	Loop   string
	Number int // that was asked for
	Last   int // that there is
}

func (e *NoIterationError) Error() string {
	return fmt.Sprintf("loop %q has no iteration %d", e.Loop, e.Number)
}
