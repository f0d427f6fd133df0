package gitstate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Span is a change between two commits or trees.
type Span struct {
	From plumbing.Hash // before; zero: the empty tree
	To   plumbing.Hash // after
}

// entrySide is what one tree has at a path.
type entrySide struct{ mode, id string }

// nothing is the mode of a path that a tree does not have.
const nothing = "000000"

// UndoneTree writes the tree without what the spans changed, which follow each other in time and lie before it. What else changed since stays: a file that was
// changed in a span and by something else after it is left as it is, and returned in left. Paths that spare wants are not touched. No work tree and no index of the user's is looked at.
func (r *Repository) UndoneTree(ctx context.Context, tree plumbing.Hash, spans []Span, spare func(path string) bool) (undone plumbing.Hash, left []string, err error) {
	wanted := map[string]entrySide{}
	for _, span := range slices.Backward(spans) {
		old, fresh, err := r.rawChanges(ctx, span.From, span.To)
		if err != nil {
			return plumbing.ZeroHash, nil, err
		}
		_, since, err := r.rawChanges(ctx, span.To, tree)
		if err != nil {
			return plumbing.ZeroHash, nil, err
		}
		for path, is := range fresh {
			if spare(path) {
				continue
			}
			now, known := wanted[path]
			if !known {
				if now, known = since[path]; !known {
					now = is
				}
			}
			if now != is {
				left = append(left, path)
				continue
			}
			wanted[path] = old[path]
		}
	}
	slices.Sort(left)
	if len(wanted) == 0 {
		return tree, slices.Compact(left), nil
	}
	index, err := r.newPrivateIndex()
	if err != nil {
		return plumbing.ZeroHash, nil, err
	}
	s := &Snapshot{repo: r, index: index}
	if err := s.put(ctx, tree, wanted); err != nil {
		return plumbing.ZeroHash, nil, s.abandon(fmt.Errorf("write the tree of %s without what was changed: %w", tree, err))
	}
	return s.Tree, slices.Compact(left), s.Close()
}

// put sets the tree: another one with these entries.
func (s *Snapshot) put(ctx context.Context, tree plumbing.Hash, entries map[string]entrySide) error {
	if _, err := s.git(ctx, call{args: []string{"read-tree", tree.String()}}); err != nil {
		return err
	}
	var paths []string
	var lines strings.Builder
	for path, entry := range entries {
		paths = append(paths, path)
		if entry.mode != nothing {
			fmt.Fprintf(&lines, "%s %s\t%s\x00", entry.mode, entry.id, path)
		}
	}
	if err := s.removeEntries(ctx, paths); err != nil {
		return err
	}
	if _, err := s.git(ctx, call{args: []string{"update-index", "-z", "--index-info"}, stdin: strings.NewReader(lines.String())}); err != nil {
		return err
	}
	return s.writeTree(ctx)
}

// rawChanges returns what two commits or trees have at each path where they differ.
func (r *Repository) rawChanges(ctx context.Context, base, to plumbing.Hash) (old, fresh map[string]entrySide, err error) {
	old, fresh = map[string]entrySide{}, map[string]entrySide{}
	if base == to {
		return old, fresh, nil
	}
	out, err := r.compare(ctx, call{args: diffArgs(base, to, "--raw", "--no-abbrev", "--no-renames", "-z")})
	if err != nil {
		return nil, nil, fmt.Errorf("compare %s with %s: %w", base, to, err)
	}
	fields := splitNul(out) // ":100644 100644 <id> <id> M", then the path
	for i := 0; i+1 < len(fields); i += 2 {
		about := strings.Fields(strings.TrimPrefix(fields[i], ":"))
		if len(about) != 5 {
			return nil, nil, fmt.Errorf("compare %s with %s: git printed %q", base, to, fields[i])
		}
		old[fields[i+1]], fresh[fields[i+1]] = entrySide{about[0], about[2]}, entrySide{about[1], about[3]}
	}
	return old, fresh, nil
}
