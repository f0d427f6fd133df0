package gitstate

import (
	"context"
	"errors"
	"iter"

	"github.com/go-git/go-git/v5/plumbing"
)

// ErrNoLoop says that there is no such loop.
var ErrNoLoop = errors.New("no such loop")

// Loop is a loop's name and where it is found.
type Loop struct {
	Name   string
	Branch plumbing.ReferenceName // refs/heads/…: the loop branch, which may not exist here
	Tip    plumbing.Hash          // our last commit
	Found  plumbing.ReferenceName // the ref that it was found on: refs/ralph/tip/…, a local or a remote-tracking branch
}

// State is what a loop has come to.
type State struct {
	Loop   Loop
	Last   Record   // at the tip
	Note   *Note    // of the tip; nil: missing or not readable
	Totals Totals   // from the note, or walked from the trailers
	Config []string // lines of the configuration in force
	Prompt string   // of the opening
	Base   *Base
}

// Loops returns the loops of this clone, sorted by name: by their tips, and those only found on a branch.
func (r *Repository) Loops(ctx context.Context) ([]Loop, error) { return nil, nil }

// FindLoop returns the loop of that name; the error wraps [ErrNoLoop].
func (r *Repository) FindLoop(ctx context.Context, name string) (Loop, error) { return Loop{}, nil }

// HeadBranch returns the branch that HEAD names (it may be unborn); empty: detached.
func (r *Repository) HeadBranch(ctx context.Context) (plumbing.ReferenceName, error) { return "", nil }

// State reads a loop: the commit at the tip, its note and the commits that the note names; without a usable note the whole chain.
func (r *Repository) State(ctx context.Context, l Loop) (State, error) { return State{}, nil }

// Records streams the loop's records from the tip back to the opening, read with one git log. It stops after the first error.
func (r *Repository) Records(ctx context.Context, l Loop) iter.Seq2[Record, error] { return nil }

// Note returns the note of a commit of ours; nil: there is none.
func (r *Repository) Note(ctx context.Context, commit plumbing.Hash) (*Note, error) { return nil, nil }
