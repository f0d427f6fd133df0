package gitstate

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// RepairNotes writes the notes again that the inspection found missing or wrong, all of them where this clone has none, in one transaction, and returns how many: what the trailers say is
// taken from there, what they do not say stays as it is where it can be read. No commit changes. The error wraps [ErrNewer] when a note is a later
// version's; then nothing was written.
func (r *Repository) RepairNotes(ctx context.Context, found Inspection) (int, error) {
	if len(found.mends) == 0 {
		return 0, nil
	}
	texts := make(map[plumbing.Hash][]byte, len(found.mends))
	for commit, totals := range found.mends {
		note, err := r.mendedNote(ctx, commit, totals)
		if err != nil {
			return 0, fmt.Errorf("repair note of %s: %w", commit, err)
		}
		if texts[commit], err = encodeNote(note); err != nil {
			return 0, fmt.Errorf("repair note of %s: %w", commit, err)
		}
	}
	t := Transaction{Message: "ralph: repair notes of " + found.Loop.Name}
	return len(texts), r.transactWithNotes(ctx, t, nil, texts)
}

// mendedNote is a note as it should be.
func (r *Repository) mendedNote(ctx context.Context, commit plumbing.Hash, totals Totals) (Note, error) {
	record, err := r.record(commit)
	if err != nil {
		return Note{}, err
	}
	mended := noteFromTrailers(State{Loop: Loop{Name: record.Loop}, Last: record, Totals: totals})
	there, err := r.Note(ctx, commit)
	switch {
	case errors.Is(err, ErrNewer):
		return Note{}, err
	case err != nil || there == nil:
		there = &Note{}
	}
	mended.keep(*there)
	if record.Files != nil && mended.Files() != *record.Files {
		changes, err := r.Changes(ctx, record.Previous, commit)
		if err != nil || changes.Counts() != *record.Files {
			changes = Changes{} // not all of it is in this clone
		}
		mended.Created, mended.Modified, mended.Deleted, mended.Renamed = changes.Created, changes.Modified, changes.Deleted, changes.Renamed
	}
	return mended, ctx.Err()
}

// keep takes over what trailers do not say.
func (n *Note) keep(old Note) {
	n.Started, n.Ended, n.Output, n.Error, n.Usage = old.Started, old.Ended, old.Output, old.Error, old.Usage
	if n.Ended.Before(n.Started.Add(-clockStep)) {
		n.Ended = n.Started
	}
	n.Created, n.Modified, n.Deleted, n.Renamed = old.Created, old.Modified, old.Deleted, old.Renamed
	if old.Summary != "" && n.Kind == Iteration {
		n.Summary = old.Summary
	}
	if n.Verify != nil && old.Verify != nil {
		n.Verify.Tail = old.Verify.Tail
		if n.Verify.Command == "" {
			n.Verify.Command = old.Verify.Command
		}
	}
	if n.Tests != nil && old.Tests != nil {
		n.Tests.Failures = old.Tests.Failures
	}
	if len(misfits(old.extra, knownNoteKeys(), "")) == 0 {
		n.extra = old.extra
	}
}
