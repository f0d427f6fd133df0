package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
)

// Ready says that an [Repository.Append] with that message for the reflogs follows soon, so that what it needs can start meanwhile. Nothing has to follow.
func (r *Repository) Ready(ctx context.Context, reflog string) {
	if s, ok := r.store.(*gitStore); ok {
		s.Ready(ctx, reflog)
	}
}

// Collect takes a snapshot of what an agent left, after [Repository.Gather] where it is needed. Mostly it is not: HEAD is where it was, nothing is under way,
// and the snapshot itself shows it. Close the snapshot.
func (r *Repository) Collect(ctx context.Context, q GatherRequest) (Gathered, *Snapshot, error) {
	told, err := r.moveLeftLocks(ctx, q)
	if err != nil {
		return Gathered{}, nil, fmt.Errorf("gather what the agent left: %w", err)
	}
	if r.notesGone() {
		told = append(told, NotesRef+" is gone, and with it the notes of all earlier iterations: write them again with git ralph fsck --repair")
	}
	if found, snap, err := r.collectHere(ctx, q); snap != nil || err != nil {
		found.Told = append(told, found.Told...)
		return found, snap, err
	}
	found, err := r.Gather(ctx, q)
	found.Told = append(told, found.Told...)
	if err != nil {
		return found, nil, fmt.Errorf("gather what the agent left: %w", err)
	}
	snap, err := r.Snapshot(ctx, q.Guard)
	return found, snap, err
}

// notesGone reports whether there are no notes any more. Those of the last iteration are mostly a file that was written just now: then nobody is asked.
func (r *Repository) notesGone() bool {
	if exists(filepath.Join(r.CommonDir, filepath.FromSlash(NotesRef))) {
		return false
	}
	id, err := r.store.Resolve(NotesRef)
	return err == nil && id.IsZero()
}

// collectHere takes the snapshot where nothing has to be gathered. It returns no snapshot otherwise. Where HEAD cannot be read it does not try: git might
// find another repository above this one.
func (r *Repository) collectHere(ctx context.Context, q GatherRequest) (Gathered, *Snapshot, error) {
	if !readableHead(filepath.Join(r.GitDir, "HEAD")) {
		return Gathered{}, nil, nil
	}
	snap, err := r.Snapshot(ctx, q.Guard)
	if err != nil {
		return Gathered{}, nil, ctx.Err() // Gather meets what stands in the way
	}
	op, err := r.operation(ctx)
	if err == nil && op == nil && snap.commit == q.Tip.String() && snap.branch == q.Branch.Short() {
		found := Gathered{Parent: q.Tip, Branch: q.Tip}
		if err := r.keepForsaken(ctx, q, &found); err != nil {
			return Gathered{}, nil, errors.Join(err, snap.Close())
		}
		return found, snap, nil
	}
	return Gathered{}, nil, snap.Close()
}
