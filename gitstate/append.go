package gitstate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Entry is one commit of ours that is to be written.
type Entry struct {
	Record Record          // Tree is required; Commit, Parents, Previous and Time are set by Append
	Note   Note            // Kind, Loop, Iteration and Totals are set by Append
	Onto   plumbing.Hash   // the first parent of the first entry; the others follow each other. Zero: the commit is a root
	Merged []plumbing.Hash // further parents
}

// AppendRequest is what is written in one ref transaction.
type AppendRequest struct {
	State   State         // what was read; zero totals and a loop without a tip for a new one
	Branch  plumbing.Hash // value that the loop branch must have; zero: it must not exist
	Entries []Entry       // at least one
	Tells   []Tell        // guidance that the entries record: its refs are deleted
	First   []RefUpdate   // refs that move before ours: a kill between two renames leaves them moved, and ours not
	Reflog  string        // message for the reflogs
	Moving  bool          // a later entry has another tree than the first, whose tree the work tree holds: [Repository.FinishMove] has to follow
}

// Append writes the entries as commits on top of each other, with their notes, and moves the loop branch, the loop's tip and the notes
// in one transaction. It returns the loop's new state.
//
// When another process wrote notes meanwhile, they are joined and the transaction is tried again. When the branch or the tip is not where it was
// read the error is a *[ConflictError]; then, as after any error, no ref has moved and the new objects are unreachable.
func (r *Repository) Append(ctx context.Context, q AppendRequest) (State, error) {
	state := q.State
	texts := map[plumbing.Hash][]byte{}
	var commits []plumbing.EncodedObject
	var first plumbing.Hash
	for i, entry := range q.Entries {
		if i > 0 {
			entry.Onto = state.Last.Commit
		}
		record, note, pending, err := r.writeEntry(ctx, state, entry)
		if err != nil {
			return State{}, err
		}
		if pending != nil {
			commits = append(commits, pending)
		}
		if i == 0 {
			first = record.Commit
		}
		state = state.follow(record, note)
		if texts[record.Commit], err = encodeNote(note); err != nil {
			return State{}, fmt.Errorf("write note of %s: %w", record.Commit, err)
		}
	}
	updates := []RefUpdate{ // the tip comes first: killed between two renames, git leaves a tip that says how far we were
		{Name: state.Loop.TipRef(), Old: q.State.Loop.Tip, New: state.Last.Commit},
		{Name: state.Loop.Branch, Old: q.Branch, New: state.Last.Commit},
	}
	if q.State.Loop.Found != "" && q.State.Loop.Found != q.State.Loop.TipRef() {
		updates[0].Old = plumbing.ZeroHash // found on a branch: the tip ref is made now
	}
	for _, tell := range q.Tells {
		updates = append(updates, RefUpdate{Name: tell.Ref, Old: tell.blob})
	}
	updates = append(q.First[:len(q.First):len(q.First)], updates...)
	if q.Moving {
		updates = slices.Insert(updates, 0, RefUpdate{Name: movingRef(state.Loop.Name), New: first}) // first: killed between two renames the move is known
	}
	if err := r.transactWithNotes(ctx, Transaction{Message: q.Reflog, Updates: updates}, commits, texts); err != nil {
		return State{}, err
	}
	state.Loop.Tip, state.Loop.Found = state.Last.Commit, state.Loop.TipRef()
	return state, nil
}

// follow returns the state after one more record.
func (s State) follow(record Record, note Note) State {
	s.Last, s.Note, s.Totals = record, &note, note.Totals
	switch {
	case record.Kind == Opening:
		s.Prompt, s.Base, s.Config = record.Body, record.Base, record.Config
	case len(record.Config) > 0:
		s.Config = record.Config
	}
	return s
}

// writeEntry makes the commit and returns the record and the note with all that is known then, and the commit if it is still to be written.
func (r *Repository) writeEntry(ctx context.Context, state State, entry Entry) (Record, Note, plumbing.EncodedObject, error) {
	record, note := entry.Record, entry.Note
	record.Loop = state.Loop.Name
	if record.Kind != Opening {
		record.Previous = state.Last.Commit
	}
	if record.Kind != Opening && record.Kind != Iteration {
		record.Iteration = state.Totals.Iteration
	}
	record.Parents = nil
	if !entry.Onto.IsZero() {
		record.Parents = append([]plumbing.Hash{entry.Onto}, entry.Merged...)
	}
	message := record.message().String()
	commit, pending, err := r.newCommit(ctx, record.Tree, record.Parents, message)
	if err != nil {
		return Record{}, Note{}, nil, err
	}
	record, ours, err := ParseRecord(commit) // rounded as readers will find it, so that a clone adds up to the same totals
	if err != nil || !ours {
		return Record{}, Note{}, nil, fmt.Errorf("write commit: it would not be read as a loop's: %q", message)
	}
	if v := entry.Record.Verify; v != nil && record.Verify != nil {
		record.Verify.Command = v.Command // the trailer of a verify that passed does not tell it, the note may
	}
	note.Kind, note.Loop, note.Iteration = record.Kind, record.Loop, record.Iteration
	note.Totals = state.Totals.Add(record)
	return record, note, pending, nil
}

// Times that a transaction is tried again when only the notes moved, or a lock was held, and the longest pause between two tries.
const (
	notesTries = 100
	notesPause = 100 * time.Millisecond
)

// transactWithNotes writes the commits and notes, adds the notes' update to the transaction and runs it, again as long as only the notes are in the way.
func (r *Repository) transactWithNotes(ctx context.Context, t Transaction, commits []plumbing.EncodedObject, texts map[plumbing.Hash][]byte) error {
	who, err := r.Committer(ctx)
	if err != nil {
		return err
	}
	updates := t.Updates
	for try := 1; ; try++ {
		old, err := r.store.Resolve(NotesRef)
		if err != nil {
			return fmt.Errorf("read %s: %w", NotesRef, err)
		}
		objects, err := addNotes(r.store, old, texts, who, t.Message)
		if err != nil {
			return fmt.Errorf("write notes: %w", err)
		}
		if err := r.store.WriteObjects(ctx, append(commits[:len(commits):len(commits)], objects...)); err != nil {
			return fmt.Errorf("write commits and notes: %w", err)
		}
		t.Updates = append(updates[:len(updates):len(updates)], RefUpdate{Name: NotesRef, Old: old, New: objects[len(objects)-1].Hash()})
		err = r.store.Transact(ctx, t)
		if err == nil || try == notesTries || !r.onlyNotesInTheWay(err, updates, old) {
			return err
		}
		if err := pause(ctx, min(time.Duration(try)*5*time.Millisecond, notesPause)); err != nil {
			return err
		}
	}
}

// onlyNotesInTheWay reports whether a transaction may be tried again after err: a lock was held, or the notes moved, and
// all other refs are still where they were.
func (r *Repository) onlyNotesInTheWay(err error, others []RefUpdate, notes plumbing.Hash) bool {
	locked := errors.Is(err, ErrLocked)
	if _, conflict := errors.AsType[*ConflictError](err); !locked && !conflict {
		return false
	}
	for _, update := range others {
		if now, err := r.store.Resolve(update.Name); err != nil || now != update.Old {
			return false
		}
	}
	now, err := r.store.Resolve(NotesRef)
	return err == nil && (locked || now != notes)
}

// pause waits, or returns ctx's error.
func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
