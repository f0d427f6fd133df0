package main

import (
	"errors"
	"os"
	"os/exec"
)

// ownGroup does nothing: there are no process groups to signal.
func ownGroup(*exec.Cmd) {}

// ownSession does nothing either.
func ownSession(*exec.Cmd) {}

// sendSignal can only end a process.
func sendSignal(pid int, name string, _ bool) error {
	if name != "KILL" && name != "TERM" {
		return errors.New("no such signal on Windows")
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return err
	}
	return p.Kill()
}
