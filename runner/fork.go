package runner

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// ForkRequest says which loop is to begin where another one was.
type ForkRequest struct {
	Loop      string // required: the one that was there
	Iteration int    // of it; 0 is its opening
	Name      string // of the new one; empty: made from the other's
	Worktree  string // path of a linked worktree to be made for it, {loop} is its name; empty: none is made
}

// Forked is the new loop.
type Forked struct {
	Loop     string
	Branch   string // short name
	Worktree string // path of its linked worktree; empty: none was made
}

// Fork makes another loop on top of an iteration, with the prompt and the configuration as they were there. Its opening is its iteration 0, and it waits as
// after a pause; nothing runs, and the other loop stays as it is. HEAD and work tree stay too.
//
// The error is a *[gitstate.HeldError] while the other loop runs, a *[gitstate.LeaseError] while it runs in another clone, and a *[NoIterationError] when it has no such iteration. When the work tree cannot be made
// the loop is there without one.
func (r *Runner) Fork(ctx context.Context, q ForkRequest) (Forked, error) {
	if q.Name != "" {
		if err := ValidName(q.Name); err != nil {
			return Forked{}, err
		}
	}
	l, err := r.atRest(ctx, q.Loop)
	if err != nil {
		return Forked{}, err
	}
	defer l.release()
	if shared, err := l.idle(ctx); err != nil || shared.On.Held != nil {
		return Forked{}, cmp.Or(err, shared.On.Held)
	}
	record, err := l.iteration(ctx, q.Iteration)
	if err != nil {
		return Forked{}, err
	}
	then, err := l.repo.State(ctx, gitstate.Loop{Name: q.Loop, Branch: l.state.Loop.Branch, Tip: record.Commit})
	if err != nil {
		return Forked{}, err
	}
	config, err := decodeConfig(then.Config)
	if err != nil {
		return Forked{}, err
	}
	if err := l.correctIgnored(ctx); err != nil {
		return Forked{}, err
	}
	start, err := l.forkAs(ctx, q, config)
	if err != nil {
		return Forked{}, err
	}
	if err := l.lock(start.Name); err != nil {
		return Forked{}, err
	}
	if err := l.removeRefLocks(ctx, start); err != nil {
		return Forked{}, err
	}
	return l.fork(ctx, start, then)
}

// forkAs is the start that a fork is: the other loop's configuration, under a name of its own that is free.
func (l *loopAtRest) forkAs(ctx context.Context, q ForkRequest, c Config) (StartRequest, error) {
	start := StartRequest{Name: q.Name, Prompt: q.Loop, Config: c, Worktree: q.Worktree} // a name is made of the other's, not of its prompt
	start.Config.Branch = templateOf(c.Branch, q.Loop)
	taken, err := l.namesTaken(ctx)
	if err != nil {
		return start, err
	}
	if err := l.nameLoop(ctx, &start, taken); err != nil {
		return start, err
	}
	return start, checkWorktree(start.Worktree)
}

// removeRefLocks removes what a start or a fork of the same name left that was killed. The lock of that loop is ours.
func (l *loop) removeRefLocks(ctx context.Context, start StartRequest) error {
	locks, err := l.repo.RemoveOwnLocks(ctx, gitstate.OwnLocks{
		Loop: start.Name, Branch: plumbing.NewBranchReferenceName(start.Config.Branch), Since: l.state.Last.Time, Refs: true,
	})
	for _, lock := range locks {
		l.tell("removed a lock of ours that a killed process left: %s", lock)
	}
	return err
}

// templateOf makes a branch's name a template again for the branch of another loop.
func templateOf(branch, loop string) string {
	before, found := strings.CutSuffix(branch, loop)
	if !found {
		return DefaultBranch
	}
	return before + "{loop}"
}

// fork writes the new loop's opening on our commit of the other one, and that it waits.
func (l *loopAtRest) fork(ctx context.Context, start StartRequest, then gitstate.State) (Forked, error) {
	lines, err := encodeConfig(start.Config)
	if err != nil {
		return Forked{}, err
	}
	base := &gitstate.Base{Branch: "HEAD", Commit: then.Last.Commit}
	if then.Base != nil {
		base.Branch = then.Base.Branch // where its work is to land
	}
	branch := plumbing.NewBranchReferenceName(start.Config.Branch)
	opening := gitstate.Record{Kind: gitstate.Opening, Body: then.Prompt, Tree: then.Last.Tree, Config: lines, Base: base}
	_, err = l.repo.Append(ctx, gitstate.AppendRequest{
		State: gitstate.State{Loop: gitstate.Loop{Name: start.Name, Branch: branch}}, Reflog: "ralph: fork " + start.Name,
		Entries: []gitstate.Entry{
			{Record: opening, Note: gitstate.Note{Prompt: then.Prompt, Config: lines}, Onto: then.Last.Commit},
			{Record: gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventPause, Tree: then.Last.Tree}},
		},
	})
	if err != nil {
		return Forked{}, err
	}
	forked := Forked{Loop: start.Name, Branch: start.Config.Branch}
	if start.Worktree == "" {
		return forked, nil
	}
	repo, err := l.repo.AddWorktree(ctx, start.Worktree, branch)
	if err != nil {
		return forked, fmt.Errorf("loop %s is there, but not its work tree: %w", start.Name, err)
	}
	forked.Worktree = repo.TopLevel
	return forked, repo.Close()
}
