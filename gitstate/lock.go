package gitstate

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/gofrs/flock"
)

// Lock is an advisory lock (flock) that dies with its holder. It is not safe for concurrent use.
type Lock struct {
	path string
	what string // for messages
	loop string
	file *flock.Flock

	shared *gitLocks
	gits   *os.File // locked as long as a git of ours lives; nil: none is
}

// HeldError says that another process holds a lock.
type HeldError struct {
	What  string    // "loop \"add-auth\"" or "work tree /src/app"
	Pid   int       // zero: unknown
	Loop  string    // the loop that the holder runs; empty: unknown
	Since time.Time // zero: unknown
}

func (e *HeldError) Error() string {
	if e.Pid == 0 {
		return e.What + " is held by another process"
	}
	return fmt.Sprintf("%s is held by process %d", e.What, e.Pid)
}

// lockPatience is how long a lock that is held is tried again: a look at it ([Repository.Running]) holds it for a
// moment.
const lockPatience = 300 * time.Millisecond

// deadPatience is how long a lock is tried again whose holder is dead: a child that it was about to start when it was killed has the file
// open until it is the program that it shall be. Who only looks waits less: a holder in a container may seem dead.
const (
	deadPatience     = 10 * time.Second
	deadLookPatience = time.Second
)

// LockLoop takes the lock of a loop, <common dir>/ralph/<loop>/lock. The error is a *[HeldError] when another process
// holds it. When the last holder was killed it returns no sooner than the last git of it is gone.
func (r *Repository) LockLoop(loop string) (*Lock, error) {
	l, err := takeLock(&Lock{path: r.loopLock(loop), what: fmt.Sprintf("loop %q", loop), loop: loop, shared: r.git.locks})
	if err != nil {
		return nil, err
	}
	if l.gits, err = l.shared.hold(l.path + gitLockEnding); err != nil {
		return nil, errors.Join(err, l.file.Unlock())
	}
	return l, nil
}

// LockWorktree takes the lock of this work tree, in its own git directory, for a loop.
func (r *Repository) LockWorktree(loop string) (*Lock, error) {
	return takeLock(&Lock{path: filepath.Join(r.GitDir, "ralph-worktree.lock"), what: "work tree " + r.TopLevel, loop: loop})
}

// PlanKey names a tag of a plan on this machine.
type PlanKey struct {
	Root string // folder that holds the plan's, with all links resolved
	Tag  string // required
}

// LockPlan takes the lock of a tag of a plan for a loop, in the common directory: several work trees may share one. The error is a *[HeldError] when another process
// holds it.
func (r *Repository) LockPlan(loop string, key PlanKey) (*Lock, error) {
	l := r.planLock(key)
	l.loop = loop
	return takeLock(l)
}

// PlanHeld reports who holds the lock of a tag of a plan; nil: nobody.
func (r *Repository) PlanHeld(key PlanKey) (*HeldError, error) { return heldNow(r.planLock(key)) }

func (r *Repository) planLock(key PlanKey) *Lock {
	sum := sha256.Sum256([]byte(key.Root + "\n" + key.Tag))
	name := fmt.Sprintf("plan-%x.lock", sum[:6]) // no loop is called so
	return &Lock{path: filepath.Join(r.CommonDir, "ralph", name), what: fmt.Sprintf("tag %q of this plan", key.Tag)}
}

func (r *Repository) loopLock(loop string) string { return filepath.Join(r.LoopDir(loop), "lock") }

func takeLock(l *Lock) (*Lock, error) {
	if err := l.take(); err != nil {
		return nil, err
	}
	return l, nil
}

// take makes the lock file where there is none, locks it and writes who holds it.
func (l *Lock) take() error {
	for begin := time.Now(); ; time.Sleep(lockPatience / 10) {
		taken, err := l.try()
		if err != nil {
			return fmt.Errorf("lock %s: %w", l.what, err)
		}
		if taken {
			return nil
		}
		waited, held := time.Since(begin), l.held()
		if waited > deadPatience || waited > lockPatience && (held.Pid == 0 || alive(held.Pid)) {
			return held
		}
	}
}

// try tries once. It returns false when another process holds the lock, or has just put another file in its place.
func (l *Lock) try() (bool, error) {
	if err := os.MkdirAll(filepath.Dir(l.path), 0o777); err != nil {
		return false, err
	}
	file := flock.New(l.path, flock.SetFlag(os.O_CREATE|os.O_RDWR), flock.SetPermissions(0o666))
	taken, err := file.TryLock()
	if err != nil || !taken {
		return false, err
	}
	l.file = file
	if state, err := l.inPlace(); err != nil || state != lockOurs {
		return false, errors.Join(err, file.Unlock())
	}
	if err := writeHolder(l.path, l.loop); err != nil {
		return false, errors.Join(err, file.Unlock())
	}
	return true, nil
}

// What is at the path of a lock that we hold.
type lockState int

const (
	lockOurs lockState = iota
	lockGone
	lockReplaced
)

// inPlace tells what is at the path of the lock now.
func (l *Lock) inPlace() (lockState, error) {
	ours, err := l.file.Stat()
	if err != nil {
		return lockGone, err
	}
	now, err := os.Stat(l.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return lockGone, nil
	case err != nil:
		return lockGone, err
	case !os.SameFile(ours, now):
		return lockReplaced, nil
	}
	return lockOurs, nil
}

// Check makes sure that the lock is still ours: a lock file that vanished is made and locked again; another file in its
// place is a *[HeldError].
func (l *Lock) Check() error {
	state, err := l.inPlace()
	switch {
	case err != nil:
		return fmt.Errorf("check lock of %s: %w", l.what, err)
	case state == lockReplaced:
		return l.held()
	case state == lockOurs:
		return nil
	}
	gone := l.file // holds a file without a name: nobody else can wait for it
	if err := l.take(); err != nil {
		l.file = gone
		return err
	}
	return gone.Unlock()
}

// Release gives the lock up. The file stays.
func (l *Lock) Release() error {
	var err error
	if l.gits != nil {
		err = l.shared.drop(l.gits)
		l.gits = nil
	}
	return errors.Join(err, l.file.Unlock())
}

// held is the error that says who holds the lock.
func (l *Lock) held() *HeldError {
	e := readHolder(l.path)
	e.What = l.what
	return e
}

// Running reports who holds the loop's lock; nil: nobody. It takes no lock for longer than a moment and makes no file. For a holder
// that was killed it waits until its last child has let go.
func (r *Repository) Running(loop string) (*HeldError, error) {
	return heldNow(&Lock{path: r.loopLock(loop), what: fmt.Sprintf("loop %q", loop)})
}

// heldNow reports who holds a lock that we do not; nil: nobody.
func heldNow(l *Lock) (*HeldError, error) {
	for begin := time.Now(); ; time.Sleep(lockPatience / 10) {
		probe := flock.New(l.path, flock.SetFlag(os.O_RDONLY))
		free, err := probe.TryRLock()
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil, nil
		case err != nil:
			return nil, fmt.Errorf("look at the lock of %s: %w", l.what, err)
		case free:
			return nil, probe.Unlock()
		}
		if held := l.held(); held.Pid == 0 || alive(held.Pid) || time.Since(begin) > deadLookPatience {
			return held, nil
		}
	}
}

// holderAt is where the text begins that says who holds a lock: on Windows nobody but the holder can read the byte that
// is locked.
const holderAt = 1

// writeHolder writes into a lock file who holds it.
func writeHolder(path, loop string) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%d %s %s\n", os.Getpid(), loop, time.Now().UTC().Format(time.RFC3339))
	_, err = f.WriteAt([]byte(text), holderAt)
	return errors.Join(err, f.Truncate(int64(holderAt+len(text))), f.Close())
}

// readHolder reads who holds a lock. What is missing or torn stays zero.
func readHolder(path string) *HeldError {
	f, err := os.Open(path)
	if err != nil {
		return &HeldError{}
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, holderAt, 1<<10))
	if err != nil {
		return &HeldError{}
	}
	return parseHolder(string(text))
}

// parseHolder reads "<pid> <loop> <time>\n".
func parseHolder(text string) *HeldError {
	e := &HeldError{}
	fields := strings.Fields(text)
	if len(fields) != 3 || !strings.HasSuffix(text, "\n") {
		return e
	}
	e.Pid, _ = strconv.Atoi(fields[0])
	e.Loop = fields[1]
	e.Since, _ = time.Parse(time.RFC3339, fields[2])
	return e
}
