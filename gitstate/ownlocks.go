package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// OwnLocks says which lock files of git a process of ours may have left that was killed.
type OwnLocks struct {
	Loop   string                 // name; the caller holds the locks of the loop and of the work tree
	Branch plumbing.ReferenceName // the loop branch
	Refs   bool                   // the lock of the work tree is not the caller's: only locks of refs are looked at, HEAD aside
	Since  time.Time              // of our last commit: locks that others use too are ours only when younger. Zero: unknown, they stay
}

const (
	deadLockAge = time.Second      // a lock of ours that is so old is nobody's when no git works here
	ownLockAge  = 10 * time.Second // the same where that cannot be known
)

// RemoveOwnLocks removes what a process of ours left that was killed, and returns the lock files among it: an
// index.lock that has the inode of a file of ours, the locks of refs that only this loop writes, and those of a ref
// transaction on HEAD, on the notes and on packed refs that was made after our last commit and that no living git can
// hold. For a lock that may still be held it waits until it is old enough. Locks of others stay.
func (r *Repository) RemoveOwnLocks(ctx context.Context, q OwnLocks) ([]string, error) {
	var removed []string
	if !q.Refs {
		var err error
		if removed, err = r.removeFollowers(); err != nil {
			return removed, fmt.Errorf("remove our own index lock: %w", err)
		}
	}
	shared, ours := r.lockPaths(q.Loop, q.Branch)
	for _, path := range shared {
		if path == r.index+".lock" || q.Since.IsZero() || q.Refs && filepath.Base(path) == "HEAD.lock" {
			continue
		}
		info, err := os.Lstat(path)
		if err != nil || info.ModTime().Before(q.Since.Add(-clockSlack)) || !r.ourText(path, q.Branch) {
			continue
		}
		ours = append(ours, path)
	}
	for _, path := range ours {
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

// removeFollowers removes the new index files that FollowIndex left, and the lock that is the same file as one of them.
// We hold the lock of the work tree, so nobody is at work on one.
func (r *Repository) removeFollowers() (removed []string, err error) {
	dir := filepath.Dir(r.index)
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	lock := r.index + ".lock"
	for _, entry := range entries {
		if !strings.HasPrefix(entry.Name(), followPrefix) {
			continue
		}
		fresh := filepath.Join(dir, entry.Name())
		if sameIndex(fresh, lock) {
			if err := os.Remove(lock); err != nil {
				return removed, err
			}
			removed = append(removed, lock)
		}
		if err := os.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) { // last: it tells whose the lock is
			return removed, err
		}
	}
	return removed, nil
}

// sameIndex reports whether the lock is a second name of our file, or, where there are no hard links, a copy of it.
func sameIndex(fresh, lock string) bool {
	a, errA := stampIndex(fresh)
	b, errB := stampIndex(lock)
	if errA != nil || errB != nil || a.info == nil || b.info == nil {
		return false
	}
	return os.SameFile(a.info, b.info) || a.info.Size() == b.info.Size() && a.info.ModTime().Equal(b.info.ModTime()) && bytes.Equal(a.tail, b.tail)
}

// ourText reports whether a lock file may hold what we write. HEAD's is empty when a branch moves under it, and names
// the branch when we put HEAD there.
func (r *Repository) ourText(path string, branch plumbing.ReferenceName) bool {
	if filepath.Base(path) != "HEAD.lock" {
		return true
	}
	text := readText(path)
	return text == "" || text == "ref: "+branch.String()+"\n"
}

// removeDeadLock removes a lock file once nobody can hold it any more. It returns false when it went away by itself, as
// one does whose git lived on after we were killed.
func (r *Repository) removeDeadLock(ctx context.Context, path string) (bool, error) {
	for {
		info, err := os.Lstat(path)
		if isMissing(err) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		enough := ownLockAge
		if working, known := gitWorksIn(r.TopLevel, r.CommonDir); known && !working {
			enough = deadLockAge
		}
		if time.Since(info.ModTime()) >= enough {
			return true, os.Remove(path)
		}
		if err := pause(ctx, lockPoll); err != nil {
			return false, err
		}
	}
}

// refLock is the lock file of a ref, where refs are files.
func (r *Repository) refLock(name plumbing.ReferenceName) string {
	return filepath.Join(r.CommonDir, filepath.FromSlash(name.String())+".lock")
}

// removeAbandoned removes a lock file that others use too, once it is certain that nobody holds it: no git works here. It returns false where that is not
// so, or not known.
func (r *Repository) removeAbandoned(ctx context.Context, path string) (bool, error) {
	if working, known := gitWorksIn(r.TopLevel, r.CommonDir); working || !known {
		return false, nil
	}
	return r.removeDeadLock(ctx, path)
}
