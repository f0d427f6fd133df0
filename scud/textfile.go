package scud

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// maxText is the most that is read of one file, in bytes: far more than people and agents write.
const maxText = 256 << 20

// errNoFile says that there is something else in the place of a file. A pipe or a device may never end.
var errNoFile = errors.New("this is no regular file")

// ReadText reads a file that a plan or its user names. Whoever writes the work tree decides what lies there: what is no regular file, or has more than 256 MB,
// is an error. Errors name no path, for the caller knows how the user calls it; one of a file that is missing is [fs.ErrNotExist].
func ReadText(path string) (string, error) {
	info, err := os.Stat(path)
	if err == nil {
		err = readable(info)
	}
	var text []byte
	if err == nil {
		text, err = os.ReadFile(path)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		err = e.Err
	}
	return string(text), err
}

// readable reports what keeps a file from being read whole.
func readable(info fs.FileInfo) error {
	switch {
	case !info.Mode().IsRegular():
		return errNoFile
	case info.Size() > maxText:
		return fmt.Errorf("this is larger than %d MB", maxText>>20)
	}
	return nil
}
