//go:build unix

package main

import (
	"fmt"
	"os/exec"
	"syscall"
)

// ownGroup gives the program a process group of its own, as a shell does.
func ownGroup(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} }

// ownSession takes the program away from the terminal and from every group.
func ownSession(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// sendSignal signals a process, or the group that it leads.
func sendSignal(pid int, name string, group bool) error {
	signals := map[string]syscall.Signal{"TERM": syscall.SIGTERM, "INT": syscall.SIGINT, "HUP": syscall.SIGHUP, "KILL": syscall.SIGKILL, "STOP": syscall.SIGSTOP, "CONT": syscall.SIGCONT}
	s, ok := signals[name]
	if !ok {
		return fmt.Errorf("signal %q is not known here", name)
	}
	if group {
		pid = -pid
	}
	return syscall.Kill(pid, s)
}
