package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Back takes HEAD, index and work tree back to where they were. What the work tree holds that neither the landing nor a commit put there is kept first.
func (l *Landing) Back(ctx context.Context, g Guard) (kept []plumbing.ReferenceName, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("go back to where HEAD was: %w", err)
		}
	}()
	conflicts := false
	if !l.IsSwitch() { // that merges nothing
		if conflicts, err = l.endMerge(ctx, g); err != nil {
			return nil, err
		}
	}
	kept, err = l.restore(ctx, g, !conflicts)
	if err != nil {
		return kept, err
	}
	if l.Head == "" {
		err = l.repo.updateHead(ctx, l.From, "ralph: back")
	} else {
		err = l.repo.AttachHead(ctx, l.Head, "ralph: back")
	}
	if err != nil {
		return kept, err
	}
	return kept, l.forget(ctx)
}

// endMerge ends what git has begun for the landing. It reports whether nothing but a merge's conflicts is in the work tree.
func (l *Landing) endMerge(ctx context.Context, g Guard) (conflicts bool, err error) {
	if conflicts, err = l.onlyConflicts(ctx); err != nil {
		return false, err
	}
	var found Gathered
	if err := l.repo.endOperations(ctx, GatherRequest{Loop: l.Loop, Branch: l.Branch, Tip: l.From, Guard: g}, &found); err != nil {
		return false, err
	}
	if _, err := l.repo.git.run(ctx, "merge", "--quit"); err != nil {
		return false, err
	}
	if err := os.Remove(filepath.Join(l.repo.GitDir, "SQUASH_MSG")); err != nil && !os.IsNotExist(err) {
		return false, err
	}
	return conflicts, nil
}

// restore brings index and work tree back, and keeps what they hold if that is to be looked at and is not known.
func (l *Landing) restore(ctx context.Context, g Guard, look bool) (kept []plumbing.ReferenceName, err error) {
	r := l.repo
	snap, err := r.snapshot(ctx, g, l.From)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	if err := snap.takeInTheWay(ctx, l.From); err != nil {
		return nil, err
	}
	strange := false
	if look && !slices.Contains(l.known, snap.Tree) {
		if strange, err = l.strange(ctx, snap.Tree); err != nil {
			return nil, err
		}
	}
	if strange {
		commit, err := r.headWith(ctx, l.Loop, snap.Tree, l.Target, "ralph: work kept for "+l.Loop+"\n\nIt lay in the work tree when a landing was taken back.\n")
		if err != nil {
			return nil, err
		}
		ref, err := r.keepCommit(ctx, l.Loop, commit)
		if err != nil {
			return nil, err
		}
		kept = append(kept, ref)
	}
	var found Gathered
	return kept, snap.switchTo(ctx, l.From, &found)
}

// strange reports whether a tree holds something that comes from none of the sides.
func (l *Landing) strange(ctx context.Context, tree plumbing.Hash) (bool, error) {
	sides := []plumbing.Hash{l.From, l.Target}
	for _, name := range []plumbing.ReferenceName{plumbing.HEAD, l.Branch} {
		side, err := l.repo.store.Resolve(name)
		if err != nil {
			return false, err
		}
		if !side.IsZero() {
			sides = append(sides, side)
		}
	}
	foreign, err := l.repo.foreign(ctx, tree, sides...)
	if err != nil || !foreign {
		return foreign, err
	}
	waves, err := l.waves(ctx) // one after the other they may have been in the work tree
	if err != nil || len(waves) == 0 {
		return true, err
	}
	return l.repo.foreign(ctx, tree, append(sides, waves...)...)
}

// waves returns the commits of the loop that end a wave.
func (l *Landing) waves(ctx context.Context) ([]plumbing.Hash, error) {
	tip, err := l.repo.store.Resolve(l.Branch)
	if err != nil || tip.IsZero() {
		return nil, err
	}
	loop, err := l.repo.LoopBelow(tip)
	if err != nil || loop.Name != l.Loop {
		return nil, err
	}
	var waves []plumbing.Hash
	for record, err := range l.repo.Records(ctx, loop) {
		if err != nil {
			return nil, err
		}
		if record.Kind == Wave {
			waves = append(waves, record.Commit)
		}
	}
	return waves, nil
}

// onlyConflicts reports whether a merge stopped and nothing but what it wrote is in the work tree.
func (l *Landing) onlyConflicts(ctx context.Context) (bool, error) {
	unmerged, err := l.repo.unmerged(ctx)
	if err != nil || len(unmerged) == 0 {
		return false, err
	}
	out, err := l.repo.git.run(ctx, "ls-files", "-m", "-o", "--exclude-standard", "-z")
	if err != nil {
		return false, err
	}
	for _, path := range splitNul(out) {
		if side, _, beside := strings.Cut(path, "~"); !slices.Contains(unmerged, path) && !(beside && slices.Contains(unmerged, side)) {
			return false, nil
		}
	}
	return true, nil
}

// unmerged returns the paths that are in conflict in the index.
func (r *Repository) unmerged(ctx context.Context) ([]string, error) {
	out, err := r.git.run(ctx, "diff", "--name-only", "--diff-filter=U", "-z")
	if err != nil {
		return nil, fmt.Errorf("list conflicts: %w", err)
	}
	return splitNul(out), nil
}

// updateHead detaches HEAD at a commit and touches nothing else.
func (r *Repository) updateHead(ctx context.Context, commit plumbing.Hash, reason string) error {
	_, err := r.git.run(ctx, "update-ref", "--no-deref", "-m", reason, "HEAD", commit.String())
	return err
}

// RemoveLandingLock removes the lock file that git left when it was killed at the begin or at the end of a landing in this work tree. The caller holds the
// lock of the work tree.
func (r *Repository) RemoveLandingLock(ctx context.Context) error {
	path := filepath.Join(r.GitDir, filepath.FromSlash(landingRef.String())+".lock")
	if !exists(path) {
		return nil
	}
	if _, err := r.removeDeadLock(ctx, path); err != nil {
		return fmt.Errorf("remove our own lock: %w", err)
	}
	return nil
}

// RemoveLocks removes the lock files that git left when it was killed in the landing, and returns them: those that are younger than it and that no living
// git can hold. For one that may still be held it waits.
func (l *Landing) RemoveLocks(ctx context.Context) (removed []string, err error) {
	r := l.repo
	paths := []string{r.index + ".lock", filepath.Join(r.GitDir, "HEAD.lock")}
	for _, ref := range []string{l.Into.String(), NotesRef, "packed-refs"} {
		paths = append(paths, filepath.Join(r.CommonDir, filepath.FromSlash(ref)+".lock"))
	}
	paths = append(paths, filepath.Join(r.CommonDir, "packed-refs.new"))
	for _, path := range paths {
		info, err := os.Lstat(path)
		if isMissing(err) || err == nil && info.ModTime().Before(l.since.Add(-clockSlack)) {
			continue
		}
		if err != nil {
			return removed, err
		}
		gone, err := r.removeDeadLock(ctx, path)
		if err != nil {
			return removed, fmt.Errorf("remove our own lock: %w", err)
		}
		if gone {
			removed = append(removed, path)
		}
	}
	return removed, nil
}
