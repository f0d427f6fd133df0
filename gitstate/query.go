package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// LocalEnvVars returns the names of the variables that bind git to one repository: nobody whom we start gets them.
func (r *Repository) LocalEnvVars(ctx context.Context) ([]string, error) {
	out, err := r.git.run(ctx, "rev-parse", "--local-env-vars")
	if err != nil {
		return nil, fmt.Errorf("ask git for its variables: %w", err)
	}
	return append(strings.Fields(string(out)), "GIT_EXEC_PATH"), nil
}

// What stands in the way of a new branch.
var (
	ErrBranchName    = errors.New("not a branch name")
	ErrBranchExists  = errors.New("the branch exists")
	ErrBranchBlocked = errors.New("another branch is in the way")
)

// BranchFree checks that a new branch can be made. The error wraps one of the above; for [ErrBranchBlocked] other is the branch in the way.
func (r *Repository) BranchFree(ctx context.Context, branch string) (other string, err error) {
	if _, err := r.git.run(ctx, "check-ref-format", "--branch", branch); err != nil || strings.HasPrefix(branch, "-") {
		return "", fmt.Errorf("branch %q: %w", branch, ErrBranchName)
	}
	full := "refs/heads/" + branch
	for i := len("refs/heads/"); i < len(full); i++ {
		if full[i] != '/' {
			continue
		}
		if id, err := r.store.Resolve(plumbing.ReferenceName(full[:i])); err != nil {
			return "", err
		} else if !id.IsZero() {
			other = strings.TrimPrefix(full[:i], "refs/heads/")
			return other, fmt.Errorf("branch %q: %w: %q", branch, ErrBranchBlocked, other)
		}
	}
	if id, err := r.store.Resolve(plumbing.ReferenceName(full)); err != nil {
		return "", err
	} else if !id.IsZero() {
		return "", fmt.Errorf("branch %q: %w", branch, ErrBranchExists)
	}
	below, err := r.store.Refs(ctx, full+"/")
	if err == nil && len(below) > 0 {
		other = below[0].Name.Short()
		err = fmt.Errorf("branch %q: %w: %q", branch, ErrBranchBlocked, other)
	}
	return other, err
}

// Maintenance is the git call that tidies up when git thinks that it is time: plumbing never triggers that. It may take
// minutes, so whoever runs it makes sure that it ends with them. It stays in the foreground.
func (r *Repository) Maintenance() []string {
	return []string{"git", "--git-dir=" + r.GitDir, "-c", "gc.autoDetach=false", "-c", "maintenance.autoDetach=false",
		"maintenance", "run", "--auto", "--quiet"}
}

// Record reads one commit of ours.
func (r *Repository) Record(commit plumbing.Hash) (Record, error) { return r.record(commit) }

// MakeRefs creates refs that must not exist, all or none.
func (r *Repository) MakeRefs(ctx context.Context, reflog string, refs ...Ref) error {
	t := Transaction{Message: reflog}
	for _, ref := range refs {
		t.Updates = append(t.Updates, RefUpdate{Name: ref.Name, New: ref.Hash})
	}
	return r.store.Transact(ctx, t)
}

// MoveRef moves one ref; the error is a *[ConflictError] when it was not at Old.
func (r *Repository) MoveRef(ctx context.Context, reflog string, update RefUpdate) error {
	return r.store.Transact(ctx, Transaction{Message: reflog, Updates: []RefUpdate{update}})
}

// MessageAndTree returns the message of a commit, which need not be ours, and its tree.
func (r *Repository) MessageAndTree(commit plumbing.Hash) (string, plumbing.Hash, error) {
	c, err := object.GetCommit(r.store, commit)
	if err != nil {
		return "", plumbing.ZeroHash, fmt.Errorf("read commit %s: %w", commit, err)
	}
	return c.Message, c.TreeHash, nil
}

// TreeID returns the tree of a commit.
func (r *Repository) TreeID(commit plumbing.Hash) (plumbing.Hash, error) {
	_, tree, err := r.MessageAndTree(commit)
	return tree, err
}

// HasPath reports whether a commit holds a file or folder of that path from the top level, with slashes.
func (r *Repository) HasPath(commit plumbing.Hash, path string) (bool, error) {
	id, err := r.TreeID(commit)
	if err != nil {
		return false, err
	}
	tree, err := object.GetTree(r.store, id)
	if err != nil {
		return false, fmt.Errorf("read tree of %s: %w", commit, err)
	}
	_, err = tree.FindEntry(path)
	if errors.Is(err, object.ErrEntryNotFound) || errors.Is(err, object.ErrDirectoryNotFound) {
		return false, nil
	}
	return err == nil, err
}

// Holds reports whether the first-parent line of a commit goes through another one of ours (or is it).
func (r *Repository) Holds(ctx context.Context, from, ours plumbing.Hash) (bool, error) {
	if from == ours {
		return true, nil
	}
	out, err := r.git.line(ctx, "rev-list", "--first-parent", "--parents", from.String(), "^"+ours.String())
	if err != nil {
		return false, fmt.Errorf("look for %s below %s: %w", ours, from, err)
	}
	oldest := strings.Fields(out[strings.LastIndexByte(out, '\n')+1:])
	return len(oldest) > 1 && oldest[1] == ours.String(), nil
}

// Ignores reports whether git passes over a file of this work tree or another one of the repository, because rules say so and it is not tracked.
func (r *Repository) Ignores(ctx context.Context, path string) (bool, error) {
	_, err := r.git.do(ctx, call{args: []string{"check-ignore", "-q", "--", filepath.Base(path)}, dir: filepath.Dir(path)})
	if exitCode(err) == 1 {
		return false, nil
	}
	return err == nil, err
}
