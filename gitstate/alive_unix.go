//go:build unix

package gitstate

import (
	"errors"
	"syscall"
)

// alive reports whether there is a process of that id on this machine.
func alive(pid int) bool { return !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) }
