//go:build linux || darwin

package proc_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/runner/proc"
)

func TestExitCode(t *testing.T) {
	for _, test := range []struct {
		act  string
		args []string
		code int
	}{
		{"exit", []string{"0"}, 0},
		{"exit", []string{"7"}, 7},
		{"die", nil, 128 + 9},
	} {
		t.Run(fmt.Sprint(test.act, test.args), func(t *testing.T) {
			result := onStage(t, test.act, test.args...).run()
			if result.End != proc.Exited || result.ExitCode != test.code || result.Leftovers != 0 {
				t.Errorf("got %+v, want code %d", result, test.code)
			}
		})
	}
}

func TestOutputIsKeptToTheByte(t *testing.T) {
	want := "a\x00b\xff\xfe\nno newline at the end"
	s := onStage(t, "print", strings.Split(want, "\n")...)
	s.Argv = append([]string{s.Argv[0]}, "a", "b\xff\xfe", "no newline at the end")
	s.run()
	if got := s.output(); got != "a\nb\xff\xfe\nno newline at the end" {
		t.Errorf("output %q", got)
	}
	s = onStage(t, "copy")
	s.Stdin = filepath.Join(s.Dir, "in \xff\n")
	if err := os.WriteFile(s.Stdin, []byte(want), 0o600); err != nil {
		t.Skipf("the file system takes UTF-8 names only: %v", err)
	}
	s.run()
	if got := s.output(); got != want {
		t.Errorf("output %q, want %q", got, want)
	}
}

func TestOneFileKeepsTheOrderOfBothStreams(t *testing.T) {
	s := onStage(t, "both")
	s.run()
	if got := s.output(); got != "123" {
		t.Errorf("output %q", got)
	}
	s.Stderr = filepath.Join(s.Dir, "err")
	s.run()
	if got := s.output(); got != "13" {
		t.Errorf("standard output %q", got)
	}
	if got, _ := os.ReadFile(s.Stderr); string(got) != "2" {
		t.Errorf("standard error %q", got)
	}
}

func TestTheEnvironmentIsTheOneGiven(t *testing.T) {
	s := onStage(t, "env")
	s.Env = append(s.Env, "PWD=/elsewhere", "GIT_RALPH_SUPERVISOR=1", proc.MarkerVariable+"=other", "ODD=\xff")
	s.run()
	lines := strings.Split(strings.TrimSpace(s.output()), "\n")
	dir, err := filepath.EvalSymlinks(s.Dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := filepath.EvalSymlinks(lines[0]); got != dir {
		t.Errorf("started in %q, want %q", got, dir)
	}
	want := map[string]bool{
		actVariable + "=env": true, "PATH=" + os.Getenv("PATH"): true, "ODD=\xff": true,
		"PWD=" + s.Dir: true, proc.MarkerVariable + "=" + s.Marker: true,
	}
	for _, line := range lines[1:] {
		if !want[line] {
			t.Errorf("unwanted variable %q", line)
		}
		delete(want, line)
	}
	if len(want) > 0 {
		t.Errorf("variables not there: %v", want)
	}
}

func TestTheProgramsFilesBlock(t *testing.T) {
	s := onStage(t, "flags")
	s.run()
	if got, want := s.output(), "0 false <nil>\n1 false <nil>\n2 false <nil>\n"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAProgramMayCloseItsOutputAndLiveOn(t *testing.T) {
	dir := t.TempDir()
	s := onStage(t, "closed", filepath.Join(dir, "closed"), filepath.Join(dir, "go"))
	results := make(chan proc.Result)
	go func() { results <- s.run() }()
	eventually(t, "output closed", func() bool { return exists(filepath.Join(dir, "closed")) })
	if err := os.WriteFile(filepath.Join(dir, "go"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if result := <-results; result.End != proc.Exited || result.ExitCode != 5 {
		t.Errorf("got %+v", result)
	}
}

func TestMemoryIsBounded(t *testing.T) {
	s := onStage(t, "big", "200")
	s.OutputLimit = 1 << 20
	s.Redact = []string{"something secret", "xy"}
	result := s.run()
	out := s.output()
	if result.Cut < 190<<20 || len(out) > 3<<20 {
		t.Errorf("%d bytes kept, %d cut", len(out), result.Cut)
	}
	_, rest, found := strings.Cut(out, "\npeak ")
	if !found {
		t.Skip("the system does not tell how much memory was used")
	}
	var kib int
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		t.Fatal(err)
	}
	if kib > 32<<10 {
		t.Errorf("the supervisor used %d KiB", kib)
	}
	t.Logf("the supervisor used %d KiB", kib)
}

func TestTimeout(t *testing.T) {
	s := onStage(t, "live")
	s.Timeout = 300 * time.Millisecond
	if result := s.run(); result.End != proc.TimedOut || result.ExitCode != 128+15 {
		t.Errorf("got %+v", result)
	}
}

func TestStall(t *testing.T) {
	s := onStage(t, "live")
	s.Stall = 300 * time.Millisecond
	s.WatchDir = t.TempDir()
	if result := s.run(); result.End != proc.Stalled {
		t.Errorf("got %+v", result)
	}
}

func TestStopIsPolite(t *testing.T) {
	s := onStage(t, "polite")
	s.Grace = patience
	ctx, cancel := context.WithCancel(context.Background())
	wait := s.start(ctx)
	cancel()
	if result := wait(); result.End != proc.Stopped || result.ExitCode != 3 {
		t.Errorf("got %+v", result)
	}
	if got := s.output(); got != "ready\nbye\n" {
		t.Errorf("output %q", got)
	}
}

func TestKillWaitsForNoGrace(t *testing.T) {
	for _, how := range []string{"cause", "channel", "channel after cancel"} {
		t.Run(how, func(t *testing.T) {
			s := onStage(t, "deaf")
			s.Grace = 10 * patience // waiting for it fails the test
			kill := make(chan struct{})
			s.Kill = kill
			ctx, cancel := context.WithCancelCause(context.Background())
			wait := s.start(ctx)
			switch how {
			case "cause":
				cancel(proc.ErrKill)
			case "channel":
				close(kill)
			default:
				cancel(nil)
				close(kill)
			}
			if result := wait(); result.End != proc.Stopped || result.ExitCode != 128+9 {
				t.Errorf("got %+v", result)
			}
			cancel(nil)
		})
	}
}

func TestACancelledContextStartsNothing(t *testing.T) {
	s := onStage(t, "print")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if result := s.runIn(ctx); result.End != proc.Stopped || result.ExitCode != -1 {
		t.Errorf("got %+v", result)
	}
	if exists(s.Stdout) {
		t.Error("output was made")
	}
}

func TestWhatStartsNothing(t *testing.T) {
	s := onStage(t, "print")
	s.Supervise(t)
}

// Supervise checks that what is no supervisor is told in words.
func (s *stage) Supervise(t *testing.T) {
	for _, argv := range [][]string{nil, {"/bin/echo"}, {"/nowhere"}} {
		_, err := proc.Supervisor{Argv: argv}.Run(context.Background(), s.Command)
		if err == nil || errors.Is(err, proc.ErrNotStarted) || !strings.HasPrefix(err.Error(), "start supervisor: ") {
			t.Errorf("%v: got %v", argv, err)
		}
	}
}
