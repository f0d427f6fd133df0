package gitstate

import (
	"context"
	"errors"
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
	StandsAnother  Standing = "another"  // it is another loop of the same name
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
		if on, err := r.onChain(ctx, ours.Tip, theirs); err != nil || on {
			return StandsBehind, err
		}
		return r.divergence(ctx, ours, theirs)
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
	return r.divergence(ctx, ours, theirs)
}

// divergence tells two lines of one loop from two loops of one name. Where not all of them is here they count as one.
func (r *Repository) divergence(ctx context.Context, ours, theirs Loop) (Standing, error) {
	mine, err := r.State(ctx, ours)
	if err == nil {
		var other State
		if other, err = r.State(ctx, theirs); err == nil && other.Totals.Opening != mine.Totals.Opening {
			return StandsAnother, nil
		}
	}
	if errors.Is(err, ErrIncomplete) {
		err = nil
	}
	return StandsDiverged, err
}

// onChain reports whether a loop's own chain goes through a commit that its history holds.
func (r *Repository) onChain(ctx context.Context, commit plumbing.Hash, l Loop) (bool, error) {
	for record, err := range r.Records(ctx, l) {
		if err != nil || record.Commit == commit {
			return err == nil, err
		}
	}
	return false, nil
}
