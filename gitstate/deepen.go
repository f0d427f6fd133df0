package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"
)

// Deepen fetches more of a branch's history in a shallow clone, until all of the loop on it is here. It returns false when nothing is missing. The error
// wraps [ErrIncomplete] when the history ends before the loop does.
func (m *Remote) Deepen(ctx context.Context, branch plumbing.ReferenceName) (bool, error) {
	ref := m.tracking(branch)
	for i, more := range []string{"", "--deepen=100", "--deepen=2000", "--unshallow"} {
		if !m.repo.shallow() {
			return i > 0, nil
		}
		if more != "" {
			if err := m.fetch(ctx, []string{"+" + branch.String() + ":" + ref.String()}, more); err != nil {
				return i > 0, err
			}
		}
		if whole, err := m.repo.whole(ctx, ref); err != nil || whole {
			return i > 0, err
		}
	}
	return true, fmt.Errorf("branch %s: %w", branch.Short(), ErrIncomplete)
}

// shallow reports whether history is cut off in this clone.
func (r *Repository) shallow() bool {
	info, err := os.Stat(filepath.Join(r.CommonDir, "shallow"))
	return err == nil && info.Size() > 0
}

// whole reports whether all of the loop on a branch is here: every commit of its chain, not only those that its note names. Where there is no loop it is.
func (r *Repository) whole(ctx context.Context, branch plumbing.ReferenceName) (bool, error) {
	id, err := r.store.Resolve(branch)
	if err != nil || id.IsZero() {
		return true, err
	}
	l, err := r.lastOfOurs(Ref{Name: branch, Hash: id})
	if errors.Is(err, ErrIncomplete) {
		return false, nil
	}
	if err != nil || l.Tip.IsZero() {
		return true, err
	}
	for _, err := range r.Records(ctx, l) {
		if errors.Is(err, ErrIncomplete) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
	}
	return true, nil
}
