package gitstate

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"time"
)

// LockFileError says that a lock file of git is in the way and not ours to remove.
type LockFileError struct {
	Path  string    // of the lock file
	Since time.Time // when it was written
}

func (e *LockFileError) Error() string {
	return fmt.Sprintf("%s is in the way since %s: another git process works here, or was killed", e.Path, e.Since.Format(time.DateTime))
}

// lockedError is [ErrLocked] with the lock file.
type lockedError struct{ path string }

func (e *lockedError) Error() string { return fmt.Sprintf("%v: %s exists", ErrLocked, e.path) }
func (e *lockedError) Unwrap() error { return ErrLocked }

// lockInMessage is what git says of a lock file that is there, as a regular expression. It is compiled when git has failed.
const lockInMessage = `Unable to create '([^']+)': File exists`

// heldLock returns the lock file that git found in its way; empty: none.
func (e *gitError) heldLock() string {
	if m := regexp.MustCompile(lockInMessage).FindStringSubmatch(e.stderr); m != nil {
		return m[1]
	}
	return ""
}

// tablesLock is the one lock of all refs that a git directory keeps in tables.
func tablesLock(dir string) string { return filepath.Join(dir, "reftable", "tables.list.lock") }

// LockFile returns the path of the lock file of git's that err tells of: it was there all the time. Empty: err tells of none.
func LockFile(err error) string {
	if e, ok := errors.AsType[*LockFileError](err); ok {
		return e.Path
	}
	if e, ok := errors.AsType[*lockedError](err); ok {
		return e.path
	}
	if e, ok := errors.AsType[*gitError](err); ok {
		return e.heldLock()
	}
	return ""
}
