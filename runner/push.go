package runner

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// PushRequest says what loop to push, and where.
type PushRequest struct {
	Loop   string // required
	Remote string // empty: the one that the loop names, else git's default for its branch
	Ask    bool   // somebody is there whom git may ask for a password
}

// PushOutcome is what a push came to.
type PushOutcome struct {
	Loop   string
	Branch string // short name
	Remote string
	Commit plumbing.Hash // what the remote's branch is now
	Held   bool          // a process here runs the loop and keeps it; otherwise it is free to be continued anywhere
	Done   bool          // its work is done
	Told   []string      // lines for the user
}

// Push pushes a loop's branch, its notes and its lease: all of them or none. A loop that runs here is pushed up to its last commit.
//
// The error is a *[gitstate.LeaseError] when somebody else continues the loop, a *[gitstate.DivergedError] when the remote's branch has commits that are
// not here, a *[NamesakeError] when those are not this loop's, a *[gitstate.RemoteError] or *[gitstate.NoRemoteError] for the remote itself.
func (r *Runner) Push(ctx context.Context, q PushRequest) (PushOutcome, error) {
	found, err := r.Repo.FindLoop(ctx, q.Loop)
	if err != nil {
		return PushOutcome{}, err
	}
	v, err := Read(ctx, r.Repo, found)
	if err != nil {
		return PushOutcome{}, err
	}
	remote, err := r.remoteOf(ctx, v.Loop.Branch, q.Remote, v.Config.Remote)
	if err != nil {
		return PushOutcome{}, err
	}
	remote.Ask = q.Ask
	commit, err := r.pushable(ctx, v)
	if err != nil {
		return PushOutcome{}, err
	}
	r.busy("pushing to " + remote.Name)
	pushed, err := remote.Push(ctx, gitstate.PushRequest{
		Loop: v.Loop.Name, Branch: v.Loop.Branch, Commit: commit, Release: v.Running == nil, Now: r.Now(),
	})
	if continuedElsewhere(err) {
		if other := namesake(ctx, remote, r.Repo, v.Loop); other != nil {
			other.Last, err = v.Totals.Iteration, other
		}
	}
	return PushOutcome{
		Loop: v.Loop.Name, Branch: v.Loop.Branch.Short(), Remote: remote.Name, Commit: commit, Held: v.Running != nil,
		Done: v.Running == nil && v.Totals.Exit.Done(), Told: pushed.Told,
	}, err
}

// pushable returns the commit that the remote's branch shall be: what the branch here is, with what the user put on top; our last commit while the loop
// runs, for what its agent has above it is not ours yet, and where the branch was moved elsewhere.
func (r *Runner) pushable(ctx context.Context, v View) (plumbing.Hash, error) {
	tip := v.Loop.Tip
	if v.Running != nil {
		return tip, nil
	}
	from := v.Loop.Branch
	if v.Loop.Found.IsRemote() {
		from = v.Loop.Found
	}
	branch, err := r.Repo.Resolve(from)
	if err != nil || branch.IsZero() || branch == tip {
		return tip, err
	}
	holds, err := r.Repo.Holds(ctx, branch, tip)
	if holds {
		tip = branch
	}
	return tip, err
}

// remoteOf returns the remote that is named, else the first of those others that there is here, else git's default for the branch.
func (r *Runner) remoteOf(ctx context.Context, branch plumbing.ReferenceName, named string, others ...string) (*gitstate.Remote, error) {
	if named != "" {
		return r.Repo.Remote(ctx, named, branch)
	}
	for _, name := range others {
		if name == "" {
			continue
		}
		if remote, err := r.Repo.Remote(ctx, name, branch); err == nil {
			return remote, nil
		}
	}
	return r.Repo.Remote(ctx, "", branch)
}
