package runner

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// View is a loop as any other process sees it.
type View struct {
	gitstate.State
	Config  Config              // in force, as the last opening or resume recorded it
	Running *gitstate.HeldError // who runs it; nil: nobody on this machine
	Live    *Live               // nil: not running, or not known

	at plumbing.Hash // where the ref was that the loop is found by, before the loop was read; zero: not known
}

// Read returns the view of a loop. It writes nothing and waits for nobody.
func Read(ctx context.Context, repo *gitstate.Repository, loop gitstate.Loop) (View, error) {
	state, err := repo.State(ctx, loop)
	if err != nil {
		return View{}, err
	}
	view := View{State: state}
	if view.Config, err = decodeConfig(state.Config); err != nil {
		return View{}, err
	}
	return view.now(repo)
}

// Again returns the view as it is by now, for who looks many times a second: the loop is read again only when its ref has moved. The error wraps
// [gitstate.ErrNoLoop] when it is gone.
func (v View) Again(ctx context.Context, repo *gitstate.Repository) (View, error) {
	at, err := whereabouts(repo, v.Loop)
	if err != nil {
		return View{}, err
	}
	if at == v.at {
		return v.now(repo)
	}
	loop, err := repo.FindLoop(ctx, v.Loop.Name)
	if err != nil {
		return View{}, err
	}
	if v, err = Read(ctx, repo, loop); err != nil {
		return View{}, err
	}
	v.at = at
	return v, nil
}

// whereabouts returns the value of the ref that a loop is found by.
func whereabouts(repo *gitstate.Repository, l gitstate.Loop) (plumbing.Hash, error) {
	at, err := repo.Resolve(l.TipRef())
	if err == nil && at.IsZero() && l.Found != "" {
		at, err = repo.Resolve(l.Found)
	}
	return at, err
}

// now returns the view with what the processes of this machine say.
func (v View) now(repo *gitstate.Repository) (View, error) {
	var err error
	v.Live = nil
	if v.Running, err = repo.Running(v.Loop.Name); err != nil {
		return View{}, err
	}
	if v.Running != nil {
		v.Live = ReadLive(repo, v.Loop.Name)
	}
	return v, nil
}
