//go:build unix

package gitstate

import (
	"errors"
	"os"
	"os/exec"

	"golang.org/x/sys/unix"
)

// flockFile locks a file for whoever has this opening of it, and returns false when it is locked already.
func flockFile(file *os.File) (bool, error) {
	err := unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	if errors.Is(err, unix.ENOLCK) || errors.Is(err, unix.ENOTSUP) { // a file system without locks
		return true, nil
	}
	return err == nil, err
}

func funlockFile(file *os.File) error { return unix.Flock(int(file.Fd()), unix.LOCK_UN) }

// inherit lets a program have the files open.
func inherit(cmd *exec.Cmd, files []*os.File) { cmd.ExtraFiles = files }
