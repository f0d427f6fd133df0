package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// ScratchTree is a linked worktree that lasts as long as somebody looks at a commit in it.
type ScratchTree struct {
	*Repository // opened there

	from *Repository
	loop string
	dir  string // holds the work tree
}

// Scratch checks a commit out into a new linked worktree below the system's directory for temporary files. No hook runs and no ref moves. What a process
// left of this loop's that was killed is removed first, so the caller holds the loop's lock. Close it.
func (r *Repository) Scratch(ctx context.Context, loop string, commit plumbing.Hash) (*ScratchTree, error) {
	if err := r.removeScratch(ctx, loop); err != nil {
		return nil, fmt.Errorf("remove an old scratch work tree: %w", err)
	}
	dir, err := os.MkdirTemp("", scratchPrefix)
	if err != nil {
		return nil, fmt.Errorf("make a scratch work tree: %w", err)
	}
	s := &ScratchTree{from: r, loop: loop, dir: dir}
	args := []string{"-c", "core.hooksPath=" + os.DevNull, "worktree", "add", "--quiet", "--lock", "--reason", scratchReason(loop), "--detach", "--", s.path(), commit.String()}
	_, err = r.git.do(ctx, call{dir: r.TopLevel, args: args})
	if err == nil {
		s.Repository, err = r.At(ctx, s.path())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a scratch work tree: %w", err), s.Close())
	}
	return s, nil
}

// scratchPrefix begins the name of a directory with a scratch work tree in it.
const scratchPrefix = "git-ralph-scratch-"

// scratchReason is why git has the work tree locked: who is killed finds it by that.
func scratchReason(loop string) string { return "git-ralph looks at loop " + loop }

func (s *ScratchTree) path() string { return filepath.Join(s.dir, "work") }

// Close removes the work tree, whatever is in it.
func (s *ScratchTree) Close() error {
	var err error
	if s.Repository != nil {
		err = s.Repository.Close()
	}
	return errors.Join(err, s.from.removeScratch(context.Background(), s.loop), os.RemoveAll(s.dir))
}

// removeScratch removes the scratch work trees of a loop.
func (r *Repository) removeScratch(ctx context.Context, loop string) error {
	out, err := r.git.run(ctx, "worktree", "list", "--porcelain")
	if err != nil {
		return err
	}
	path := ""
	for line := range strings.Lines(string(out)) {
		line = strings.TrimSuffix(line, "\n")
		if name, ok := strings.CutPrefix(line, "worktree "); ok {
			path = filepath.FromSlash(name)
		}
		dir := filepath.Dir(path)
		if line != "locked "+scratchReason(loop) || !strings.HasPrefix(filepath.Base(dir), scratchPrefix) {
			continue
		}
		if err := os.RemoveAll(dir); err != nil {
			return err
		}
		// Only this one: a prune would take the index of a work tree whose disk is not there just now.
		if _, err := r.git.run(ctx, "worktree", "remove", "--force", "--force", path); err != nil && !strings.Contains(err.Error(), "is not a working tree") {
			return err
		}
	}
	return nil
}

// NotInGit returns what a checkout of a commit lacks of this work tree: ignored files that are here (a directory of them ends in a slash), and submodules.
func (r *Repository) NotInGit(ctx context.Context, commit plumbing.Hash) ([]string, error) {
	out, err := r.git.run(ctx, "ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--directory")
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	missing := splitNul(out)
	if out, err = r.git.run(ctx, "ls-tree", "-r", "-z", commit.String()); err != nil {
		return nil, fmt.Errorf("list submodules: %w", err)
	}
	for _, entry := range splitNul(out) {
		if what, path, _ := strings.Cut(entry, "\t"); strings.HasPrefix(what, "160000 ") {
			missing = append(missing, path+"/")
		}
	}
	return missing, nil
}
