package runner_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// A hook that does not end is ended with everything that it started, and the loop goes on.
func TestAHookHasATimeLimit(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	hook := filepath.Join(s.repo, ".git", "hooks", "ralph-end")
	if err := os.MkdirAll(filepath.Dir(hook), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hook, []byte("#!/bin/sh\nsleep 1000 &\nexec sleep 1000\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	r := s.runner()
	r.HookLimit = 100 * time.Millisecond
	q := request(`echo work > work; echo "<promise>COMPLETE</promise>"`)
	q.Config.Push = false
	outcome, err := r.Start(t.Context(), q)
	if err != nil || outcome.Exit != gitstate.PromiseDetected {
		t.Fatalf("the loop came to %+v, %v", outcome, err)
	}
	if want := "hook ralph-end: ended after 100ms, its time limit"; !slices.Contains(s.told, want) {
		t.Errorf("told %q, and not %q", s.told, want)
	}
}
