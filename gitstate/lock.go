package gitstate

import (
	"fmt"
	"time"
)

// Lock is an advisory lock (flock) that dies with its holder.
type Lock struct{}

// HeldError says that another process holds a lock.
type HeldError struct {
	What  string    // "loop \"add-auth\"" or "work tree /src/app"
	Pid   int       // zero: unknown
	Loop  string    // the loop that the holder runs; empty: unknown
	Since time.Time // zero: unknown
}

func (e *HeldError) Error() string { return fmt.Sprintf("%s is held by process %d", e.What, e.Pid) }

// LockLoop takes the lock of a loop, <common dir>/ralph/<loop>/lock. The error is a *[HeldError] when another process holds it.
func (r *Repository) LockLoop(loop string) (*Lock, error) { return nil, nil }

// LockWorktree takes the lock of this work tree, in its own git directory, for a loop.
func (r *Repository) LockWorktree(loop string) (*Lock, error) { return nil, nil }

// Check makes sure that the lock is still ours: a lock file that vanished is made and locked again; another file in its place is a *[HeldError].
func (l *Lock) Check() error { return nil }

// Release gives the lock up. The file stays.
func (l *Lock) Release() error { return nil }

// Running reports who holds the loop's lock; nil: nobody. It takes no lock for longer than a moment.
func (r *Repository) Running(loop string) (*HeldError, error) { return nil, nil }
