package gitstate

import (
	"context"
	"fmt"
	"strings"
)

// Dirty returns the paths that `git status --porcelain` prints, untracked files too, but for those in except (paths
// from the top level; one that ends in a slash stands for all below it). A directory with untracked files only is one
// path that ends in a slash.
func (r *Repository) Dirty(ctx context.Context, except ...string) ([]string, error) {
	paths, err := r.status(ctx, "normal")
	if err != nil {
		return nil, err
	}
	var dirty []string
	for _, path := range paths {
		switch {
		case excepted(path, except):
		case strings.HasSuffix(path, "/") && holdsOne(path, except):
			within, err := r.status(ctx, "all", path)
			if err != nil {
				return nil, err
			}
			for _, path := range within {
				if !excepted(path, except) {
					dirty = append(dirty, path)
				}
			}
		default:
			dirty = append(dirty, path)
		}
	}
	return dirty, nil
}

// status runs git status for the paths, all without any.
func (r *Repository) status(ctx context.Context, untracked string, paths ...string) ([]string, error) {
	args := []string{"--literal-pathspecs", "status", "--porcelain", "--no-renames", "-z", "--untracked-files=" + untracked, "--"}
	out, err := r.git.run(ctx, append(args, paths...)...)
	if err != nil {
		return nil, fmt.Errorf("look for uncommitted work: %w", err)
	}
	var changed []string
	for _, entry := range splitNul(out) {
		if len(entry) > 3 { // "?? path"
			changed = append(changed, entry[3:])
		}
	}
	return changed, nil
}

// excepted reports whether path is in except, or below an entry of it that ends in a slash.
func excepted(path string, except []string) bool {
	for _, e := range except {
		if path == e || strings.HasSuffix(e, "/") && strings.HasPrefix(path, e) {
			return true
		}
	}
	return false
}

// holdsOne reports whether an entry of except is below dir.
func holdsOne(dir string, except []string) bool {
	for _, e := range except {
		if strings.HasPrefix(e, dir) {
			return true
		}
	}
	return false
}
