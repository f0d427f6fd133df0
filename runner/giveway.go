package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// GaveWayError says that a loop was continued elsewhere: what the remote has is what counts, and what was only here is kept.
type GaveWayError struct {
	Loop   string
	Remote string
	Extra  int                    // iterations that were only here
	Kept   plumbing.ReferenceName // holds them, and what was uncommitted; empty: there was nothing
	Cause  error                  // whose the lease is; nil: not known
}

func (e *GaveWayError) Error() string {
	fact := fmt.Sprintf("loop %q was continued elsewhere, as remote %s has it", e.Loop, e.Remote)
	if e.Cause != nil {
		fact = e.Cause.Error()
	}
	if e.Kept == "" {
		return fact + ": it stops here"
	}
	return fact + fmt.Sprintf(": it stops here, %s that only this clone had %s kept", iterations(e.Extra), isAre(e.Extra))
}

// Unwrap returns whose the lease is.
func (e *GaveWayError) Unwrap() error { return e.Cause }

func iterations(n int) string {
	switch n {
	case 0:
		return "the work"
	case 1:
		return "1 iteration"
	}
	return fmt.Sprintf("%d iterations", n)
}

func isAre(n int) string {
	if n <= 1 {
		return "is"
	}
	return "are"
}

// giveWay makes the loop here what the remote has. Iterations and uncommitted work that only this clone has are kept under refs/ralph/kept/. The locks
// are ours, and no process of the loop runs.
func (l *loop) giveWay(ctx context.Context, remote *gitstate.Remote, cause error) error {
	name, branch := l.state.Loop.Name, l.state.Loop.Branch
	gave := &GaveWayError{Loop: name, Remote: remote.Name, Cause: cause}
	if _, err := l.fetchFrom(ctx, remote, name, branch); err != nil {
		return errors.Join(gave, err)
	}
	theirs, found, err := remote.Tracked(ctx, branch)
	if err != nil || !found {
		return errors.Join(gave, err)
	}
	state, err := l.repo.State(ctx, theirs)
	if err != nil {
		return errors.Join(gave, err)
	}
	stands, err := l.repo.Stands(ctx, l.state.Loop, theirs)
	if err != nil || stands == gitstate.StandsSame || stands == gitstate.StandsBehind || stands == gitstate.StandsAnother {
		return errors.Join(gave, err)
	}
	gave.Extra = max(0, l.state.Totals.Iteration-l.sharedIterations(ctx, theirs))
	if gave.Kept, err = l.moveTo(ctx, state, true); err != nil {
		return errors.Join(gave, err)
	}
	removeLive(l.repo, name)
	return gave
}

// sharedIterations is the number of the last iteration that both have.
func (l *loop) sharedIterations(ctx context.Context, theirs gitstate.Loop) int {
	known := map[plumbing.Hash]bool{}
	for record, err := range l.repo.Records(ctx, theirs) {
		if err != nil {
			break
		}
		known[record.Commit] = true
	}
	for record, err := range l.repo.Records(ctx, l.state.Loop) {
		if err == nil && known[record.Commit] {
			return record.Iteration
		}
	}
	return 0
}

// moveTo takes the loop here to where a remote-tracking branch has it, and the work tree along. What the branch moves away from is kept where it must be,
// and so is uncommitted work of the loop's own; the user's is refused.
func (l *loop) moveTo(ctx context.Context, theirs gitstate.State, keep bool) (plumbing.ReferenceName, error) {
	name, branch := l.state.Loop.Name, l.state.Loop.Branch
	at, err := l.repo.Resolve(branch)
	if err != nil {
		return "", err
	}
	to, err := l.repo.Resolve(theirs.Loop.Found)
	if err != nil {
		return "", err
	}
	head, err := l.repo.HeadBranch(ctx)
	if err != nil {
		return "", err
	}
	move := gitstate.MoveRequest{Loop: l.state.Loop, Branch: at, Tip: theirs.Loop.Tip, To: to, From: at, Reflog: "ralph: take up " + name, Guard: l.guard()}
	var kept plumbing.ReferenceName
	dirty := false
	if head == branch {
		if kept, err = l.keepDirty(ctx); err != nil {
			return "", err
		}
		dirty = kept != ""
	}
	switch {
	case dirty:
		move.From, err = l.repo.Resolve(kept)
	case keep || at != l.state.Loop.Tip:
		kept, err = l.keepUnless(ctx, at, to)
	}
	if err != nil {
		return kept, err
	}
	if err := l.repo.Move(ctx, move); err != nil {
		return kept, err
	}
	if kept != "" {
		l.tell("what was only here is kept: %s", kept)
	}
	l.state = theirs
	l.state.Loop.Found = l.state.Loop.TipRef()
	return kept, nil
}

// keepDirty keeps uncommitted work, with HEAD below it, if there is any of the loop's own; the user's is refused.
func (l *loop) keepDirty(ctx context.Context) (plumbing.ReferenceName, error) {
	paths, err := l.repo.Dirty(ctx)
	if err != nil || len(paths) == 0 {
		return "", err
	}
	if !l.died() {
		return "", &DirtyError{Paths: paths}
	}
	return l.repo.Keep(ctx, l.state.Loop.Name, l.guard(), "ralph: work kept for "+l.state.Loop.Name+"\n\nThe loop was continued elsewhere.\n")
}

// keepUnless keeps a commit, unless another one holds it.
func (l *loop) keepUnless(ctx context.Context, commit, by plumbing.Hash) (plumbing.ReferenceName, error) {
	if commit.IsZero() {
		return "", nil
	}
	held, err := l.repo.Reaches(ctx, by, commit)
	if err != nil || held {
		return "", err
	}
	return l.repo.KeepCommit(ctx, l.state.Loop.Name, commit)
}
