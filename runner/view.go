package runner

import (
	"context"

	"github.com/git-ralph/git-ralph/gitstate"
)

// View is a loop as any other process sees it.
type View struct {
	gitstate.State
	Config  Config
	Running *gitstate.HeldError // who runs it; nil: nobody on this machine
	Live    *Live               // nil: not running, or not known
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
	if view.Running, err = repo.Running(loop.Name); err != nil {
		return View{}, err
	}
	if view.Running != nil {
		view.Live = ReadLive(repo, loop.Name)
	}
	return view, nil
}
