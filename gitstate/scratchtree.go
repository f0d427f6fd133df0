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
	dir  string // holds the work tree
	mark string // file that names dir while it is there
}

// Scratch checks a commit out into a new linked worktree below the system's directory for temporary files. No hook runs and no ref moves. What a process
// left of this loop's that was killed is removed first, so the caller holds the loop's lock. Close it.
func (r *Repository) Scratch(ctx context.Context, loop string, commit plumbing.Hash) (*ScratchTree, error) {
	mark := filepath.Join(r.LoopDir(loop), "scratch")
	if err := r.removeScratch(ctx, mark); err != nil {
		return nil, fmt.Errorf("remove an old scratch work tree: %w", err)
	}
	dir, err := os.MkdirTemp("", "git-ralph-scratch-")
	if err != nil {
		return nil, fmt.Errorf("make a scratch work tree: %w", err)
	}
	s := &ScratchTree{from: r, dir: dir, mark: mark}
	err = errors.Join(os.MkdirAll(filepath.Dir(mark), 0o777), os.WriteFile(mark, []byte(dir), 0o666))
	if err == nil {
		_, err = r.git.do(ctx, call{dir: r.TopLevel, args: []string{"-c", "core.hooksPath=" + os.DevNull, "worktree", "add", "--quiet", "--detach", "--", s.path(), commit.String()}})
	}
	if err == nil {
		s.Repository, err = r.At(ctx, s.path())
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a scratch work tree: %w", err), s.Close())
	}
	return s, nil
}

func (s *ScratchTree) path() string { return scratchPath(s.dir) }

// scratchPath is the scratch work tree in its directory.
func scratchPath(dir string) string { return filepath.Join(dir, "work") }

// Close removes the work tree, whatever is in it.
func (s *ScratchTree) Close() error {
	var err error
	if s.Repository != nil {
		err = s.Repository.Close()
	}
	return errors.Join(err, s.from.removeScratch(context.Background(), s.mark))
}

// removeScratch removes the scratch work tree that a file names, if there is one.
func (r *Repository) removeScratch(ctx context.Context, mark string) error {
	text, err := os.ReadFile(mark)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	dir := string(text)
	if err != nil || !filepath.IsAbs(dir) || !strings.HasPrefix(filepath.Base(dir), "git-ralph-scratch-") {
		return errors.Join(err, os.Remove(mark)) // not a file of ours
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	// Only this one: a prune would take the index of a work tree whose disk is not there just now.
	if _, err := r.git.run(ctx, "worktree", "remove", "--force", "--force", scratchPath(dir)); err != nil && !strings.Contains(err.Error(), "is not a working tree") {
		return err
	}
	return os.Remove(mark)
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
