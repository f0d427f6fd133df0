package hooks

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// WriteWhole writes a file below root, with slashes in its path: all of it, or what is there stays as it is. It is written beside its place, where nothing is
// yet, and moved there. Killed, it leaves at most that other file, whose name ends in .new.
func WriteWhole(root *os.Root, file string, text []byte, rights fs.FileMode) error {
	fresh, err := newBeside(root, file, rights)
	if err != nil {
		return err
	}
	_, err = fresh.Write(text)
	if closed := fresh.Close(); err == nil {
		err = closed
	}
	name := path.Join(path.Dir(file), filepath.Base(fresh.Name()))
	if err == nil {
		err = root.Rename(name, file)
	}
	if err != nil {
		_ = root.Remove(name) // the first error tells more
	}
	return err
}

// newBeside makes a file beside another one. What is there already is somebody's.
func newBeside(root *os.Root, file string, rights fs.FileMode) (fresh *os.File, err error) {
	for n := range 100 {
		fresh, err = root.OpenFile(fmt.Sprintf("%s.%d.new", file, n), os.O_WRONLY|os.O_CREATE|os.O_EXCL, rights)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	return fresh, err
}
