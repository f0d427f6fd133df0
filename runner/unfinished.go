package runner

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// finishMove brings the work tree to where the loop went when a kill cut that short.
func (l *loop) finishMove(ctx context.Context) error {
	kept, err := l.repo.FinishMove(ctx, l.state.Loop, l.guard())
	for _, ref := range kept {
		l.tell("an unfinished move is completed; what else lay in the work tree is kept: %s", ref)
	}
	return err
}

// finishOther does so for another loop whose branch HEAD is: what differs from it in the work tree is nobody's work. The lock of the work tree is ours.
func (l *loop) finishOther(ctx context.Context) error {
	names, err := l.repo.MovingLoops(ctx)
	if err != nil || len(names) == 0 {
		return err
	}
	head, err := l.repo.HeadBranch(ctx)
	if err != nil {
		return err
	}
	for _, name := range names {
		other := &loop{Runner: l.Runner, repo: l.repo, config: l.config, redact: l.redact}
		other.state.Loop.Name = name
		if err := other.rereadState(ctx); err != nil {
			return err
		}
		if other.state.Loop.Branch != head {
			continue
		}
		if other.state, err = l.repo.Repair(ctx, other.state); err != nil {
			return err
		}
		if err := other.finishMove(ctx); err != nil {
			return err
		}
	}
	return nil
}

// catchUpOther completes the index of another loop whose branch HEAD is, where a kill cut that off. The lock of the work tree is ours.
func (l *loop) catchUpOther(ctx context.Context) error {
	head, err := l.repo.Resolve(plumbing.HEAD)
	if err != nil || head.IsZero() {
		return err
	}
	record, err := l.repo.Record(head)
	if err != nil {
		return nil // not a commit of a loop's
	}
	other := &loop{Runner: l.Runner, repo: l.repo, config: l.config, redact: l.redact}
	other.state.Loop.Name = record.Loop
	if err := other.rereadState(ctx); err != nil {
		return nil // it is gone, or cannot be read
	}
	return other.catchUpIndex(ctx)
}

// finishLanding meets a landing, or a switch, in this work tree that was cut short: it goes back, or, when the branch has moved already, it is completed. The lock of the
// work tree is ours.
func (l *loop) finishLanding(ctx context.Context) error {
	if err := l.repo.RemoveLandingLock(ctx); err != nil {
		return err
	}
	on, err := l.repo.OpenLanding()
	if err != nil || on == nil {
		return err
	}
	locks, err := on.RemoveLocks(ctx)
	if err != nil {
		return err
	}
	for _, lock := range locks {
		l.tell("removed a lock of ours that a killed process left: %s", lock)
	}
	if on.IsSwitch() {
		return l.finishSwitch(ctx, on)
	}
	moved, err := on.Moved()
	if err != nil {
		return err
	}
	if moved {
		l.tell("loop %s has landed on %s: HEAD is there now", on.Loop, on.Into.Short())
		return on.Arrive(ctx, on.Target, nil)
	}
	kept, err := on.Back(ctx, l.guard())
	for _, ref := range kept {
		l.tell("what lay in the work tree is kept: %s", ref)
	}
	if err == nil {
		l.tell("an unfinished landing of loop %s is taken back", on.Loop)
	}
	return err
}

// finishSwitch takes a switch to a loop's branch back that was cut short, unless HEAD is somewhere else by now.
func (l *loop) finishSwitch(ctx context.Context, on *gitstate.Landing) error {
	if stands, err := on.Stands(ctx); err != nil {
		return err
	} else if !stands {
		return on.Forget(ctx)
	}
	kept, err := on.Back(ctx, l.guard())
	for _, ref := range kept {
		l.tell("an unfinished switch to %s is taken back; what else lay in the work tree is kept: %s", on.Into.Short(), ref)
	}
	return err
}
