package gitstate

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// MergeConflictError says that two sides changed the same.
type MergeConflictError struct {
	Paths []string // in conflict
	At    string   // subject of the commit that did not fit, where it is one of several; empty: all of it at once
}

func (e *MergeConflictError) Error() string {
	if len(e.Paths) == 1 {
		return "conflict in " + e.Paths[0]
	}
	return fmt.Sprintf("conflicts in %d files", len(e.Paths))
}

// Squash puts the changes of a branch into index and work tree, as one change. It returns the tree that a commit would have.
func (l *Landing) Squash(ctx context.Context, branch plumbing.Hash) (plumbing.Hash, error) {
	return l.apply(ctx, "", "merge", "--quiet", "--squash", "--ff", "--no-autostash", branch.String())
}

// Merge begins a merge of a branch, which the next commit ends. It returns the tree that a commit would have.
func (l *Landing) Merge(ctx context.Context, branch plumbing.Hash) (plumbing.Hash, error) {
	return l.apply(ctx, "", "merge", "--quiet", "--no-ff", "--no-commit", "--no-autostash", branch.String())
}

// Pick puts the difference between two commits into index and work tree. It returns the tree that a commit would have.
func (l *Landing) Pick(ctx context.Context, from, to plumbing.Hash, subject string) (plumbing.Hash, error) {
	tree, err := l.repo.TreeID(to)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	_, pending, err := l.repo.plainCommit(ctx, tree, []plumbing.Hash{from}, subject+"\n")
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if err := l.repo.store.WriteObjects(ctx, []plumbing.EncodedObject{pending}); err != nil {
		return plumbing.ZeroHash, err
	}
	return l.apply(ctx, subject, "cherry-pick", "--no-commit", pending.Hash().String())
}

// Rebase puts the commits of a branch onto the target one by one; merges among them are flattened. HEAD is the last of them then, whose tree is returned.
func (l *Landing) Rebase(ctx context.Context, branch plumbing.Hash) (plumbing.Hash, error) {
	if _, err := l.repo.git.run(ctx, "switch", "--quiet", "--detach", "--no-overwrite-ignore", "--no-recurse-submodules", branch.String()); err != nil {
		return plumbing.ZeroHash, fmt.Errorf("switch to %s: %w", short(branch), err)
	}
	return l.apply(ctx, "", "-c", "rebase.updateRefs=false", "-c", "rebase.autoSquash=false", "-c", "rebase.rebaseMerges=false",
		"rebase", "--quiet", "--no-autostash", "--empty=keep", "--no-fork-point", l.Target.String())
}

// apply runs a git call that merges, with hooks and signing as the user has them.
func (l *Landing) apply(ctx context.Context, subject string, args ...string) (plumbing.Hash, error) {
	_, err := l.repo.git.do(ctx, call{args: append(slices.Clone(l.repo.git.durable(ctx)), args...), users: true})
	if exitCode(err) > 0 {
		paths, failed := l.repo.unmerged(ctx)
		if failed == nil && len(paths) > 0 {
			if stopped, err := l.repo.git.line(ctx, "log", "-1", "--format=%s", "REBASE_HEAD"); subject == "" && err == nil {
				subject = stopped
			}
			return plumbing.ZeroHash, &MergeConflictError{Paths: paths, At: subject}
		}
	}
	if err != nil {
		return plumbing.ZeroHash, err
	}
	tree, err := l.repo.git.line(ctx, "write-tree")
	if err != nil {
		return plumbing.ZeroHash, err
	}
	l.known = append(l.known, plumbing.NewHash(tree))
	return plumbing.NewHash(tree), nil
}

// LandCommit is a commit that is made for a landing.
type LandCommit struct {
	Message string    // with its trailers
	Amend   bool      // HEAD's commit gets the message
	Hooks   io.Writer // gets what hooks and git say; may be nil
}

// Commit commits what is in the index with `git commit`: the user's hooks run, and it is signed where the user signs. It returns the new commit and its
// tree, which a hook may have changed.
func (l *Landing) Commit(ctx context.Context, q LandCommit) (commit, tree plumbing.Hash, err error) {
	file := filepath.Join(l.repo.LoopDir(l.Loop), "land-message")
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return commit, tree, err
	}
	if err := os.WriteFile(file, []byte(q.Message), 0o666); err != nil {
		return commit, tree, err
	}
	defer os.Remove(file)
	args := append(slices.Clone(l.repo.git.durable(ctx)), "commit", "--quiet", "--allow-empty", "--cleanup=whitespace", "-F", file)
	if q.Amend {
		args = append(args, "--amend")
	}
	if _, err := l.repo.git.do(ctx, call{args: args, users: true, stderr: q.Hooks}); err != nil {
		return commit, tree, fmt.Errorf("commit the result: %w", err)
	}
	if commit, err = l.repo.store.Resolve(plumbing.HEAD); err != nil {
		return commit, tree, err
	}
	tree, err = l.repo.TreeID(commit)
	l.known = append(l.known, tree)
	return commit, tree, err
}

// MergeBase returns where the branch left the target; the zero hash: they have nothing in common.
func (l *Landing) MergeBase(ctx context.Context, branch plumbing.Hash) (plumbing.Hash, error) {
	out, err := l.repo.git.line(ctx, "merge-base", l.Target.String(), branch.String())
	if err != nil && exitCode(err) != 1 {
		return plumbing.ZeroHash, fmt.Errorf("look where the loop left %s: %w", l.Into.Short(), err)
	}
	return plumbing.NewHash(strings.TrimSpace(out)), nil
}

// HeadMessage returns HEAD's commit message in its parts.
func (l *Landing) HeadMessage(ctx context.Context) (Message, error) {
	text, err := l.repo.git.line(ctx, "-c", "log.showSignature=false", "log", "-1", "--encoding=UTF-8", "--format=%B", "HEAD")
	return ParseMessage(text), err
}
