package gitstate

import (
	"context"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Gathered is what an agent left behind.
type Gathered struct {
	Parent plumbing.Hash            // parent for the iteration's commit: our tip, or what the agent committed above it
	Branch plumbing.Hash            // value of the loop branch that the transaction must expect; zero: the branch is gone
	Stray  string                   // what the agent did to HEAD, one line; empty: HEAD's first-parent line holds our tip
	Kept   []plumbing.ReferenceName // refs that hold what was moved away from
	Told   []string                 // lines for the user: locks moved away, a merge that was ended
}

// GatherRequest says where the loop is.
type GatherRequest struct {
	Loop   string                 // name
	Branch plumbing.ReferenceName // the loop branch
	Tip    plumbing.Hash          // our last commit
	Since  time.Time              // begin of the iteration: a lock file is only moved away when younger
	Guard  Guard
}

// Gather brings HEAD back onto the loop branch after an agent ran, without losing a byte.
//
// HEAD's first-parent line holds our tip: its commits are adopted (Parent), and the loop branch is HEAD again. It does not: HEAD and
// the uncommitted work are kept under refs/ralph/kept/<loop>/<n>, the work tree goes back to our tip, and Stray says so. A merge, rebase, cherry-pick or
// revert left open is ended with --quit, its other parent kept. Lock files that the agent left are moved into the loop's directory. It is done
// by steps that may each be repeated: after a crash call it again.
func (r *Repository) Gather(ctx context.Context, q GatherRequest) (Gathered, error) {
	return Gathered{}, nil
}

// Operation names the merge, rebase, cherry-pick, revert, am or bisect that is under way in this work tree; empty: none.
func (r *Repository) Operation(ctx context.Context) (string, error) { return "", nil }

// Keep writes HEAD and the uncommitted work as a commit under the next refs/ralph/kept/<loop>/<n> and returns the ref.
func (r *Repository) Keep(ctx context.Context, loop string, g Guard, message string) (plumbing.ReferenceName, error) {
	return "", nil
}

// AttachHead makes HEAD the branch, whose tree the work tree already has but for uncommitted work, and touches nothing else.
func (r *Repository) AttachHead(ctx context.Context, branch plumbing.ReferenceName, reason string) error {
	return nil
}

// Switch takes the work tree to the branch as `git switch` does: it refuses to overwrite anything.
func (r *Repository) Switch(ctx context.Context, branch plumbing.ReferenceName) error { return nil }

// AddWorktree makes a linked worktree with the branch in it and opens it.
func (r *Repository) AddWorktree(ctx context.Context, path string, branch plumbing.ReferenceName) (*Repository, error) {
	return nil, nil
}

// CheckedOutAt returns the path of the work tree in which the branch is checked out; empty: none.
func (r *Repository) CheckedOutAt(ctx context.Context, branch plumbing.ReferenceName) (string, error) {
	return "", nil
}
