package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// AttachHead makes HEAD the branch, whose tree the work tree already has but for uncommitted work, and touches nothing
// else.
func (r *Repository) AttachHead(ctx context.Context, branch plumbing.ReferenceName, reason string) error {
	if _, err := r.git.run(ctx, "symbolic-ref", "-m", reason, "HEAD", branch.String()); err != nil {
		return fmt.Errorf("put HEAD on %s: %w", branch.Short(), err)
	}
	return nil
}

// Switch takes the work tree to a loop's branch as `git switch` does, hooks included: it refuses to overwrite anything, ignored files too. What a kill leaves
// half done is a landing of the branch on itself ([Repository.OpenLanding]). The caller holds the lock of the work tree.
func (r *Repository) Switch(ctx context.Context, loop string, branch plumbing.ReferenceName) error {
	l, err := r.newLanding(ctx, loop, branch, branch)
	if err != nil {
		return err
	}
	if l.From.IsZero() || l.From == l.Target { // nothing to go back to, or no file changes
		return r.gitSwitch(ctx, branch)
	}
	if err := l.mark(ctx); err != nil {
		return err
	}
	err = r.gitSwitch(ctx, branch)
	if err != nil && exitCode(err) < 1 { // git was ended
		return err
	}
	return errors.Join(err, l.forget(ctx))
}

// IsSwitch reports whether it is no landing, but a switch to the loop's branch.
func (l *Landing) IsSwitch() bool { return l.Into == l.Branch }

// Stands reports whether HEAD is where it was when it began.
func (l *Landing) Stands(ctx context.Context) (bool, error) {
	head, err := l.repo.HeadBranch(ctx)
	if err != nil || head != l.Head {
		return false, err
	}
	commit, err := l.repo.store.Resolve(plumbing.HEAD)
	return commit == l.From, err
}

// Forget ends a switch that is done, or that somebody went on from.
func (l *Landing) Forget(ctx context.Context) error { return l.forget(ctx) }

func (r *Repository) gitSwitch(ctx context.Context, branch plumbing.ReferenceName) error {
	_, err := r.git.run(ctx, "switch", "--quiet", "--no-guess", "--no-overwrite-ignore", "--no-recurse-submodules", branch.Short())
	if err != nil {
		return fmt.Errorf("switch to %s: %w", branch.Short(), err)
	}
	return nil
}

// AddWorktree makes a linked worktree with the branch in it and opens it. A relative path counts from the top level.
func (r *Repository) AddWorktree(ctx context.Context, path string, branch plumbing.ReferenceName) (*Repository, error) {
	if !filepath.IsAbs(path) {
		path = filepath.Join(r.TopLevel, path)
	}
	if _, err := r.git.run(ctx, "worktree", "add", "--quiet", "--", path, branch.Short()); err != nil {
		return nil, fmt.Errorf("add worktree %s: %w", path, err)
	}
	return r.At(ctx, path)
}

// At opens the work tree of the same repository that is at a path. Close it.
func (r *Repository) At(ctx context.Context, path string) (*Repository, error) {
	there, err := Open(ctx, OpenRequest{Dir: path, Env: elsewhere(r.git.env), Trace: r.git.trace})
	if err == nil {
		there.git.locks = r.git.locks
	}
	return there, err
}

// elsewhere is the environment for another work tree: without what ties git to this one.
func elsewhere(env []string) []string {
	var rest []string
	for _, entry := range env {
		switch name, _, _ := strings.Cut(entry, "="); name {
		case "GIT_DIR", "GIT_COMMON_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE":
		default:
			rest = append(rest, entry)
		}
	}
	return rest
}

// CheckedOutAt returns the path of the work tree in which the branch is checked out; empty: none.
func (r *Repository) CheckedOutAt(ctx context.Context, branch plumbing.ReferenceName) (string, error) {
	out, err := r.git.line(ctx, "for-each-ref", "--format=%(refname) %(worktreepath)", branch.String())
	if err != nil {
		return "", fmt.Errorf("look where %s is checked out: %w", branch.Short(), err)
	}
	for line := range strings.Lines(out) {
		if path, ok := strings.CutPrefix(strings.TrimSuffix(line, "\n"), branch.String()+" "); ok {
			return filepath.FromSlash(path), nil
		}
	}
	return "", nil
}
