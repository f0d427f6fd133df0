//go:build unix

package proc

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// spellings returns the paths that a program's path may stand for: here only itself.
func spellings(path string, _ []string) []string { return []string{path} }

func executable(info os.FileInfo) bool { return info.Mode()&0o111 != 0 }

func sameVariable(a, b string) bool { return a == b }

// refused says in words why the system did not start the program at path.
func (c Command) refused(path string, err error) error {
	why := reason(err)
	switch {
	case errors.Is(err, syscall.ENOEXEC):
		why = "it is no program of this system and has no #! line; scripts without one are not given to a shell"
	case errors.Is(err, fs.ErrNotExist) && interpreter(path) != "":
		why = fmt.Sprintf("its interpreter %q does not exist", interpreter(path))
	case errors.Is(err, fs.ErrNotExist):
		why = "its loader does not exist: it was made for another system"
	case errors.Is(err, fs.ErrPermission) && interpreter(path) != "":
		why = fmt.Sprintf("permission denied, to it or to its interpreter %q", interpreter(path))
	case errors.Is(err, syscall.E2BIG):
		why = fmt.Sprintf("its arguments (%d bytes) and environment (%d bytes) are too long", size(c.Argv), size(c.Env))
	case errors.Is(err, syscall.EAGAIN), errors.Is(err, syscall.ENOMEM):
		why = "the system has no room for another process"
	case errors.Is(err, syscall.EINVAL):
		why = "an argument or a variable holds a NUL byte"
	}
	return &notStarted{Program: c.Argv[0], Why: why}
}

// size returns how much room these texts take.
func size(texts []string) int {
	n := 0
	for _, text := range texts {
		n += len(text) + 1
	}
	return n
}
