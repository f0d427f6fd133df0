package runner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// FetchRequest says what to fetch, and from where.
type FetchRequest struct {
	Remote string // empty: git's default
	Loop   string // empty: all loops that the remote has
	Ask    bool   // somebody is there whom git may ask for a password
}

// FetchOutcome is what a fetch came to.
type FetchOutcome struct {
	Remote string
	Loops  []FetchedLoop // of the remote, by name
	Told   []string      // lines for the user

	seen gitstate.Seen
}

// FetchedLoop is a loop as the remote has it.
type FetchedLoop struct {
	State  gitstate.State
	Lease  gitstate.Lease    // who continues it; without an owner: nobody ever did by a lease
	Stands gitstate.Standing // how the one here stood to it before; empty: there was none here
	Moved  bool              // the one here is the same now
}

// Fetch fetches loops with their notes. What was not pushed yet stays: notes are joined, and a loop here follows the remote's only where it has nothing
// of its own, does not run and is checked out nowhere; resume takes the others along. What the remote keeps of them is kept here, too. In a shallow clone the loops' whole history is fetched.
//
// The error is a *[gitstate.RemoteError] or *[gitstate.NoRemoteError] for the remote, one that wraps [gitstate.ErrNoLoop] when it has no loop of that name.
func (r *Runner) Fetch(ctx context.Context, q FetchRequest) (FetchOutcome, error) {
	branch := plumbing.ReferenceName("")
	if l, err := r.Repo.FindLoop(ctx, q.Loop); q.Loop != "" && err == nil {
		if state, err := r.Repo.State(ctx, l); err == nil {
			branch = state.Loop.Branch
		}
	}
	remote, err := r.Repo.Remote(ctx, q.Remote, branch)
	if err != nil {
		return FetchOutcome{}, err
	}
	remote.Ask = q.Ask
	o, err := r.fetchFrom(ctx, remote, q.Loop, branch)
	if err != nil {
		return o, err
	}
	return o, r.fetchKept(ctx, remote, q, &o)
}

// fetchKept keeps here what the remote keeps of the loops that are here, and of one that was named: undo needs it.
func (r *Runner) fetchKept(ctx context.Context, remote *gitstate.Remote, q FetchRequest, o *FetchOutcome) error {
	for _, l := range o.Loops {
		name := l.State.Loop.Name
		if l.Stands == "" && q.Loop == "" || l.Stands == gitstate.StandsAnother {
			continue // not this one, or not here: who takes it back there fetches it
		}
		found, err := remote.FetchKept(ctx, name, o.seen)
		if err != nil {
			return err
		}
		if found {
			o.Told = append(o.Told, fmt.Sprintf("what remote %s keeps of loop %s is kept here, too", remote.Name, name))
		}
	}
	return nil
}

// fetchFrom fetches one loop, or all.
func (r *Runner) fetchFrom(ctx context.Context, remote *gitstate.Remote, loop string, branch plumbing.ReferenceName) (FetchOutcome, error) {
	o := FetchOutcome{Remote: remote.Name}
	r.busy("fetching from " + remote.Name)
	seen, err := r.see(ctx, remote, loop, branch)
	if err != nil {
		return o, err
	}
	o.seen = seen
	branches := slices.Sorted(maps.Keys(seen.Branches))
	if _, err := remote.Fetch(ctx, gitstate.FetchRequest{Seen: seen, Branches: branches, Notes: true}); err != nil {
		return o, err
	}
	for _, branch := range branches {
		deepened, err := remote.Deepen(ctx, branch)
		if err != nil {
			if !errors.Is(err, gitstate.ErrIncomplete) {
				return o, err
			}
			o.Told = append(o.Told, err.Error())
			continue
		}
		if deepened {
			o.Told = append(o.Told, "this clone is shallow: fetched the rest of "+branch.Short())
		}
		l, found, err := remote.Tracked(ctx, branch)
		if err != nil {
			return o, err
		}
		if !found || loop != "" && l.Name != loop {
			continue
		}
		fetched, err := r.fetched(ctx, remote, l, seen)
		if err != nil {
			return o, err
		}
		o.Loops = append(o.Loops, fetched)
	}
	slices.SortFunc(o.Loops, func(a, b FetchedLoop) int { return strings.Compare(a.State.Loop.Name, b.State.Loop.Name) })
	return o, nil
}

// see asks the remote, once more when a lease names a branch that was not asked for.
func (r *Runner) see(ctx context.Context, remote *gitstate.Remote, loop string, branch plumbing.ReferenceName) (gitstate.Seen, error) {
	var branches []plumbing.ReferenceName
	if branch != "" {
		branches = append(branches, branch)
	} else if loop == "" {
		loops, err := r.Repo.Loops(ctx)
		if err != nil {
			return gitstate.Seen{}, err
		}
		for _, l := range loops {
			if l.Branch != "" {
				branches = append(branches, l.Branch)
			}
		}
	}
	seen, err := remote.Look(ctx, loop, branches...)
	if err != nil {
		return seen, err
	}
	var more []plumbing.ReferenceName
	for name := range seen.Leases {
		lease, err := remote.Lease(ctx, name, seen)
		if err != nil {
			return seen, err
		}
		if _, known := seen.Branches[lease.Branch]; !known && lease.Branch.IsBranch() && !slices.Contains(branches, lease.Branch) {
			more = append(more, lease.Branch)
		}
	}
	if len(more) == 0 {
		return seen, nil
	}
	return remote.Look(ctx, loop, append(branches, more...)...)
}

// fetched says what a loop is that was fetched, and lets the one here follow it where nothing is in the way.
func (r *Runner) fetched(ctx context.Context, remote *gitstate.Remote, l gitstate.Loop, seen gitstate.Seen) (FetchedLoop, error) {
	var f FetchedLoop
	var err error
	if f.State, err = r.Repo.State(ctx, l); err != nil {
		return f, err
	}
	if f.Lease, err = remote.Lease(ctx, l.Name, seen); err != nil {
		return f, err
	}
	ours, err := r.Repo.FindLoop(ctx, l.Name)
	if err != nil || ours.Found != ours.TipRef() {
		return f, err
	}
	ours.Branch = f.State.Loop.Branch
	if f.Stands, err = r.Repo.Stands(ctx, ours, l); err != nil || f.Stands != gitstate.StandsBehind {
		return f, err
	}
	f.Moved, err = r.followIdle(ctx, ours, l)
	return f, err
}

// followIdle moves a loop here to where the remote's is, unless it runs, is checked out, or has commits of the user's. Where the branch was moved there
// already, as by git pull, the rest follows.
func (r *Runner) followIdle(ctx context.Context, ours, theirs gitstate.Loop) (bool, error) {
	branch, err := r.Repo.Resolve(ours.Branch)
	if err != nil {
		return false, err
	}
	to, err := r.Repo.Resolve(theirs.Found)
	if err != nil {
		return false, err
	}
	path, err := r.Repo.CheckedOutAt(ctx, ours.Branch)
	if err != nil || branch != to && (path != "" || branch != ours.Tip) {
		return false, err
	}
	lock, err := r.Repo.LockLoop(ours.Name)
	if _, held := errors.AsType[*gitstate.HeldError](err); held {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer lock.Release()
	err = r.Repo.Move(ctx, gitstate.MoveRequest{Loop: ours, Branch: branch, Tip: theirs.Tip, To: to, From: branch, Reflog: "ralph: fetch " + ours.Name})
	return err == nil, err
}
