package runner

import (
	"context"

	"github.com/git-ralph/git-ralph/gitstate"
)

// alreadyDone answers for a loop that is done. Where it was done elsewhere, the branch here follows. When its last process was killed before everything
// followed the last commit, that is completed first.
func (l *loop) alreadyDone(ctx context.Context, q ResumeRequest) (Outcome, error) {
	if l.stands == gitstate.StandsBehind {
		if err := l.followDone(ctx, q); err != nil {
			return Outcome{}, err
		}
	}
	unsettled, err := l.unsettled(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if unsettled {
		if err := l.settleDone(ctx); err != nil {
			return Outcome{}, err
		}
	}
	o := l.outcome()
	o.Already = true
	return o, nil
}

// unsettled reports whether a loop that was done here may not be so in all of this clone: its last process was killed. .git/ralph may be lost since.
func (l *loop) unsettled(ctx context.Context) (bool, error) {
	if l.state.Loop.Found != l.state.Loop.TipRef() {
		return false, nil
	}
	if ReadLive(l.repo, l.state.Loop.Name) != nil || l.state.Note == nil {
		return true, nil
	}
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil || branch.IsZero() {
		return true, err
	}
	if moving, err := l.repo.Moving(l.state.Loop.Name); err != nil || moving {
		return true, err
	}
	if head, err := l.repo.HeadBranch(ctx); err != nil || head != l.state.Loop.Branch {
		return false, err
	}
	dirty, err := l.repo.Dirty(ctx)
	return len(dirty) > 0, err
}

// settleDone completes what was to follow the last commit of a loop that is done.
func (l *loop) settleDone(ctx context.Context) error {
	if err := l.claim(ctx); err != nil {
		return err
	}
	if err := l.cleanUp(ctx); err != nil {
		return err
	}
	head, err := l.repo.HeadBranch(ctx)
	if err != nil {
		return err
	}
	if ReadLive(l.repo, l.state.Loop.Name) != nil {
		if _, err := l.followTip(ctx, head); err != nil {
			return err
		}
	}
	removeLive(l.repo, l.state.Loop.Name)
	return nil
}

// followDone brings the loop here to where it was done.
func (l *loop) followDone(ctx context.Context, q ResumeRequest) error {
	remote, err := l.repo.Remote(ctx, q.On.Remote, l.state.Loop.Branch)
	if err != nil {
		return err
	}
	if err := l.hold(ctx); err != nil {
		return err
	}
	if err := l.rereadState(ctx); err != nil {
		return err
	}
	l.back = q.On.Back
	return l.settleWith(ctx, remote)
}
