package gitstate

import (
	"os/exec"
	"runtime"
	"syscall"
)

// endsWithUs lets a program that talks to a remote, or runs hooks, get TERM when we are killed: git then removes its locks, and what it started meets closed pipes. The
// kernel takes the death of the thread that started it for ours, so until the program has ended the thread is kept. The caller calls the function that is
// returned then.
func endsWithUs(cmd *exec.Cmd) (ended func()) {
	if cmd.SysProcAttr == nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{}
	}
	cmd.SysProcAttr.Pdeathsig = syscall.SIGTERM
	runtime.LockOSThread()
	return runtime.UnlockOSThread
}
