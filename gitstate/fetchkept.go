package gitstate

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing/object"
)

// FetchKept keeps here, too, what the remote was seen to keep of a loop, under the next numbers that are free here. It reports whether anything was new.
// What is no commit is passed over.
func (m *Remote) FetchKept(ctx context.Context, loop string, seen Seen) (bool, error) {
	have, err := m.repo.keptRefs(ctx, loop)
	if err != nil {
		return false, err
	}
	var specs []string
	var missing []Ref
	for _, ref := range seen.keptOf(loop) {
		if slices.ContainsFunc(have, func(kept keptRef) bool { return kept.commit == ref.Hash }) {
			continue
		}
		specs, missing = append(specs, ref.Name.String()), append(missing, ref)
	}
	if err := m.get(ctx, specs...); err != nil {
		return false, err
	}
	found := false
	for _, ref := range missing {
		if _, err := object.GetCommit(m.repo.store, ref.Hash); err != nil {
			continue // no commit, or moved since it was seen
		}
		if _, err := m.repo.KeepCommit(ctx, loop, ref.Hash); err != nil {
			return found, fmt.Errorf("keep what remote %s keeps of loop %s: %w", m.Name, loop, err)
		}
		found = true
	}
	return found, nil
}

// keptOf returns what the remote keeps of one loop, the first first.
func (s Seen) keptOf(loop string) []Ref {
	var refs []Ref
	for _, ref := range s.Kept {
		if n, ok := keptNumber(loop, ref.Name); ok && n > 0 {
			refs = append(refs, ref)
		}
	}
	slices.SortFunc(refs, func(a, b Ref) int {
		left, _ := keptNumber(loop, a.Name)
		right, _ := keptNumber(loop, b.Name)
		return left - right
	})
	return refs
}
