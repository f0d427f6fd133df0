package gitstate

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"
)

// Changes are the files that differ between two trees, whole tree, renames found by git.
type Changes struct {
	Created, Modified, Deleted []string
	Renamed                    []RenamedPath
}

// Counts returns how many there are.
func (c Changes) Counts() FileCounts {
	return FileCounts{Created: len(c.Created), Modified: len(c.Modified), Deleted: len(c.Deleted), Renamed: len(c.Renamed)}
}

// Changes compares two commits or trees. A zero base is the empty tree.
func (r *Repository) Changes(ctx context.Context, base, to plumbing.Hash) (Changes, error) {
	return Changes{}, nil
}

// DiffStat returns `git diff --stat` between two commits or trees, at most so many lines.
func (r *Repository) DiffStat(ctx context.Context, base, to plumbing.Hash, lines int) (string, error) {
	return "", nil
}
