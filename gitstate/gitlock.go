package gitstate

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"
)

// gitLocks are locked files that every git which is started here has open. Such a lock is held until this process and all of them are gone: a git that is
// at work when its process is killed lives on, moves refs and writes files still. Whoever takes over waits for its end. A nil one holds nothing.
type gitLocks struct {
	mu    sync.Mutex
	files []*os.File
}

// gitLockEnding makes the name of such a file out of that of the lock that it belongs to.
const gitLockEnding = "-git"

// hold waits for the gits of a dead holder and takes the lock. One that is held for too long was inherited by something that stays, a daemon that git
// started: then another file takes the place of the old one.
func (l *gitLocks) hold(path string) (*os.File, error) {
	for begin := time.Now(); ; time.Sleep(lockPatience / 10) {
		file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o666)
		if err != nil {
			return nil, fmt.Errorf("wait for git: %w", err)
		}
		taken, err := flockFile(file)
		if err == nil && taken {
			l.mu.Lock()
			defer l.mu.Unlock()
			l.files = append(l.files, file)
			return file, nil
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return nil, fmt.Errorf("wait for git: %w", err)
		}
		if time.Since(begin) > deadPatience {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, fmt.Errorf("wait for git: %w", err)
			}
		}
	}
}

// drop gives a lock up, whoever has it open.
func (l *gitLocks) drop(file *os.File) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.files = slices.DeleteFunc(slices.Clone(l.files), func(f *os.File) bool { return f == file })
	return errors.Join(funlockFile(file), file.Close())
}

// open returns the files that a git is to get.
func (l *gitLocks) open() []*os.File {
	if l == nil {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.files)
}
