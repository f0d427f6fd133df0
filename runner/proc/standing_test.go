//go:build unix

package proc

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// standingCommand is a shell command whose output is read with said.
func standingCommand(t *testing.T, script string) Command {
	return Command{
		Argv: []string{"/bin/sh", "-c", script}, Dir: t.TempDir(), Env: []string{"PATH=/bin:/usr/bin"},
		Stdout: filepath.Join(t.TempDir(), "out"), Marker: "test:" + t.Name(),
	}
}

// said runs a command and returns what it printed.
func said(t *testing.T, s *Standing, script string) string {
	t.Helper()
	c := standingCommand(t, script)
	result, err := s.Run(context.Background(), c)
	if err != nil || result.End != Exited || result.ExitCode != 0 {
		t.Fatalf("%s: %+v, %v", script, result, err)
	}
	return strings.TrimSpace(string(must(os.ReadFile(c.Stdout))))
}

func TestAStandingSupervisorTakesOneCommandAfterTheOther(t *testing.T) {
	s := Supervisor{Argv: []string{must(os.Executable())}}.Stand()
	first := said(t, s, "echo $PPID")
	pid := s.idle.cmd.Process.Pid
	for range 5 {
		if again := said(t, s, "echo $PPID"); again != first {
			t.Errorf("the supervisor is %s, then %s", first, again)
		}
	}
	s.Close()
	if err := syscall.Kill(pid, 0); err == nil {
		t.Error("the supervisor outlives Close")
	}
}

func TestAStandingSupervisorThatDiedIsReplaced(t *testing.T) {
	s := Supervisor{Argv: []string{must(os.Executable())}}.Stand()
	defer s.Close()
	said(t, s, "true")
	if err := syscall.Kill(s.idle.cmd.Process.Pid, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if got := said(t, s, "echo here"); got != "here" {
		t.Errorf("got %q", got)
	}
}

func TestAStandingSupervisorLeavesNothingBetweenCommands(t *testing.T) {
	s := Supervisor{Argv: []string{must(os.Executable())}}.Stand()
	defer s.Close()
	c := standingCommand(t, "sleep 100 & sleep 100 & exit 0")
	result, err := s.Run(context.Background(), c)
	if err != nil || result.Leftovers == 0 {
		t.Fatalf("got %+v, %v", result, err)
	}
	for _, p := range must(processes(nil)) {
		if s.idle != nil && p.parent == s.idle.cmd.Process.Pid && !p.dead {
			t.Errorf("process %d is left", p.pid)
		}
	}
	if got := said(t, s, "echo next"); got != "next" {
		t.Errorf("got %q", got)
	}
}

func TestAStandingSupervisorIsNotUsedAgainAfterAStop(t *testing.T) {
	s := Supervisor{Argv: []string{must(os.Executable())}}.Stand()
	defer s.Close()
	c := standingCommand(t, "sleep 100")
	c.Kill = make(chan struct{})
	kill := make(chan struct{})
	c.Kill = kill
	close(kill)
	result, err := s.Run(context.Background(), c)
	if err != nil || result.End != Stopped || s.idle != nil {
		t.Fatalf("got %+v, %v, idle %v", result, err, s.idle != nil)
	}
	if got := said(t, s, "echo next"); got != "next" {
		t.Errorf("got %q", got)
	}
}

// TestAStandingSupervisorEndsWhatAnotherStarted has what carries the marker without being a descendant ended at the last when commands follow each other closely.
func TestAStandingSupervisorEndsWhatAnotherStarted(t *testing.T) {
	s := Supervisor{Argv: []string{must(os.Executable())}}.Stand()
	defer s.Close()
	said(t, s, "true")
	other := exec.Command("/bin/sleep", "100")
	other.Env = []string{MarkerVariable + "=test:" + t.Name()}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = other.Wait()
		close(ended)
	}()
	for range 5 {
		said(t, s, "true")
	}
	s.Close()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		_ = other.Process.Kill()
		t.Error("a process with the marker outlives the supervisor")
	}
}
