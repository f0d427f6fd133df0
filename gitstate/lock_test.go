package gitstate_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestLockKeepsOthersOut(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	r := s.open()
	if held, err := r.Running("x"); held != nil || err != nil {
		t.Fatalf("before: Running = %v, %v", held, err)
	}
	if _, err := os.Stat(r.LoopDir("x")); err == nil {
		t.Error("looking at a lock made its directory")
	}
	lock, err := r.LockLoop("x")
	if err != nil {
		t.Fatal(err)
	}
	var held *gitstate.HeldError
	if _, err := s.open().LockLoop("x"); !errors.As(err, &held) || held.Pid != os.Getpid() || held.Loop != "x" || held.Since.IsZero() {
		t.Errorf("second LockLoop = %v (%+v)", err, held)
	}
	if held, err := r.Running("x"); held == nil || err != nil || held.Pid != os.Getpid() || held.What != `loop "x"` {
		t.Errorf("Running = %+v, %v", held, err)
	}
	if _, err := r.LockLoop("y"); err != nil {
		t.Errorf("another loop's lock: %v", err)
	}
	if err := lock.Check(); err != nil {
		t.Errorf("Check = %v", err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if held, err := r.Running("x"); held != nil || err != nil {
		t.Errorf("after release: Running = %v, %v", held, err)
	}
}

// A holder that was killed while it started a child leaves the lock to that child for a moment.
func TestLockOfADeadHolderIsWaitedFor(t *testing.T) {
	t.Parallel()
	r := newScratch(t).open()
	lock, err := r.LockLoop("x")
	if err != nil {
		t.Fatal(err)
	}
	dead := exec.Command("git", "version")
	if err := dead.Run(); err != nil {
		t.Fatal(err)
	}
	holder := fmt.Sprintf(" %d x 2026-01-02T03:04:05Z\n", dead.Process.Pid)
	if err := os.WriteFile(filepath.Join(r.LoopDir("x"), "lock"), []byte(holder), 0o666); err != nil {
		t.Fatal(err)
	}
	time.AfterFunc(500*time.Millisecond, func() { _ = lock.Release() })
	if held, err := r.Running("x"); held != nil || err != nil {
		t.Errorf("Running = %v, %v", held, err)
	}
	if _, err := r.LockLoop("x"); err != nil {
		t.Errorf("LockLoop = %v", err)
	}
}

func TestLockThatVanishedIsTakenAgain(t *testing.T) {
	t.Parallel()
	r := newScratch(t).open()
	lock, err := r.LockLoop("x")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(r.CommonDir, "ralph")); err != nil {
		t.Fatal(err)
	}
	if err := lock.Check(); err != nil {
		t.Fatalf("Check = %v", err)
	}
	if held, err := r.Running("x"); held == nil || err != nil {
		t.Errorf("Running = %v, %v", held, err)
	}
	if err := lock.Release(); err != nil {
		t.Fatal(err)
	}
	if held, err := r.Running("x"); held != nil || err != nil {
		t.Errorf("after release: Running = %v, %v", held, err)
	}
}

func TestLockThatAnotherTookIsLost(t *testing.T) {
	t.Parallel()
	r := newScratch(t).open()
	lock, err := r.LockWorktree("x")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(r.GitDir, "ralph-worktree.lock")); err != nil {
		t.Fatal(err)
	}
	if _, err := r.LockWorktree("y"); err != nil {
		t.Fatal(err)
	}
	var held *gitstate.HeldError
	if err := lock.Check(); !errors.As(err, &held) || held.Loop != "y" || held.What != "work tree "+r.TopLevel {
		t.Errorf("Check = %v", err)
	}
}
