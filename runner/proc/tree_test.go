//go:build linux || darwin

package proc_test

import (
	"context"
	"fmt"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/git-ralph/git-ralph/runner/proc"
)

func TestNothingIsLeftBehind(t *testing.T) {
	for _, test := range []struct {
		act  string
		args []string
	}{
		{"leave", []string{"live"}},
		{"leave", []string{"deaf"}},
		{"leave", []string{"stop"}},
		{"away", nil},
		{"orphan", nil},
	} {
		t.Run(fmt.Sprint(test.act, test.args), func(t *testing.T) {
			s := onStage(t, test.act, test.args...)
			result := s.run()
			if result.End != proc.Exited || result.ExitCode != 0 || result.Leftovers != 1 {
				t.Errorf("got %+v", result)
			}
		})
	}
}

func TestWhatIgnoresTERMIsKilled(t *testing.T) {
	s := onStage(t, "deaf")
	ctx, cancel := context.WithCancel(context.Background())
	wait := s.start(ctx)
	cancel()
	if result := wait(); result.End != proc.Stopped || result.ExitCode != 128+9 || result.Leftovers != 0 {
		t.Errorf("got %+v", result)
	}
}

func TestWhatIsStoppedHearsTERM(t *testing.T) {
	s := onStage(t, "stop")
	s.Grace = patience
	ctx, cancel := context.WithCancel(context.Background())
	wait := s.start(ctx)
	cancel()
	if result := wait(); result.ExitCode != 128+15 {
		t.Errorf("got %+v", result)
	}
}

func TestWhatForksWhileItIsKilled(t *testing.T) {
	s := onStage(t, "breed", "400")
	ctx, cancel := context.WithCancelCause(context.Background())
	wait := s.start(ctx)
	cancel(proc.ErrKill)
	wait()
}

func TestWhatEndsItsSupervisor(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGKILL, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT} {
		t.Run(sig.String(), func(t *testing.T) {
			result := onStage(t, "parricide", strconv.Itoa(int(sig))).run()
			if result.End != proc.Lost {
				t.Errorf("got %+v", result)
			}
		})
	}
}

func TestWhatDisturbsItsSupervisor(t *testing.T) {
	for _, sig := range []syscall.Signal{syscall.SIGPIPE, syscall.SIGUSR1, syscall.SIGALRM} {
		t.Run(sig.String(), func(t *testing.T) {
			s := onStage(t, "parricide", strconv.Itoa(int(sig)))
			ctx, cancel := context.WithCancel(context.Background())
			wait := s.start(ctx)
			cancel()
			if result := wait(); result.End != proc.Stopped {
				t.Errorf("got %+v", result)
			}
		})
	}
}

func TestTheDeathOfTheParentEndsTheTree(t *testing.T) {
	for _, act := range []string{"deaf", "away", "live"} {
		t.Run(act, func(t *testing.T) {
			s := onStage(t, "")
			loop := begin("parent", false, nil, s.Dir, s.Marker, act)
			s.waitFor("ready", nil)
			if err := loop.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = loop.Wait()
			eventually(t, "no process carries the marker", func() bool { return len(carriers(t, s.Marker)) == 0 })
		})
	}
}

func TestSweep(t *testing.T) {
	s := onStage(t, "")
	env := []string{proc.MarkerVariable + "=" + s.Marker}
	one, other := begin("live", false, env), begin("deaf", true, env)
	stranger := begin("live", false, []string{proc.MarkerVariable + "=" + s.Marker + "2"})
	ends := make(chan error, 2)
	for _, cmd := range []*exec.Cmd{one, other} {
		t.Cleanup(func() { _ = cmd.Process.Kill() })
		go func() { ends <- cmd.Wait() }()
	}
	eventually(t, "both carry it", func() bool { return len(carriers(t, s.Marker)) == 2 })
	n, err := proc.Sweep(s.Marker, 0)
	if n != 2 || err != nil {
		t.Fatalf("swept %d, %v", n, err)
	}
	eventually(t, "both have ended", func() bool { return len(ends) == 2 })
	if err := stranger.Process.Kill(); err != nil {
		t.Errorf("a stranger was ended too: %v", err)
	}
	_ = stranger.Wait()
	if n, err = proc.Sweep(s.Marker, 0); n != 0 || err != nil {
		t.Errorf("swept %d again, %v", n, err)
	}
}

func TestSweepSparesItsOwn(t *testing.T) {
	s := onStage(t, "sweeper")
	s.Argv = append(s.Argv, s.Marker)
	// Under a shell that carries the marker too and started it.
	s.Argv = append([]string{"/bin/sh", "-c", `"$@"; echo shell lives`, "sh"}, s.Argv...)
	result := s.run()
	if out := s.output(); result.ExitCode != 0 || !strings.Contains(out, "swept 0 <nil> <nil>") || !strings.Contains(out, "shell lives") {
		t.Errorf("got %+v, output %q", result, out)
	}
}
