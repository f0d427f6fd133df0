package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

const (
	leftLockAge = 5 * time.Second        // a lock that nobody gave up for so long, while nobody is there, was left
	lockWait    = 10 * time.Second       // what a zero Patience means
	lockPoll    = 50 * time.Millisecond  // between two looks
	clockSlack  = 100 * time.Millisecond // file times come from a coarser clock than ours
	leftName    = "left-"                // begins the names of files that were moved away
)

// lockPaths returns the lock files that exist now among those that keep us from HEAD, the index and our refs.
func (r *Repository) lockPaths(loop string, branch plumbing.ReferenceName) (shared, ours []string) {
	shared = []string{
		r.index + ".lock",
		filepath.Join(r.GitDir, "HEAD.lock"),
		filepath.Join(r.CommonDir, "packed-refs.lock"),
		filepath.Join(r.CommonDir, "packed-refs.new"), // git writes it under that lock, and does not write over one that is there
		tablesLock(r.CommonDir),
		filepath.Join(r.CommonDir, filepath.FromSlash(NotesRef)+".lock"),
	}
	if r.GitDir != r.CommonDir {
		shared = append(shared, tablesLock(r.GitDir)) // a linked worktree keeps its HEAD in tables of its own
	}
	ours = []string{
		filepath.Join(r.CommonDir, filepath.FromSlash(branch.String())+".lock"),
		filepath.Join(r.CommonDir, "refs", "ralph", "moving", loop+".lock"),
		filepath.Join(r.CommonDir, "refs", "ralph", "tip", loop+".lock"),
		filepath.Join(r.CommonDir, "refs", "ralph", "lease", loop+".lock"),
	}
	for _, kind := range []string{"kept", "tell"} {
		dir := filepath.Join(r.CommonDir, "refs", "ralph", kind, loop)
		entries, _ := os.ReadDir(dir) // none when it cannot be read
		for _, entry := range entries {
			if filepath.Ext(entry.Name()) == ".lock" {
				ours = append(ours, filepath.Join(dir, entry.Name()))
			}
		}
	}
	return shared, ours
}

// moveLeftLocks moves the lock files away that the agent left, and waits for the end of others.
func (r *Repository) moveLeftLocks(ctx context.Context, q GatherRequest) ([]string, error) {
	shared, ours := r.lockPaths(q.Loop, q.Branch)
	var told []string
	for _, path := range append(shared, ours...) {
		moved, err := r.moveLeftLock(ctx, q, path)
		if err != nil {
			return told, err
		}
		if moved {
			told = append(told, fmt.Sprintf("moved %s away, which the agent left", filepath.Base(path)))
		}
	}
	return told, nil
}

// moveLeftLock returns when the lock file is gone, or is known to be somebody else's.
func (r *Repository) moveLeftLock(ctx context.Context, q GatherRequest, path string) (moved bool, err error) {
	patience := q.Patience
	if patience == 0 {
		patience = lockWait
	}
	for end := time.Now().Add(patience); ; {
		info, err := os.Lstat(path)
		if isMissing(err) {
			return false, nil
		}
		if err != nil {
			return false, fmt.Errorf("look at a lock: %w", err)
		}
		written := info.ModTime()
		left, err := q.leftByAgent(written)
		if err != nil {
			return false, err
		}
		switch {
		case left && time.Since(written) >= leftLockAge:
			return true, r.moveLeft(q.Loop, path)
		case !left && time.Now().After(end):
			return false, &LockFileError{Path: path, Since: written}
		}
		if err := pause(ctx, lockPoll); err != nil {
			return false, err
		}
	}
}

// leftByAgent reports whether a lock file of this age can only be what the agent left: made in the iteration, and
// nobody is there any more who could have made it.
func (q GatherRequest) leftByAgent(written time.Time) (bool, error) {
	if q.Alive == nil || written.Before(q.Since.Add(-clockSlack)) {
		return false, nil
	}
	alive, err := q.Alive()
	if err != nil {
		return false, fmt.Errorf("look for processes in the work tree: %w", err)
	}
	return !alive, nil
}

// moveLeft moves a file of git that the agent left into the loop's directory.
func (r *Repository) moveLeft(loop, path string) error {
	if err := os.MkdirAll(r.LoopDir(loop), 0o777); err != nil {
		return fmt.Errorf("move %s away: %w", filepath.Base(path), err)
	}
	to := filepath.Join(r.LoopDir(loop), leftName+privateName()+"-"+filepath.Base(path))
	if err := os.Rename(path, to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("move %s away: %w", filepath.Base(path), err)
	}
	return nil
}
