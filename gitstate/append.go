package gitstate

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
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
	Reflog  string        // message for the reflogs
}

// Append writes the entries as commits on top of each other, with their notes, and moves the loop branch, the loop's tip and the notes
// in one transaction. It returns the loop's new state.
//
// When another process wrote notes meanwhile, they are joined and the transaction is tried again. When the branch or the tip is not where it was
// read the error is a *[ConflictError]; then, as after any error, no ref has moved and the new objects are unreachable.
func (r *Repository) Append(ctx context.Context, q AppendRequest) (State, error) {
	state := q.State
	texts := map[plumbing.Hash][]byte{}
	for i, entry := range q.Entries {
		if i > 0 {
			entry.Onto = state.Last.Commit
		}
		record, note, err := r.writeEntry(ctx, state, entry)
		if err != nil {
			return State{}, err
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
	if err := r.transactWithNotes(ctx, Transaction{Message: q.Reflog, Updates: updates}, texts); err != nil {
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

// writeEntry writes the commit and returns the record and the note with all that is known then.
func (r *Repository) writeEntry(ctx context.Context, state State, entry Entry) (Record, Note, error) {
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
	id, err := r.CommitTree(ctx, record.Tree, record.Parents, record.message().String())
	if err != nil {
		return Record{}, Note{}, err
	}
	commit, err := object.GetCommit(r.store, id)
	if err != nil {
		return Record{}, Note{}, fmt.Errorf("read commit %s: %w", id, err)
	}
	record.Commit, record.Time = id, commit.Committer.When.UTC()
	note.Kind, note.Loop, note.Iteration = record.Kind, record.Loop, record.Iteration
	note.Totals = state.Totals.Add(record)
	return record, note, nil
}

// CommitTree writes a commit, signed where the user's configuration says so. No hook runs and no ref moves.
func (r *Repository) CommitTree(ctx context.Context, tree plumbing.Hash, parents []plumbing.Hash, message string) (plumbing.Hash, error) {
	sign, err := r.signs(ctx)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	args := []string{"-c", "core.fsync=committed", "-c", "i18n.commitEncoding=UTF-8", "commit-tree", tree.String()}
	if sign {
		args = append(args, "-S")
	}
	for _, parent := range parents {
		args = append(args, "-p", parent.String())
	}
	out, err := r.git.do(ctx, call{args: append(args, "-F", "-"), stdin: strings.NewReader(message)})
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write commit: %w", err)
	}
	return plumbing.NewHash(strings.TrimSpace(string(out))), nil
}

// signs reports whether commits are to be signed. It asks git once.
func (r *Repository) signs(ctx context.Context) (bool, error) {
	if r.signing == nil {
		value, err := r.git.line(ctx, "config", "--type=bool", "--get", "commit.gpgSign")
		if err != nil && exitCode(err) != 1 {
			return false, fmt.Errorf("read commit.gpgSign: %w", err)
		}
		sign := value == "true"
		r.signing = &sign
	}
	return *r.signing, nil
}

// Committer returns the identity that git commits with, at this time; the error wraps [ErrNoIdentity] when there is none. It asks git once.
func (r *Repository) Committer(ctx context.Context) (object.Signature, error) {
	if r.committer != nil {
		who := *r.committer
		who.When = time.Now()
		return who, nil
	}
	line, err := r.git.line(ctx, "var", "GIT_COMMITTER_IDENT")
	if err != nil {
		return object.Signature{}, fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	var who object.Signature
	who.Decode([]byte(line))
	r.committer = &who
	return who, nil
}

// ErrNoIdentity says that git does not know who commits.
var ErrNoIdentity = errors.New("git does not know who commits here")

// Times that a transaction is tried again when only the notes moved, or a lock was held, and the longest pause between two tries.
const (
	notesTries = 100
	notesPause = 100 * time.Millisecond
)

// transactWithNotes adds the notes' update to the transaction and runs it, again as long as only the notes are in the way.
func (r *Repository) transactWithNotes(ctx context.Context, t Transaction, texts map[plumbing.Hash][]byte) error {
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
		if err := r.store.WriteObjects(ctx, objects); err != nil {
			return fmt.Errorf("write notes: %w", err)
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
