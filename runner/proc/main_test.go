//go:build linux || darwin

package proc_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// actVariable makes the test binary play one of the acts instead of running tests.
const actVariable = "PROC_TEST_ACT"

func TestMain(m *testing.M) {
	proc.Main()
	if name := os.Getenv(actVariable); name != "" {
		act, found := acts[name]
		if !found {
			panic("no such act: " + name)
		}
		act(os.Args[1:])
		syscall.Exit(0) // os.Exit takes a second under the race detector
	}
	os.Exit(m.Run())
}

// patience bounds every wait of these tests; none of them comes near it when it passes.
const patience = 30 * time.Second

// stage is one command of the test binary with its files.
type stage struct {
	*testing.T
	proc.Command
	supervisor proc.Supervisor
}

// onStage prepares a command that plays an act.
func onStage(t *testing.T, act string, args ...string) *stage {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	marker := "test:" + strconv.Itoa(os.Getpid()) + ":" + t.Name()
	s := &stage{T: t, supervisor: proc.Supervisor{Argv: []string{self}}, Command: proc.Command{
		Argv:   append([]string{self}, args...),
		Dir:    dir,
		Env:    []string{actVariable + "=" + act, "PATH=" + os.Getenv("PATH")},
		Stdout: filepath.Join(dir, "out"),
		Marker: marker,
		Grace:  50 * time.Millisecond,
	}}
	t.Cleanup(func() {
		if left := carriers(t, marker); len(left) > 0 {
			t.Errorf("%d processes still carry the marker: %v", len(left), left)
			if _, err := proc.Sweep(marker, 0); err != nil {
				t.Error(err)
			}
		}
	})
	return s
}

// run plays the act to its end.
func (s *stage) run() proc.Result {
	s.Helper()
	return s.runIn(context.Background())
}

func (s *stage) runIn(ctx context.Context) proc.Result {
	s.Helper()
	result, err := s.supervisor.Run(ctx, s.Command)
	if err != nil {
		s.Fatalf("run: %v", err)
	}
	if len(result.Trouble) > 0 {
		s.Errorf("trouble: %q", result.Trouble)
	}
	return result
}

// start plays the act and returns when it has printed "ready". The function returned waits for its end.
func (s *stage) start(ctx context.Context) func() proc.Result {
	s.Helper()
	ended := make(chan struct{})
	var result proc.Result
	var err error
	go func() {
		defer close(ended)
		result, err = s.supervisor.Run(ctx, s.Command)
	}()
	s.waitFor("ready", ended)
	return func() proc.Result {
		s.Helper()
		select {
		case <-ended:
		case <-time.After(patience):
			s.Fatal("Run does not return")
		}
		if err != nil {
			s.Fatalf("run: %v", err)
		}
		if len(result.Trouble) > 0 {
			s.Errorf("trouble: %q", result.Trouble)
		}
		return result
	}
}

// waitFor reads the output until it holds text.
func (s *stage) waitFor(text string, ended <-chan struct{}) {
	s.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	follow := proc.Follow(ctx, s.Stdout, s.OutputLimit, ended)
	defer follow.Close()
	var seen bytes.Buffer
	buffer := make([]byte, 4096)
	for !strings.Contains(seen.String(), text) {
		n, err := follow.Read(buffer)
		seen.Write(buffer[:n])
		if err != nil {
			s.Fatalf("output ended before %q: %v\n%s", text, err, seen.String())
		}
	}
}

// output returns what is in the output file.
func (s *stage) output() string {
	s.Helper()
	text, err := os.ReadFile(s.Stdout)
	if err != nil {
		s.Fatal(err)
	}
	return string(text)
}

// eventually waits until condition holds.
func eventually(t *testing.T, what string, condition func() bool) {
	t.Helper()
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	late := time.After(patience)
	for !condition() {
		select {
		case <-look.C:
		case <-late:
			t.Fatalf("never: %s", what)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func mustWrite(w io.Writer, text string) {
	if _, err := io.WriteString(w, text); err != nil && !errors.Is(err, os.ErrClosed) {
		panic(err)
	}
}
