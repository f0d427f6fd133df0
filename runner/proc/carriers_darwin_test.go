package proc_test

import (
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// carriers returns the processes whose environment holds the marker.
func carriers(t *testing.T, marker string) []string {
	t.Helper()
	out, err := exec.Command("/bin/ps", "-A", "-E", "-ww", "-o", "pid=,command=").Output()
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for line := range strings.Lines(string(out)) {
		if strings.Contains(line, proc.MarkerVariable+"="+marker+" ") {
			found = append(found, line)
		}
	}
	return found
}

func isNonblocking(fd int) (bool, error) {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	return flags&unix.O_NONBLOCK != 0, err
}
