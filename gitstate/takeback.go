package gitstate

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// TakeBackRequest says where a loop goes back to.
type TakeBackRequest struct {
	Now   State         // as it was read
	Then  State         // as it was at the commit of ours that it goes back to
	Onto  plumbing.Hash // what the event stands on, with the tree that counts from now on: Then's commit, or one above it
	Event string        // rewind or undo
	Guard Guard         // what is left out where uncommitted work is kept
}

// TookBack is what came of it.
type TookBack struct {
	State State                    // with the event as the last commit
	Kept  plumbing.ReferenceName   // holds what the loop moved away from, uncommitted work too
	Work  bool                     // there was uncommitted work
	Also  []plumbing.ReferenceName // what came into the work tree meanwhile and is kept, too
}

// TakeBack makes a loop what it was at an earlier commit of ours, but for what was spent: it writes an event on that commit. What the branch moves away
// from is kept, with what is uncommitted where HEAD is the branch; then the work tree follows. Branch, tip, kept ref and notes move in one transaction;
// after a crash they are before or after, and [Repository.FinishMove] brings the work tree along. The caller holds the locks of the loop and of the work
// tree.
func (r *Repository) TakeBack(ctx context.Context, q TakeBackRequest) (TookBack, error) {
	branch, err := r.store.Resolve(q.Now.Loop.Branch)
	if err != nil {
		return TookBack{}, err
	}
	from, err := r.withWork(ctx, q, branch)
	if err != nil {
		return TookBack{}, fmt.Errorf("keep uncommitted work: %w", err)
	}
	took := TookBack{Work: from != branch}
	kept, there, err := r.keptFor(ctx, q.Now.Loop.Name, from)
	if err != nil {
		return TookBack{}, err
	}
	took.Kept = kept
	first := []RefUpdate{{Name: movingRef(q.Now.Loop.Name), New: from}}
	if !there {
		first = append(first, RefUpdate{Name: kept, New: from})
	}
	record := Record{Kind: Event, Event: q.Event, From: q.Now.Loop.Tip, Kept: []plumbing.ReferenceName{kept}, Held: from}.withSpent(q.Now.Totals, q.Then.Totals)
	if record.Tree, err = r.TreeID(q.Onto); err != nil {
		return TookBack{}, err
	}
	then := q.Then
	then.Loop = q.Now.Loop
	took.State, err = r.Append(ctx, AppendRequest{
		State: then, Branch: branch, First: first, Reflog: fmt.Sprintf("ralph: %s %s", q.Event, q.Now.Loop.Name),
		Entries: []Entry{{Record: record, Onto: q.Onto}},
	})
	if err != nil {
		return TookBack{}, err
	}
	took.Also, err = r.FinishMove(ctx, took.State.Loop, q.Guard)
	return took, err
}

// withWork returns the branch, or a commit on it with the uncommitted work and with the ignored files that are in the way.
func (r *Repository) withWork(ctx context.Context, q TakeBackRequest, branch plumbing.Hash) (from plumbing.Hash, err error) {
	head, err := r.HeadBranch(ctx)
	if err != nil || head != q.Now.Loop.Branch {
		return branch, err
	}
	snap, err := r.snapshot(ctx, q.Guard, q.Onto)
	if err != nil {
		return branch, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	if err := snap.takeInTheWay(ctx, q.Onto); err != nil {
		return branch, err
	}
	message := fmt.Sprintf("ralph: work kept for %s\n\nIt was uncommitted at the %s.\n", q.Now.Loop.Name, q.Event)
	return r.headWith(ctx, q.Now.Loop.Name, snap.Tree, plumbing.ZeroHash, message)
}
