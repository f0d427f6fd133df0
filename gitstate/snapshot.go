package gitstate

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"
)

// Guard says what a snapshot leaves out. It looks at new paths only, never at tracked ones.
type Guard struct {
	MaxFileSize int64    // bytes; zero means 100 MB (100,000,000)
	Allow       []string // paths (gitignore patterns) that are never left out
}

// Snapshot is the work tree as a tree, with the private index that made it.
type Snapshot struct {
	Tree    plumbing.Hash
	Skipped []SkippedPath // paths left out by the guard, or that could not be read
	Told    []string      // lines for the user: nested repositories taken in, linked worktrees left out
}

// Snapshot writes everything that git would commit with `add -A` as a tree, from a private index: the user's index, HEAD
// and work tree stay as they are. Close it.
func (r *Repository) Snapshot(ctx context.Context, g Guard) (*Snapshot, error) { return nil, nil }

// FollowIndex makes the user's index that of the snapshot, unless it changed since the snapshot was taken or somebody holds its lock: then
// it stays as it is and the result is false.
func (s *Snapshot) FollowIndex(ctx context.Context) (bool, error) { return false, nil }

// Close removes the private index.
func (s *Snapshot) Close() error { return nil }

// Dirty returns the paths that `git status --porcelain` prints, untracked files too, but for those in except (paths from the top level; one
// that ends in a slash stands for all below it).
func (r *Repository) Dirty(ctx context.Context, except ...string) ([]string, error) { return nil, nil }

// TreeOf returns HEAD's tree with the given paths (from the top level, as they are in the work tree; missing and ignored ones are passed over) put in, or the
// empty tree with them when HEAD is unborn. It is how the loop's own files get into the opening. Close the snapshot.
func (r *Repository) TreeOf(ctx context.Context, paths []string) (*Snapshot, error) { return nil, nil }
