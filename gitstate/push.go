package gitstate

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Claim says what a push does about the loop's lease.
type Claim int

// The ways to hold a lease.
const (
	ClaimFree Claim = iota // it is taken if it is free
	ClaimOurs              // it must be ours already; that the remote has none any more is as good
	ClaimAny               // it is taken from the owner that has it, but from no other one that took it meanwhile
)

// PushRequest says what of a loop to push.
type PushRequest struct {
	Loop    string                 // name
	Branch  plumbing.ReferenceName // the loop branch
	Commit  plumbing.Hash          // what the remote's branch shall be, and the notes go along; zero: only the lease moves
	Claim   Claim                  // what to do about the lease
	From    string                 // with ClaimAny: the owner that has it, as it was seen; empty: whoever is found
	Release bool                   // the lease is given up with it
	Now     time.Time              // required: the lease's heartbeat
}

// Pushed says what a push came to.
type Pushed struct {
	Told []string // lines for the user: what the remote does not take
}

// DivergedError says that the remote's branch has commits that are not here, so that ours cannot go there.
type DivergedError struct {
	Remote string
	Branch plumbing.ReferenceName // the loop branch
	Theirs plumbing.Hash          // what the remote's branch is
}

func (e *DivergedError) Error() string {
	return fmt.Sprintf("branch %q on remote %s has commits that are not on the one here", e.Branch.Short(), e.Remote)
}

// Push pushes a loop's branch, the notes and the loop's lease with one atomic `git push`: all of them move or none. The branch moves forward only, except
// after it was taken back here: then the remote's must still be what is kept here, and the kept ref goes along. Only the lease is ever replaced, against
// the value that it must have.
//
// Notes that are in the way are joined with ours, and it is tried again. The error is a *[LeaseError] when the lease is somebody else's, a
// *[DivergedError] when the branch is, a *[RemoteError] otherwise; then nothing of the remote has moved.
func (m *Remote) Push(ctx context.Context, q PushRequest) (Pushed, error) {
	p := &push{Remote: m, q: q}
	if err := p.begin(); err != nil {
		return Pushed{}, err
	}
	var failed error
	for p.tries = 1; p.tries <= pushTries; p.tries++ {
		done, err := p.try(ctx)
		if err != nil || done {
			return p.done, err
		}
		failed = p.reason
		if err := pause(ctx, p.wait); err != nil {
			return p.done, err
		}
	}
	return p.done, failed
}

// pushTries is how often a push is tried when something is in the way that can be met: notes, an old value, a lock.
const pushTries = 30

// push is a push while it is tried.
type push struct {
	*Remote
	q      PushRequest
	before plumbing.Hash // value of the ref that held our lease here
	known  plumbing.Hash // its value now
	lease  Lease         // to be written
	fresh  plumbing.Hash // its commit; zero: not written yet
	expect plumbing.Hash // what the remote's lease must be; zero: there must be none
	rewind *rewound      // the remote's branch must be this; nil: it moves forward
	reason error         // why the last try did not do
	tries  int
	wait   time.Duration // before the next one
	blind  string        // why the remote refuses everything together: whether it is for the lease is being tried; empty: it does not
	done   Pushed
}

// begin finds out what our lease was.
func (p *push) begin() error {
	var err error
	if p.known, err = p.repo.store.Resolve(p.leasedRef(p.q.Loop)); err != nil {
		return err
	}
	ours, err := p.repo.lease(p.known)
	if err != nil && !errors.Is(err, plumbing.ErrObjectNotFound) {
		return err
	}
	p.expect, p.before = p.known, p.known
	p.lease = p.repo.newLease(p.q.Loop, p.q.Branch, p.q.Now)
	if err == nil && ours.Owner != "" && ours.Place == p.lease.Place {
		p.lease.Owner = ours.Owner
		if !ours.Released {
			p.lease.Since = ours.Since
		}
	}
	p.lease.Released = p.q.Release
	return nil
}

// try pushes once. It returns false when it may be tried again.
func (p *push) try(ctx context.Context) (bool, error) {
	err := p.writeLease(ctx)
	if _, moved := errors.AsType[*ConflictError](err); moved { // the loop that runs here has just renewed it
		p.reason, p.wait, p.fresh = err, p.uneven(), plumbing.ZeroHash
		return false, p.begin()
	}
	if err != nil {
		return false, err
	}
	steps, err := p.steps(ctx)
	if err != nil {
		return false, err
	}
	for _, refs := range steps {
		report, err := p.send(ctx, refs)
		if err != nil {
			return false, err
		}
		if report.ok() {
			continue
		}
		return false, p.meet(ctx, report)
	}
	if p.blind != "" {
		p.refuseLease(p.blind)
	}
	return true, nil
}

// writeLease writes the lease, and the ref that holds it here.
func (p *push) writeLease(ctx context.Context) error {
	if p.noLease || !p.fresh.IsZero() {
		return nil
	}
	var err error
	if p.fresh, err = p.repo.writeLease(ctx, p.lease); err != nil || p.fresh == p.known {
		return err
	}
	update := RefUpdate{Name: p.leasedRef(p.q.Loop), Old: p.known, New: p.fresh}
	err = p.repo.MoveRef(ctx, "ralph: lease "+p.q.Loop, update)
	if errors.Is(err, ErrLocked) { // only we write it: by a process of ours that was killed
		if _, err = p.repo.removeDeadLock(ctx, p.repo.refLock(update.Name)); err == nil {
			err = p.repo.MoveRef(ctx, "ralph: lease "+p.q.Loop, update)
		}
	}
	if err != nil {
		return fmt.Errorf("write our lease: %w", err)
	}
	p.known = p.fresh
	return nil
}

// pushRef is one ref of a push.
type pushRef struct {
	from   plumbing.Hash
	to     plumbing.ReferenceName
	expect *plumbing.Hash // replace exactly this (zero: nothing); nil: move forward only
}

// steps returns what is pushed, together: all of it, or what a remote that cannot do that must be told one after the other. There the lease goes first,
// and last when it is given up.
func (p *push) steps(ctx context.Context) ([][]pushRef, error) {
	var lease, rest []pushRef
	if !p.noLease && p.blind == "" {
		lease = []pushRef{{from: p.fresh, to: plumbing.ReferenceName(leasePrefix + p.q.Loop), expect: &p.expect}}
	}
	if !p.q.Commit.IsZero() {
		branch := pushRef{from: p.q.Commit, to: p.q.Branch}
		if p.rewind != nil {
			branch.expect = &p.rewind.theirs
			rest = append(rest, pushRef{from: p.rewind.kept, to: p.rewind.ref})
		}
		rest = append(rest, branch)
		notes, err := p.repo.store.Resolve(NotesRef)
		if err != nil {
			return nil, err
		}
		if !notes.IsZero() {
			rest = append(rest, pushRef{from: notes, to: NotesRef})
		}
	}
	switch {
	case len(lease) == 0 || len(rest) == 0 || !p.noAtomic:
		if len(lease)+len(rest) == 0 {
			return nil, nil
		}
		return [][]pushRef{append(rest, lease...)}, nil
	case p.q.Release:
		return [][]pushRef{rest, lease}, nil
	}
	return [][]pushRef{lease, rest}, nil
}

// send runs git push.
func (p *push) send(ctx context.Context, refs []pushRef) (pushReport, error) {
	args := []string{"push", "--porcelain", "--progress", "--no-follow-tags"}
	if !p.noAtomic {
		args = append(args, "--atomic")
	}
	limit := remoteLong
	if p.q.Commit.IsZero() {
		args, limit = append(args, "--no-verify"), remoteShort // nothing of the user's goes along
	}
	var specs []string
	for _, ref := range refs {
		if ref.expect != nil {
			args = append(args, fmt.Sprintf("--force-with-lease=%s:%s", ref.to, expected(*ref.expect)))
		}
		specs = append(specs, ref.from.String()+":"+ref.to.String()) // never with a plus: it would count for more than the lease
	}
	args = append(append(args, p.Name), specs...)
	answer, err := p.call(ctx, limit, args...)
	if err != nil {
		return pushReport{}, err
	}
	return p.readReport(args, answer)
}

// expected is how git push is told what a ref must be.
func expected(id plumbing.Hash) string {
	if id.IsZero() {
		return ""
	}
	return id.String()
}
