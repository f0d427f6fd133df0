package gitstate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// State is what a loop has come to.
type State struct {
	Loop   Loop
	Last   Record   // at the tip
	Note   *Note    // of the tip; nil: missing or not readable
	Totals Totals   // from the note, or walked from the trailers
	Config []string // lines of the configuration in force
	Prompt string   // of the opening
	Base   *Base    // of the opening
}

// ErrIncomplete says that a part of a loop's history is not in this clone.
var ErrIncomplete = errors.New("the loop's history is not all in this clone")

// State reads a loop: the commit at the tip, its note and the two commits that the note names; without a usable note the
// whole chain. A note of a newer version is an error that wraps [ErrNewer].
func (r *Repository) State(ctx context.Context, l Loop) (State, error) {
	last, err := r.record(l.Tip)
	if err != nil {
		return State{}, fmt.Errorf("read loop %s: %w", l.Name, err)
	}
	if last.Loop != l.Name {
		return State{}, fmt.Errorf("read loop %s: commit %s belongs to loop %s", l.Name, l.Tip, last.Loop)
	}
	s := State{Loop: l, Last: last}
	if s.Note, err = r.Note(ctx, l.Tip); err != nil {
		if errors.Is(err, ErrNewer) {
			return State{}, fmt.Errorf("read loop %s: %w", l.Name, err)
		}
		s.Note = nil
	}
	opening, config, ok := r.fromNote(&s)
	if !ok {
		if opening, config, err = r.walk(&s); err != nil {
			return State{}, fmt.Errorf("read loop %s: %w", l.Name, err)
		}
	}
	s.Config, s.Prompt, s.Base = config.Config, opening.Body, opening.Base
	s.Totals.verifyAlways = verifiesAlways(s.Config)
	branch, err := branchOf(s.Config)
	if err != nil {
		return State{}, fmt.Errorf("read loop %s: %w", l.Name, err)
	}
	s.Loop.Branch = branch
	return s, nil
}

// fromNote takes the totals from the note of the tip when it agrees with the trailers, and reads the two commits that it names.
func (r *Repository) fromNote(s *State) (opening, config Record, ok bool) {
	if s.Note == nil || s.Note.Loop != s.Last.Loop || s.Note.Totals.Iteration != s.Last.Iteration || s.Note.Totals.Exit != s.Last.Exit && s.Last.Exit != "" {
		return opening, config, false
	}
	totals := s.Note.Totals
	opening, err := r.record(totals.Opening)
	if err != nil || opening.Kind != Opening || opening.Loop != s.Last.Loop {
		return opening, config, false
	}
	config = opening
	if totals.Config != totals.Opening {
		config, err = r.record(totals.Config)
	}
	if err != nil || config.Loop != s.Last.Loop || len(config.Config) == 0 {
		return opening, config, false
	}
	totals.LastTree = s.Last.Tree
	s.Totals = totals
	return opening, config, true
}

// walk adds the totals up from the trailers of the whole chain.
func (r *Repository) walk(s *State) (opening, config Record, err error) {
	chain := []Record{s.Last}
	for last := s.Last; last.Kind != Opening; {
		if last.Previous.IsZero() {
			return opening, config, fmt.Errorf("commit %s has no Ralph-Previous", last.Commit)
		}
		commit := last.Previous
		if last, err = r.record(commit); err != nil {
			return opening, config, err
		}
		if last.Loop != s.Last.Loop {
			return opening, config, fmt.Errorf("commit %s belongs to loop %s", commit, last.Loop)
		}
		if last.Kind != Opening {
			last.Body = ""
		}
		chain = append(chain, last)
	}
	for _, record := range slices.Backward(chain) {
		s.Totals = s.Totals.Add(record)
		if len(record.Config) > 0 {
			config = record
		}
	}
	return chain[len(chain)-1], config, nil
}

// record reads one commit of ours.
func (r *Repository) record(id plumbing.Hash) (Record, error) {
	commit, err := object.GetCommit(r.store, id)
	if errors.Is(err, plumbing.ErrObjectNotFound) {
		return Record{}, fmt.Errorf("commit %s: %w", id, ErrIncomplete)
	}
	if err != nil {
		return Record{}, fmt.Errorf("commit %s: %w", id, err)
	}
	record, ours, err := ParseRecord(commit)
	if err != nil {
		return Record{}, err
	}
	if !ours {
		return Record{}, fmt.Errorf("commit %s is not a loop's", id)
	}
	return record, nil
}

// Note returns the note of a commit of ours; nil: there is none.
func (r *Repository) Note(ctx context.Context, commit plumbing.Hash) (*Note, error) {
	notes, err := r.store.Resolve(NotesRef)
	if err != nil || notes.IsZero() {
		return nil, err
	}
	text, ok, err := noteText(r.store, notes, commit)
	if err != nil || !ok {
		return nil, err
	}
	note, err := decodeNote(text)
	if err != nil {
		return nil, fmt.Errorf("note of commit %s: %w", commit, err)
	}
	return &note, nil
}

// branchOf reads the loop branch out of the lines of a configuration.
func branchOf(config []string) (plumbing.ReferenceName, error) {
	for _, line := range config {
		if value, ok := strings.CutPrefix(line, "branch = "); ok {
			name, err := strconv.Unquote(value)
			if err != nil {
				return "", fmt.Errorf("branch in Ralph-Config: %w", err)
			}
			return plumbing.NewBranchReferenceName(name), nil
		}
	}
	return "", errors.New("Ralph-Config names no branch")
}
