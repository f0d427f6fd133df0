package gitstate

import "os"

// processLives reports whether there is a process with this id.
func processLives(pid int) bool {
	p, err := os.FindProcess(pid) // opens the process
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
