package runner

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// CatchUpRequest says which loop is to be gone on with.
type CatchUpRequest struct {
	Loop   string // empty: the only one that the remote has
	Remote string // empty: the one that the loop is on, as far as that is known here
	Ask    bool   // somebody is there whom git may ask for a password
}

// CaughtUp is a loop as it is known after its remote was asked.
type CaughtUp struct {
	Loop   gitstate.Loop // as it is here, or on the remote where that goes on
	Remote string        // that it is shared on; empty: none knows it
	Owner  string        // of its lease there; empty: nobody
	Held   error         // a *[gitstate.LeaseError]: another clone goes on with it; nil: none does
	Away   bool          // the remote could not be reached
	Alone  bool          // what the remote has under this name is another loop: the one here is not shared
	Back   bool          // somebody took it back there from where it is here
	Told   []string      // lines for the user
}

// CatchUp finds a loop here or on a remote, and fetches what of it is not here yet. A loop that no remote knows needs none. That a remote cannot be
// reached is told; only for a loop that is not here it is an error. Nothing is run, and no branch of this clone moves.
func (r *Runner) CatchUp(ctx context.Context, q CatchUpRequest) (CaughtUp, error) {
	found, err := r.Repo.FindLoop(ctx, q.Loop)
	if errors.Is(err, gitstate.ErrNoLoop) {
		return r.fetchNew(ctx, q, err)
	}
	if err != nil {
		return CaughtUp{}, err
	}
	c := CaughtUp{Loop: found}
	v, err := Read(ctx, r.Repo, found)
	if err != nil {
		return c, err
	}
	remote, err := r.sharedOn(ctx, v, q.Remote)
	if err != nil || remote == nil {
		return c, err
	}
	remote.Ask, c.Remote = q.Ask, remote.Name
	o, err := r.fetchFrom(ctx, remote, v.Loop.Name, v.Loop.Branch)
	c.Told = o.Told
	if away, ok := errors.AsType[*gitstate.RemoteError](err); ok {
		c.Away = true
		c.Told = append(c.Told, away.Error()+": the loop goes on with what is here")
		return c, nil
	}
	if err != nil {
		return c, err
	}
	for _, l := range o.Loops {
		if err := c.leased(remote, l.Lease, r.Now()); err != nil {
			return c, err
		}
	}
	return c, r.place(ctx, &c, v.Loop, remote, o.seen)
}

// place finds out where the loop has come furthest: here, or on the remote.
func (r *Runner) place(ctx context.Context, c *CaughtUp, ours gitstate.Loop, remote *gitstate.Remote, seen gitstate.Seen) error {
	var stands gitstate.Standing
	var err error
	if c.Loop, stands, err = r.newest(ctx, r.Repo, ours, remote); err != nil || stands == gitstate.StandsSame || stands == gitstate.StandsBehind {
		return err
	}
	if stands == gitstate.StandsAnother {
		c.Told = append(c.Told, fmt.Sprintf("remote %s has another loop %q: the one here is not pushed; git ralph fork gives it another name", remote.Name, ours.Name))
		c.Remote, c.Owner, c.Held, c.Alone = "", "", nil, true
		return nil
	}
	theirs, found, err := remote.Tracked(ctx, ours.Branch)
	if err != nil || !found || theirs.Name != ours.Name {
		return err
	}
	if c.Back, err = remote.TakenBack(ctx, ours, seen); c.Back {
		c.Loop = theirs
	}
	return err
}

// fetchNew fetches a loop that is not here. Where there is no remote, the loop is just not there.
func (r *Runner) fetchNew(ctx context.Context, q CatchUpRequest, missing error) (CaughtUp, error) {
	remote, err := r.Repo.Remote(ctx, q.Remote, "")
	if err != nil {
		if _, none := errors.AsType[*gitstate.NoRemoteError](err); none && q.Remote == "" {
			err = missing
		}
		return CaughtUp{}, err
	}
	remote.Ask = q.Ask
	o, err := r.fetchFrom(ctx, remote, q.Loop, "")
	if err != nil {
		return CaughtUp{}, err
	}
	c := CaughtUp{Remote: remote.Name, Told: o.Told}
	switch {
	case len(o.Loops) == 0:
		return c, fmt.Errorf("%w, and none on remote %s", missing, remote.Name)
	case len(o.Loops) > 1:
		return c, &ManyLoopsError{Remote: remote.Name, Loops: o.Loops}
	}
	c.Loop = o.Loops[0].State.Loop
	return c, c.leased(remote, o.Loops[0].Lease, r.Now())
}

// leased takes down whose the lease is.
func (c *CaughtUp) leased(remote *gitstate.Remote, l gitstate.Lease, now time.Time) error {
	c.Owner = l.Owner
	ours, err := remote.Ours(l)
	if err == nil && !ours && !l.Free(now) {
		c.Held = &gitstate.LeaseError{Remote: remote.Name, Lease: l}
	}
	return err
}

// ManyLoopsError says that a remote has several loops and none was named.
type ManyLoopsError struct {
	Remote string
	Loops  []FetchedLoop // that it has
}

func (e *ManyLoopsError) Error() string {
	return fmt.Sprintf("there are %d loops on remote %s: name one", len(e.Loops), e.Remote)
}

// sharedOn returns the remote that a loop is on: the named one, else the one that the loop names or git chooses when the loop is pushed there, else the
// first that knows it; nil: none.
func (r *Runner) sharedOn(ctx context.Context, v View, named string) (*gitstate.Remote, error) {
	names, err := r.Repo.Remotes(ctx)
	if err != nil || named == "" && len(names) == 0 {
		return nil, err
	}
	first, err := r.remoteOf(ctx, v.Loop.Branch, named, v.Config.Remote)
	if _, unclear := errors.AsType[*gitstate.NoRemoteError](err); err != nil && (!unclear || named != "") {
		return nil, err
	}
	if err == nil {
		if named != "" || v.Config.Push {
			return first, nil
		}
		names = slices.Insert(names, 0, first.Name)
	}
	for _, name := range names {
		remote, err := r.Repo.Remote(ctx, name, v.Loop.Branch)
		if err != nil {
			return nil, err
		}
		if knows, err := remote.Knows(v.Loop.Name, v.Loop.Branch); err != nil || knows {
			return remote, err
		}
	}
	return nil, nil
}

// newest returns the loop as the remote has it where that goes on from where ours ends, else ours, and how ours stands to it. The loop's branch is
// known.
func (r *Runner) newest(ctx context.Context, repo *gitstate.Repository, ours gitstate.Loop, remote *gitstate.Remote) (gitstate.Loop, gitstate.Standing, error) {
	theirs, found, err := remote.Tracked(ctx, ours.Branch)
	if err != nil || !found || theirs.Name != ours.Name {
		return ours, gitstate.StandsAhead, err
	}
	stands, err := repo.Stands(ctx, ours, theirs)
	if stands == gitstate.StandsBehind {
		return theirs, stands, err
	}
	return ours, stands, err
}
