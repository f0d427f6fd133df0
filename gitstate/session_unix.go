//go:build unix

package gitstate

import (
	"os/exec"
	"syscall"
)

// ownSession keeps a Ctrl-C of the terminal away from git and gives it no terminal to ask on.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
}
