package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// followPrefix begins the name of our new file beside an index.
const followPrefix = "index.ralph-"

// FollowIndex makes the user's index that of the snapshot, unless somebody staged something since the snapshot was
// taken or holds its lock: then it stays as it is and the result is false. A mere refresh, as `git status` makes it, is
// no change.
//
// The lock is taken as git takes it, by making index.lock, but with all of its content at once: as a second name of a
// new file of ours. So after a crash an index.lock of ours is known by its inode ([Repository.RemoveOwnLocks]).
func (s *Snapshot) FollowIndex(ctx context.Context) (bool, error) {
	if s.clean {
		return true, nil
	}
	real := s.repo.index
	fresh := filepath.Join(filepath.Dir(real), followPrefix+privateName())
	stamp, err := copyIndex(s.index.path, fresh)
	defer os.Remove(fresh)
	if err != nil {
		return false, fmt.Errorf("write new index: %w", err)
	}
	if stamp.info == nil { // nothing is tracked, and git wrote no index for that
		return s.unchanged(ctx)
	}
	if info, err := os.Stat(real); err == nil {
		if err := os.Chmod(fresh, info.Mode().Perm()); err != nil {
			return false, fmt.Errorf("write new index: %w", err)
		}
	}
	if held, err := lockWith(ctx, fresh, real+".lock"); err != nil || held {
		return false, err
	}
	same, err := s.unchanged(ctx)
	if err != nil || !same {
		return false, errors.Join(err, os.Remove(real+".lock"))
	}
	if err := os.Rename(real+".lock", real); err != nil {
		return false, errors.Join(fmt.Errorf("replace index: %w", err), os.Remove(real+".lock"))
	}
	return true, nil
}

// CatchUpIndex completes what a kill cut off between a commit of ours, which is HEAD now, and the index that was to follow it. It returns false, and changes
// nothing, unless the index is that of a commit between since and HEAD, and the work tree has what HEAD has where the two differ: anything else the user
// staged.
func (r *Repository) CatchUpIndex(ctx context.Context, since plumbing.Hash) (bool, error) {
	if _, err := r.git.run(ctx, "diff-index", "--cached", "--quiet", "HEAD", "--"); exitCode(err) != 1 {
		return false, ctx.Err() // it is HEAD's, or cannot be read
	}
	index, err := r.newPrivateIndex()
	if err != nil {
		return false, err
	}
	s := &Snapshot{repo: r, index: index}
	defer s.Close() // the next snapshot removes what stays behind
	if err := index.copyFrom(r.index); err != nil {
		return false, err
	}
	behind, err := s.behind(ctx, since)
	if err != nil || !behind {
		return false, err
	}
	return s.FollowIndex(ctx)
}

// behind brings the private index to HEAD when it is that of a commit before, since included.
func (s *Snapshot) behind(ctx context.Context, since plumbing.Hash) (bool, error) {
	out, err := s.git(ctx, call{args: []string{"write-tree"}})
	if err != nil { // a merge that is under way, or no index that can be read
		return false, ctx.Err()
	}
	tree := strings.TrimSpace(string(out))
	oldest, err := s.repo.TreeID(since)
	if err != nil {
		return false, err
	}
	if out, err = s.git(ctx, call{args: []string{"log", "--first-parent", "--format=%T", "HEAD", "--not", since.String()}}); err != nil {
		return false, err
	}
	trees := append(strings.Fields(string(out)), oldest.String())
	if trees[0] == tree || !slices.Contains(trees, tree) {
		return false, nil
	}
	if _, err := s.git(ctx, call{args: []string{"read-tree", "--reset", "HEAD"}}); err != nil {
		return false, err
	}
	if _, err := s.git(ctx, call{args: []string{"update-index", "-q", "--refresh"}}); err != nil && exitCode(err) != 1 {
		return false, err // 1: some files differ
	}
	moved, err := s.git(ctx, call{args: []string{"diff-tree", "-r", "--name-only", "-z", tree, "HEAD"}})
	if err != nil {
		return false, err
	}
	differ, err := s.git(ctx, call{args: []string{"diff-files", "--name-only", "-z"}})
	edited := splitNul(differ)
	return err == nil && !slices.ContainsFunc(splitNul(moved), func(path string) bool { return slices.Contains(edited, path) }), err
}

// unchanged reports whether the user's index is still the one that was copied, or has the same entries.
func (s *Snapshot) unchanged(ctx context.Context) (bool, error) {
	now, err := stampIndex(s.repo.index)
	if err != nil {
		return false, fmt.Errorf("read index: %w", err)
	}
	if now.same(s.index.seed) {
		return true, nil
	}
	if now.info == nil || s.index.seed.info == nil {
		return false, nil
	}
	var entries [2][]byte
	for i, index := range []string{s.index.before(), s.repo.index} {
		c := call{args: []string{"ls-files", "--stage", "-v", "-z"}, env: []string{"GIT_INDEX_FILE=" + index}}
		if entries[i], err = s.repo.git.do(ctx, c); exitCode(err) > 0 {
			return false, nil // one of them cannot be read
		}
		if err != nil {
			return false, fmt.Errorf("read index: %w", err)
		}
	}
	return bytes.Equal(entries[0], entries[1]), nil
}

// followPatience is how long FollowIndex waits for somebody else's index.lock.
const followPatience = time.Second

// lockWith makes lock a second name of the file. It returns true when somebody else holds the lock all the time.
func lockWith(ctx context.Context, file, lock string) (held bool, err error) {
	for end := time.Now().Add(followPatience); ; {
		err := os.Link(file, lock)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			err = copyToNew(file, lock) // a file system without hard links
		}
		if !errors.Is(err, fs.ErrExist) {
			return false, err
		}
		if time.Now().After(end) {
			return true, nil
		}
		if err := pause(ctx, 20*time.Millisecond); err != nil {
			return false, err
		}
	}
}

// copyToNew copies an index to a file that must not exist.
func copyToNew(from, to string) error {
	_, err := copyIndex(from, to)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		err = errors.Join(err, os.Remove(to))
	}
	return err
}
