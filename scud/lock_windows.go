package scud

import (
	"errors"
	"os"

	"golang.org/x/sys/windows"
)

// tryLock takes a lock on an open file, on the same handle that reads and writes it: only that one can touch a locked
// region. It returns false when another process holds it. Closing the file gives it up.
func tryLock(f *os.File, exclusive bool) (bool, error) {
	const whole = ^uint32(0)
	how := uint32(windows.LOCKFILE_FAIL_IMMEDIATELY)
	if exclusive {
		how |= windows.LOCKFILE_EXCLUSIVE_LOCK
	}
	raw, err := f.SyscallConn()
	if err != nil {
		return false, err
	}
	var locking error
	err = raw.Control(func(fd uintptr) {
		locking = windows.LockFileEx(windows.Handle(fd), how, 0, whole, whole, &windows.Overlapped{})
	})
	if errors.Is(locking, windows.ERROR_LOCK_VIOLATION) || errors.Is(locking, windows.ERROR_IO_PENDING) {
		return false, nil
	}
	return err == nil && locking == nil, errors.Join(err, locking)
}
