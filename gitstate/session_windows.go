package gitstate

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// ownSession keeps a Ctrl-C of the console away from git.
func ownSession(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// endSession has nothing to do: what git starts here ends when its pipes do.
func endSession(*exec.Cmd) {}
