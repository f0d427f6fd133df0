package gitstate

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// LoopNames returns names of loops, sorted, without reading any: those that have a tip here, and those whose branch, local
// or of a remote, has the usual name. [Repository.Loops] also finds loops on branches of other names.
func (r *Repository) LoopNames(ctx context.Context) ([]string, error) {
	refs, err := r.store.Refs(ctx, tipPrefix, "refs/heads/ralph/", "refs/remotes/")
	if err != nil {
		return nil, fmt.Errorf("list loops: %w", err)
	}
	names := map[string]bool{}
	for _, ref := range refs {
		branch := ref.Name.String()
		if rest, isRemote := strings.CutPrefix(branch, "refs/remotes/"); isRemote {
			_, branch, _ = strings.Cut(rest, "/")
			branch = "refs/heads/" + branch
		}
		for _, prefix := range []string{tipPrefix, "refs/heads/ralph/"} {
			if name, ok := strings.CutPrefix(branch, prefix); ok && name != "" && !strings.Contains(name, "/") {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names)), nil
}

// Branches returns the short names of the local branches, sorted.
func (r *Repository) Branches(ctx context.Context) ([]string, error) {
	refs, err := r.store.Refs(ctx, "refs/heads/")
	if err != nil {
		return nil, fmt.Errorf("list branches: %w", err)
	}
	names := make([]string, len(refs))
	for i, ref := range refs {
		names[i] = ref.Name.Short()
	}
	return names, nil
}
