//go:build !windows

package scud

import (
	"errors"
	"os"
	"syscall"
)

// tryLock takes a lock on an open file, on the same handle that reads and writes it. It returns false when another process
// holds it. Closing the file gives it up.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	var locking error
	err = raw.Control(func(fd uintptr) {
		for {
			if locking = syscall.Flock(int(fd), how|syscall.LOCK_NB); !errors.Is(locking, syscall.EINTR) {
				return
			}
		}
	})
	if errors.Is(locking, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil && locking == nil, errors.Join(err, locking)
}
