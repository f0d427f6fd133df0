package gitstate

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Changes are the files that differ between two trees, whole tree, renames found by git. Paths are as git has them,
// unquoted.
type Changes struct {
	Created  []string      // paths that only the later tree has
	Modified []string      // content, mode or kind differs; gitlinks too
	Deleted  []string      // paths that only the earlier tree had
	Renamed  []RenamedPath // with or without a change of content
}

// Counts returns how many there are.
func (c Changes) Counts() FileCounts {
	return FileCounts{Created: len(c.Created), Modified: len(c.Modified), Deleted: len(c.Deleted), Renamed: len(c.Renamed)}
}

// diffArgs are the arguments of a comparison that no configuration of the user changes.
func diffArgs(base, to plumbing.Hash, options ...string) []string {
	from := base.String()
	if base.IsZero() {
		from = emptyTree
	}
	return append(append(diffTree(), options...), from, to.String(), "--")
}

// diffTree compares trees as no configuration of the user changes it.
func diffTree() []string {
	return []string{"diff-tree", "-r", "-M", "-l1000", "--no-ext-diff", "--no-textconv", "--no-color", "--ignore-submodules=none"}
}

// Changes compares two commits or trees. A zero base is the empty tree.
func (r *Repository) Changes(ctx context.Context, base, to plumbing.Hash) (Changes, error) {
	if base == to {
		return Changes{}, nil
	}
	if found, ok := r.plainChanges(base, to); ok {
		return found, nil
	}
	out, err := r.compare(ctx, call{args: diffArgs(base, to, "--name-status", "-z")})
	if err != nil {
		return Changes{}, fmt.Errorf("compare %s with %s: %w", base, to, err)
	}
	return parseChanges(out), nil
}

// compare runs git on two trees. It would read the index too, which is none of their business and may be damaged.
func (r *Repository) compare(ctx context.Context, c call) ([]byte, error) {
	c.env = append(c.env, "GIT_INDEX_FILE="+filepath.Join(r.GitDir, "no-index"))
	return r.git.do(ctx, c)
}

// parseChanges reads `--name-status -z`: a status and one path, or two for a rename, each ended by NUL.
func parseChanges(out []byte) Changes {
	var c Changes
	fields := splitNul(out)
	for i := 0; i+1 < len(fields); i += 2 {
		path := fields[i+1]
		switch {
		case strings.HasPrefix(fields[i], "R") && i+2 < len(fields):
			c.Renamed = append(c.Renamed, RenamedPath{From: path, To: fields[i+2]})
			i++
		case fields[i] == "A":
			c.Created = append(c.Created, path)
		case fields[i] == "D":
			c.Deleted = append(c.Deleted, path)
		default: // M and T
			c.Modified = append(c.Modified, path)
		}
	}
	return c
}

// DiffStat returns `git diff --stat` between two commits or trees, 80 columns wide and at most so many lines: the first
// files, a line of dots, the sum. It is empty when nothing differs.
func (r *Repository) DiffStat(ctx context.Context, base, to plumbing.Hash, lines int) (string, error) {
	out, err := r.compare(ctx, call{args: diffArgs(base, to, "--stat=80")})
	if err != nil {
		return "", fmt.Errorf("compare %s with %s: %w", base, to, err)
	}
	all := strings.Split(strings.TrimSuffix(string(out), "\n"), "\n")
	if len(all) > lines && lines > 0 {
		first := append([]string(nil), all[:max(0, lines-2)]...)
		if lines > 1 {
			first = append(first, " ...")
		}
		all = append(first, all[len(all)-1])
	}
	return strings.Join(all, "\n"), nil
}
