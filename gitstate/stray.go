package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// takeInTheWay puts the files into the snapshot that are not in it, but stand where the tree of a commit has others:
// ignored ones, and those that the guard left out. A switch would overwrite them, so the kept commit must have them.
func (s *Snapshot) takeInTheWay(ctx context.Context, commit plumbing.Hash) error {
	files, err := s.allInTheWay(ctx, commit)
	if err != nil || len(files) == 0 {
		return err
	}
	if err := s.addEntries(ctx, files); err != nil {
		return err
	}
	return s.writeTree(ctx)
}

// allInTheWay returns the files that are not in the snapshot, but stand where the tree of a commit has others.
func (s *Snapshot) allInTheWay(ctx context.Context, commit plumbing.Hash) ([]string, error) {
	out, err := s.repo.git.run(ctx, "diff-tree", "-r", "--no-renames", "--diff-filter=A", "--name-only", "-z", s.Tree.String(), commit.String())
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range splitNul(out) {
		inTheWay, err := s.inTheWay(name)
		if err != nil {
			return nil, err
		}
		files = append(files, inTheWay...)
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

// InTheWay returns the ignored and left out files that a merge of the commit into HEAD would overwrite.
func (r *Repository) InTheWay(ctx context.Context, g Guard, commit plumbing.Hash) (files []string, err error) {
	snap, err := r.Snapshot(ctx, g)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	return snap.allInTheWay(ctx, commit)
}

// inTheWay returns the files on disk that a file of this name would replace: one at a directory of it, one at its
// place, or all in a directory at its place.
func (s *Snapshot) inTheWay(name string) ([]string, error) {
	for at := range len(name) {
		if name[at] != '/' {
			continue
		}
		info, err := os.Lstat(s.repo.file(name[:at]))
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, err
		case !info.IsDir():
			return plainFile(name[:at], info.Mode())
		}
	}
	info, err := os.Lstat(s.repo.file(name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case !info.IsDir():
		return plainFile(name, info.Mode())
	}
	var files []string
	err = filepath.WalkDir(s.repo.file(name), func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		within, err := filepath.Rel(s.repo.TopLevel, file)
		if err != nil {
			return err
		}
		plain, err := plainFile(filepath.ToSlash(within), entry.Type())
		if slices.Contains(strings.Split(path.Dir(filepath.ToSlash(within)), "/"), ".git") {
			return fmt.Errorf("%q is in the way: a repository in it", name)
		}
		files = append(files, plain...)
		return err
	})
	return files, err
}

// plainFile returns the name of a file that git can keep, and an error for one that it cannot.
func plainFile(name string, mode fs.FileMode) ([]string, error) {
	if mode.IsRegular() || mode&fs.ModeSymlink != 0 {
		return []string{name}, nil
	}
	return nil, fmt.Errorf("%q is in the way: neither a file nor a symbolic link", name)
}

// switchTo takes the work tree and the index from the snapshot to a commit. git checks all paths before it touches one,
// and refuses to overwrite what the snapshot does not have.
func (s *Snapshot) switchTo(ctx context.Context, commit plumbing.Hash, found *Gathered) error {
	s.clean = false // the index is to change
	args := append(slices.Clone(s.repo.git.durable(ctx)), "read-tree", "-m", "-u", "--no-recurse-submodules", s.Tree.String(), commit.String())
	if _, err := s.git(ctx, call{args: args}); err != nil {
		return err
	}
	followed, err := s.FollowIndex(ctx)
	if err == nil && !followed {
		found.Told = append(found.Told, "the index was changed or locked by another process meanwhile: it stays as it is (git status shows what differs)")
	}
	return err
}
