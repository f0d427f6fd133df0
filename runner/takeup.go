package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ralph/git-ralph/gitstate"
)

// takeUp makes the loop ours: on this machine, then on the remote that it is shared on, and then brings it to where it has come to there.
func (l *loop) takeUp(ctx context.Context, q ResumeRequest) error {
	if err := l.hold(ctx); err != nil {
		return err
	}
	if l.sharing != nil && l.stands != gitstate.StandsDiverged {
		if err := l.sharing.take(ctx, q); err != nil {
			return err
		}
		if err := l.lookAgain(ctx); err != nil {
			l.giveUp(ctx)
			return err
		}
	}
	l.back = q.On.Back
	err := l.settle(ctx)
	if err != nil {
		l.giveUp(ctx)
	}
	return err
}

// lookAgain fetches what somebody pushed between the first look at the remote and the moment that the lease became ours. From now on nobody else may.
func (l *loop) lookAgain(ctx context.Context) error {
	if l.sharing.missing {
		return nil
	}
	o, err := l.fetchFrom(ctx, l.sharing.remote, l.state.Loop.Name, l.state.Loop.Branch)
	for _, line := range o.Told {
		l.tell("%s", line)
	}
	if away, ok := errors.AsType[*gitstate.RemoteError](err); ok {
		l.sharing.missing = true
		l.tell("%v: the loop goes on with what is here", away)
		return nil
	}
	return err
}

// giveUp gives the lease up of a loop that does not go on after all.
func (l *loop) giveUp(ctx context.Context) {
	if l.sharing != nil && l.sharing.taken {
		l.sharing.release(ctx)
	}
}

// claim takes the locks, and makes the branch and the tip where the loop was found on another clone's branch.
func (l *loop) claim(ctx context.Context) error {
	if err := l.hold(ctx); err != nil {
		return err
	}
	return l.settle(ctx)
}

// hold takes the locks.
func (l *loop) hold(ctx context.Context) error {
	name, branch := l.state.Loop.Name, l.state.Loop.Branch
	path, err := l.repo.CheckedOutAt(ctx, branch)
	if err != nil {
		return err
	}
	if path != "" && path != l.repo.TopLevel {
		return &ElsewhereError{Loop: name, Branch: branch.Short(), Path: path}
	}
	if err := l.lockWorktree(ctx, name); err != nil {
		return err
	}
	return l.lock(name)
}

// settle reads the loop again now that nobody else can write it, and makes the branch and the tip what they are where it has come furthest: on another
// clone's branch, or on the remote.
func (l *loop) settle(ctx context.Context) error {
	if err := l.rereadState(ctx); err != nil {
		return err
	}
	found := l.state.Loop.Found
	if !found.IsRemote() && l.sharing != nil {
		return l.settleWith(ctx, l.sharing.remote)
	}
	if found == l.state.Loop.TipRef() {
		return nil
	}
	return l.makeRefs(ctx)
}

// makeRefs makes the loop's refs here.
func (l *loop) makeRefs(ctx context.Context) error {
	name, branch := l.state.Loop.Name, l.state.Loop.Branch
	refs := []gitstate.Ref{{Name: l.state.Loop.TipRef(), Hash: l.state.Loop.Tip}}
	if l.state.Loop.Found != branch {
		value, err := l.repo.Resolve(l.state.Loop.Found) // with what an agent committed above our last commit
		if err != nil {
			return err
		}
		refs = append(refs, gitstate.Ref{Name: branch, Hash: value})
	}
	if err := l.repo.MakeRefs(ctx, "ralph: resume "+name, refs...); err != nil {
		return fmt.Errorf("take up loop %s from %s: %w", name, l.state.Loop.Found, err)
	}
	l.state.Loop.Found = l.state.Loop.TipRef()
	return nil
}

// settleWith brings a loop that is here to where a remote has it.
func (l *loop) settleWith(ctx context.Context, remote *gitstate.Remote) error {
	newest, stands, err := l.newest(ctx, l.repo, l.state.Loop, remote)
	if err != nil {
		return err
	}
	if l.back && stands != gitstate.StandsBehind {
		if newest, l.back, err = remote.Tracked(ctx, l.state.Loop.Branch); err != nil {
			return err
		}
	}
	if l.back {
		stands = gitstate.StandsBehind
	}
	switch stands {
	case gitstate.StandsDiverged, gitstate.StandsBehind:
		if err := l.cleanUp(ctx); err != nil { // what a killed process left here is met first
			return err
		}
		if stands == gitstate.StandsDiverged {
			return l.giveWay(ctx, remote, nil)
		}
		state, err := l.repo.State(ctx, newest)
		if err != nil {
			return err
		}
		if _, err := l.moveTo(ctx, state, l.back); err != nil {
			return err
		}
		removeLive(l.repo, l.state.Loop.Name)
		return nil
	}
	if l.state.Loop.Found == l.state.Loop.TipRef() {
		return nil
	}
	return l.makeRefs(ctx)
}

// rereadState reads the loop again now that nobody else can write it.
func (l *loop) rereadState(ctx context.Context) error {
	found, err := l.repo.FindLoop(ctx, l.state.Loop.Name)
	if err != nil {
		return err
	}
	l.state, err = l.repo.State(ctx, found)
	return err
}
