package gitstate

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// Repair completes a transaction that a kill cut in two, or a branch that was deleted: the tip decides. A loop branch that is missing or still at the tip's
// first parent is moved to the tip, a note that is missing is written again from the trailers. The caller holds the loop's lock.
func (r *Repository) Repair(ctx context.Context, s State) (State, error) {
	branch, err := r.store.Resolve(s.Loop.Branch)
	if err != nil {
		return s, err
	}
	if branch, err = r.completeMove(ctx, s.Loop, branch); err != nil {
		return s, fmt.Errorf("complete the last move: %w", err)
	}
	behind := len(s.Last.Parents) > 0 && branch == s.Last.Parents[0]
	if branch.IsZero() || behind {
		update := RefUpdate{Name: s.Loop.Branch, Old: branch, New: s.Loop.Tip}
		if err := r.MoveRef(ctx, "ralph: complete the last iteration", update); err != nil {
			return s, fmt.Errorf("complete the last iteration: %w", err)
		}
	}
	if s.Note != nil {
		return s, nil
	}
	note := noteFromTrailers(s)
	text, err := encodeNote(note)
	if err != nil {
		return s, fmt.Errorf("write note of %s: %w", s.Loop.Tip, err)
	}
	t := Transaction{Message: "ralph: write a note again"}
	if err := r.transactWithNotes(ctx, t, nil, map[plumbing.Hash][]byte{s.Loop.Tip: text}); err != nil {
		return s, fmt.Errorf("write note of %s: %w", s.Loop.Tip, err)
	}
	s.Note = &note
	return s, nil
}

// noteFromTrailers returns what of the tip's note follows from the chain.
func noteFromTrailers(s State) Note {
	note := Note{
		Kind: s.Last.Kind, Loop: s.Loop.Name, Iteration: s.Last.Iteration, Agent: s.Last.Agent, Session: s.Last.Session, ExitCode: s.Last.ExitCode,
		Status: s.Last.Status, Config: s.Last.Config, Totals: s.Totals,
	}
	switch s.Last.Kind {
	case Opening:
		note.Prompt = s.Last.Body
	case Iteration:
		note.Summary = s.Last.Body
	}
	if t := s.Last.Tests; t != nil {
		note.Tests = &TestDetail{Passed: t.Passed, Failed: t.Failed, Skipped: t.Skipped}
	}
	if v := s.Last.Verify; v != nil {
		note.Verify = &VerifyDetail{Command: v.Command, Passed: v.Passed, ExitCode: v.ExitCode}
	}
	return note
}
