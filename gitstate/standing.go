package gitstate

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// Standing says how a loop here stands to the same loop on a remote.
type Standing string

// The ways two copies of a loop stand to each other.
const (
	StandsSame     Standing = "same"
	StandsBehind   Standing = "behind"   // the remote's goes on where ours ends
	StandsAhead    Standing = "ahead"    // ours goes on where the remote's ends, or was taken back from there
	StandsDiverged Standing = "diverged" // each has iterations that the other has not
)

// LoopOn finds the loop whose branch a ref is, a local or a remote-tracking one; false: it is none's, or not all of the loop is here ([ErrIncomplete]).
func (r *Repository) LoopOn(ctx context.Context, ref plumbing.ReferenceName) (Loop, bool, error) {
	id, err := r.store.Resolve(ref)
	if err != nil || id.IsZero() {
		return Loop{}, false, err
	}
	return r.loopOnBranch(ctx, Ref{Name: ref, Hash: id})
}

// Tracked finds the loop as the remote had it when it was fetched last; false: it was not fetched, or not all of it is here.
func (m *Remote) Tracked(ctx context.Context, branch plumbing.ReferenceName) (Loop, bool, error) {
	return m.repo.LoopOn(ctx, m.tracking(branch))
}

// Stands compares a loop here with the one that a remote-tracking branch has.
func (r *Repository) Stands(ctx context.Context, ours, theirs Loop) (Standing, error) {
	if ours.Tip == theirs.Tip {
		return StandsSame, nil
	}
	if behind, err := r.holds(ctx, ours.Tip, theirs.Tip); err != nil {
		return "", fmt.Errorf("compare loop %s with %s: %w", ours.Name, theirs.Found, err)
	} else if behind {
		kept, err := r.keptHolding(ctx, ours.Name, theirs.Tip) // taken back here
		if err != nil || kept != nil {
			return StandsAhead, err
		}
		return r.onChain(ctx, ours.Tip, theirs)
	}
	ahead, err := r.holds(ctx, theirs.Tip, ours.Tip)
	if err != nil {
		return "", fmt.Errorf("compare loop %s with %s: %w", ours.Name, theirs.Found, err)
	}
	if ahead {
		return StandsAhead, nil
	}
	kept, err := r.keptHolding(ctx, ours.Name, theirs.Tip) // taken back here, and an event says so
	if err != nil || kept != nil {
		return StandsAhead, err
	}
	return StandsDiverged, nil
}

// onChain makes sure that a loop's own chain goes through a commit that its history holds.
func (r *Repository) onChain(ctx context.Context, commit plumbing.Hash, l Loop) (Standing, error) {
	for record, err := range r.Records(ctx, l) {
		if err != nil {
			return "", err
		}
		if record.Commit == commit {
			return StandsBehind, nil
		}
	}
	return StandsDiverged, nil
}
