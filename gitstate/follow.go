package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// followPrefix begins the name of our new file beside an index.
const followPrefix = "index.ralph-"

// FollowIndex makes the user's index that of the snapshot, unless it changed since the snapshot was taken or somebody holds its lock: then
// it stays as it is and the result is false.
//
// The lock is taken as git takes it, by making index.lock, but with all of its content at once: as a second name of a new file of
// ours. So after a crash an index.lock of ours is known by its inode ([Repository.RemoveOwnLocks]).
func (s *Snapshot) FollowIndex(ctx context.Context) (bool, error) {
	now, err := stampIndex(s.repo.index)
	if err != nil {
		return false, fmt.Errorf("read index: %w", err)
	}
	if !now.same(s.index.seed) {
		return false, nil
	}
	fresh := filepath.Join(filepath.Dir(s.repo.index), followPrefix+privateName())
	stamp, err := copyIndex(s.index.path, fresh)
	defer os.Remove(fresh)
	if err != nil {
		return false, fmt.Errorf("write new index: %w", err)
	}
	if stamp.info == nil { // an empty index that was never written
		return true, nil
	}
	if now.info != nil {
		if err := os.Chmod(fresh, now.info.Mode().Perm()); err != nil {
			return false, fmt.Errorf("write new index: %w", err)
		}
	}
	lock := s.repo.index + ".lock"
	if held, err := lockWith(ctx, fresh, lock); err != nil || held {
		return false, err
	}
	now, err = stampIndex(s.repo.index)
	if err != nil || !now.same(s.index.seed) {
		return false, errors.Join(err, os.Remove(lock))
	}
	if err := os.Rename(lock, s.repo.index); err != nil {
		return false, errors.Join(fmt.Errorf("replace index: %w", err), os.Remove(lock))
	}
	return true, nil
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
