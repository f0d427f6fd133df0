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

// endSession ends what is left in the session of a program that has ended: an ssh that waits for a machine that is gone, say.
func endSession(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // mostly nobody is there
	}
}
