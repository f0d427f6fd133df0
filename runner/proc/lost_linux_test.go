package proc

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A supervisor that was stopped keeps no deadline. Its parent does its work in the end.
func TestASupervisorThatDoesNotMoveIsGivenUp(t *testing.T) {
	self := must(os.Executable())
	dir := t.TempDir()
	c := must(Command{
		Argv: []string{self}, Dir: dir, Env: []string{"PROC_TEST_ACT=deaf"}, Stdout: filepath.Join(dir, "out"),
		Marker: "test:" + t.Name(), Grace: time.Millisecond,
	}.ready())
	l := must(Supervisor{Argv: []string{self}}.link(c))
	defer l.close()
	l.give(c)
	follow := Follow(t.Context(), c.Stdout, 0, nil)
	must(io.ReadFull(follow, make([]byte, len("ready\n"))))
	must(0, follow.Close())
	must(0, syscall.Kill(l.cmd.Process.Pid, syscall.SIGSTOP))
	l.pace = time.Millisecond
	result := must(l.await(context.Background(), c))
	if result.End != Lost || len(result.Trouble) > 0 {
		t.Errorf("got %+v", result)
	}
	for _, p := range must(processes(nil)) {
		if carries(p.pid, MarkerVariable+"="+c.Marker) && !p.dead {
			t.Errorf("process %d is left", p.pid)
		}
	}
}

func TestAProgramThatIsNoSupervisorIsTold(t *testing.T) {
	c := must(Command{Argv: []string{"true"}, Dir: "/", Stdout: filepath.Join(t.TempDir(), "out"), Marker: "test:" + t.Name()}.ready())
	l := must(Supervisor{Argv: []string{"/bin/cat"}}.link(c))
	defer l.close()
	l.give(c)
	l.pace = time.Millisecond
	if _, err := l.await(context.Background(), c); err == nil || !strings.Contains(err.Error(), "proc.Main") {
		t.Errorf("got %v", err)
	}
}
