//go:build !windows

package scud

import (
	"errors"
	"os"
	"syscall"
)

// syncFolder makes sure that the names in a folder are on the disk. File systems that cannot say so are believed.
func syncFolder(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	if err = f.Sync(); errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		err = nil
	}
	return errors.Join(err, f.Close())
}
