package gitstate

import (
	"context"
	"errors"
	"math/rand/v2"
	"strconv"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// remotePause is how much longer a try waits at most than the one before when others push to the same refs at the same time.
const remotePause = 20 * time.Millisecond

// uneven is a pause that is another one for each of those that meet.
func (p *push) uneven() time.Duration { return rand.N(time.Duration(p.tries) * remotePause) }

// meetLease looks whose the remote's lease is. If it is ours, or may be taken, it is what the next try expects.
func (p *push) meetLease(ctx context.Context) error {
	seen, err := p.Look(ctx, p.q.Loop, p.q.Branch)
	if err != nil {
		return err
	}
	theirs, err := p.leaseOf(ctx, p.q.Loop, seen.Leases[p.q.Loop])
	if err != nil {
		return err
	}
	if !p.mayHold(theirs) {
		theirs.Loop = p.q.Loop
		return errors.Join(&LeaseError{Remote: p.Name, Lease: theirs}, p.forget(ctx))
	}
	if theirs.Owner != "" && theirs.Owner != p.lease.Owner && !theirs.Released {
		p.tell("took the loop over from %s, who was heard of last at %s", theirs.Holder(), theirs.Heartbeat.UTC().Format("2006-01-02 15:04 UTC"))
	}
	p.expect = seen.Leases[p.q.Loop]
	return nil
}

// mayHold reports whether we may write our lease over this one.
func (p *push) mayHold(theirs Lease) bool {
	switch {
	case theirs.Owner == "" || theirs.Owner == p.lease.Owner && theirs.Place == p.lease.Place:
		return true
	case p.q.Claim == ClaimOurs:
		return false
	case p.q.Claim == ClaimAny && p.q.From == "":
		p.q.From = theirs.Owner
	}
	return theirs.Free(p.q.Now) || p.q.Claim == ClaimAny && theirs.Owner == p.q.From
}

// forget takes the lease back that was written here and that the remote does not have: whose it is there is somebody else.
func (p *push) forget(ctx context.Context) error {
	if p.known == p.before {
		return nil
	}
	return p.repo.MoveRef(ctx, "ralph: lease "+p.q.Loop+" is not ours", RefUpdate{Name: p.leasedRef(p.q.Loop), Old: p.known, New: p.before})
}

// rewound is a remote's branch that is to be taken back.
type rewound struct {
	theirs plumbing.Hash          // what it is
	kept   plumbing.Hash          // commit that is kept here, and holds it
	ref    plumbing.ReferenceName // where the remote keeps that
}

// meetBranch finds out whether the remote's branch is one that was moved away from here: then it may be replaced. Otherwise it has commits that are not here.
func (p *push) meetBranch(ctx context.Context) error {
	prefix := plumbing.ReferenceName(keptPrefix(p.q.Loop))
	seen, err := p.list(ctx, p.q.Branch.String(), prefix.String()+"*")
	if err != nil {
		return err
	}
	theirs := seen[p.q.Branch]
	kept, err := p.repo.keptHolding(ctx, p.q.Loop, theirs)
	if err != nil {
		return err
	}
	if kept == nil || p.rewind != nil && p.rewind.theirs == theirs {
		return &DivergedError{Remote: p.Name, Branch: p.q.Branch, Theirs: theirs}
	}
	p.rewind = &rewound{theirs: theirs, kept: kept.commit, ref: kept.name}
	for n := kept.number; seen[p.rewind.ref] != plumbing.ZeroHash && seen[p.rewind.ref] != kept.commit; n++ {
		p.rewind.ref = plumbing.ReferenceName(keptPrefix(p.q.Loop) + strconv.Itoa(n+1)) // another clone kept something under that number
	}
	return nil
}

// keptHolding returns the kept ref of the loop that holds a commit; nil: none does.
func (r *Repository) keptHolding(ctx context.Context, loop string, commit plumbing.Hash) (*keptRef, error) {
	if commit.IsZero() || r.store.HasEncodedObject(commit) != nil {
		return nil, nil
	}
	all, err := r.keptRefs(ctx, loop)
	if err != nil {
		return nil, err
	}
	for _, kept := range all {
		if held, err := r.holds(ctx, commit, kept.commit); err != nil || held {
			return &kept, err
		}
	}
	return nil, nil
}
