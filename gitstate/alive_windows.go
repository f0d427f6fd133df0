package gitstate

import "os"

// alive reports whether there is a process of that id on this machine.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release() // only the handle: nothing happens to the process
	return true
}
