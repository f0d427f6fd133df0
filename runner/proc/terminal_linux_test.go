package proc_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// terminal opens a new terminal and returns its two ends.
func terminal(t *testing.T) (ours, theirs *os.File) {
	t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { ours.Close() })
	fd := int(ours.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Fatal(err)
	}
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	theirs, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skipf("no terminals here: %v", err)
	}
	t.Cleanup(func() { theirs.Close() })
	return ours, theirs
}

// A program that asks for a password on the terminal is told that there is none, and nothing is seen there.
func TestTheProgramHasNoTerminal(t *testing.T) {
	ours, theirs := terminal(t)
	s := onStage(t, "")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	loop := exec.Command(self, s.Dir, s.Marker, "tty")
	loop.Env = []string{actVariable + "=onterminal"}
	loop.Stdin, loop.Stdout, loop.Stderr = theirs, theirs, theirs
	loop.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := loop.Run(); err != nil {
		t.Error(err)
	}
	if got := s.output(); !strings.HasPrefix(got, "tty: open /dev/tty: ") {
		t.Errorf("the program got %q", got)
	}
	theirs.Close()
	seen, _ := io.ReadAll(ours) // it ends with an error when nobody has the other end
	if got := string(seen); !strings.HasPrefix(got, "the loop has one\r\n{exited 0 ") || strings.Count(got, "\n") != 2 {
		t.Errorf("the terminal shows %q", got)
	}
}
