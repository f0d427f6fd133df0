package gitstate_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// lockFile writes a lock file of the given age.
func (s *scratch) lockFile(name, text string, age time.Duration) string {
	s.t.Helper()
	s.write(name, text)
	then := time.Now().Add(-age)
	s.must(os.Chtimes(s.path(name), then, then))
	return s.path(name)
}

func nobody() (bool, error)   { return false, nil }
func somebody() (bool, error) { return true, nil }

func TestLocksThatTheAgentLeftAreMovedAway(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	r := s.open()
	q := s.request()
	q.Since, q.Alive = time.Now().Add(-time.Minute), nobody
	locks := []string{".git/index.lock", ".git/HEAD.lock", ".git/packed-refs.lock", ".git/refs/heads/ralph/x.lock", ".git/refs/notes/ralph.lock", ".git/refs/ralph/tip/x.lock"}
	for _, name := range locks {
		s.lockFile(name, "left", 30*time.Second)
	}
	got, err := r.Gather(t.Context(), q)
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Told) != len(locks) || !strings.Contains(got.Told[0], "index.lock") {
		t.Errorf("told %q", got.Told)
	}
	for _, name := range locks {
		if _, err := os.Stat(s.path(name)); err == nil {
			t.Errorf("%s is still there", name)
		}
	}
	if moved, _ := filepath.Glob(filepath.Join(r.LoopDir("x"), "left-*.lock")); len(moved) != len(locks) {
		t.Errorf("moved %q", moved)
	}
}

func TestLocksOfOthersStay(t *testing.T) {
	t.Parallel()
	broken := errors.New("cannot say")
	tests := []struct {
		name  string
		age   time.Duration
		alive func() (bool, error)
		want  error
	}{
		{name: "older than the iteration", age: time.Hour, alive: nobody},
		{name: "somebody works there", age: 30 * time.Second, alive: somebody},
		{name: "not known who works there", age: 30 * time.Second},
		{name: "not known because of an error", age: 30 * time.Second, alive: func() (bool, error) { return false, broken }, want: broken},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newAstray(t)
			path := s.lockFile(".git/index.lock", "theirs", tt.age)
			q := s.request()
			q.Since, q.Alive, q.Patience = time.Now().Add(-time.Minute), tt.alive, time.Millisecond
			_, err := s.open().Gather(t.Context(), q)
			var held *gitstate.LockFileError
			if tt.want != nil && !errors.Is(err, tt.want) || tt.want == nil && (!errors.As(err, &held) || held.Path != path) {
				t.Errorf("Gather = %v", err)
			}
			if s.read(".git/index.lock") != "theirs" {
				t.Error("the lock was touched")
			}
		})
	}
}

// A lock of another that goes away while we wait does no harm.
func TestLockThatGoesAwayIsWaitedFor(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	path := s.lockFile(".git/index.lock", "theirs", 0)
	q := s.request()
	q.Patience = time.Hour
	asked := 0
	q.Since = time.Now().Add(-time.Minute)
	q.Alive = func() (bool, error) {
		if asked++; asked == 2 {
			return true, os.Remove(path)
		}
		return true, nil
	}
	if got, err := s.open().Gather(t.Context(), q); err != nil || len(got.Told) > 0 {
		t.Errorf("Gather = %+v, %v", got, err)
	}
	if asked != 2 {
		t.Errorf("looked %d times", asked)
	}
}

func TestWaitingForALockEndsWithTheContext(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.lockFile(".git/index.lock", "theirs", 0)
	q := s.request()
	q.Patience, q.Since = time.Hour, time.Now().Add(-time.Minute)
	ctx, cancel := context.WithCancel(t.Context())
	q.Alive = func() (bool, error) { cancel(); return true, nil }
	if _, err := s.open().Gather(ctx, q); !errors.Is(err, context.Canceled) {
		t.Errorf("Gather = %v", err)
	}
}

// After a crash the locks of our own that was killed are gone, and no others.
func TestRemoveOwnLocks(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	r := s.open()
	q := gitstate.OwnLocks{Loop: "x", Branch: loopBranch, Since: time.Now().Add(-time.Minute)}
	s.lockFile(".git/HEAD.lock", "", 30*time.Second)
	s.lockFile(".git/refs/notes/ralph.lock", s.tip.String()+"\n", 30*time.Second)
	s.lockFile(".git/refs/heads/ralph/x.lock", s.tip.String()+"\n", time.Hour)
	s.lockFile(".git/refs/ralph/tip/x.lock", "", time.Hour)
	s.lockFile(".git/refs/ralph/kept/x/3.lock", "", time.Hour)
	s.lockFile(".git/index.ralph-1-abc", "our new index", time.Hour)
	s.must(os.Link(s.path(".git/index.ralph-1-abc"), s.path(".git/index.lock")))
	s.lockFile(".git/packed-refs.lock", "older than our last commit", time.Hour)
	s.lockFile(".git/refs/heads/main.lock", "", 30*time.Second)
	removed, err := r.RemoveOwnLocks(t.Context(), q)
	if err != nil || len(removed) != 6 {
		t.Errorf("RemoveOwnLocks = %q, %v", removed, err)
	}
	s.must(os.Remove(s.path(".git/packed-refs.lock"))) // these two are others'
	s.must(os.Remove(s.path(".git/refs/heads/main.lock")))
	s.dirty()
	s.git("add", "-A")
	s.git("commit", "-q", "-m", "the user is not blocked")
	s.git("update-ref", "refs/notes/ralph", "HEAD")
	if left, _ := filepath.Glob(s.path(".git/index.*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

func TestRemoveOwnLocksLeavesOthers(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	r := s.open()
	names := []string{".git/index.lock", ".git/HEAD.lock", ".git/refs/notes/ralph.lock"}
	s.lockFile(names[0], "the user's index", 30*time.Second)
	s.lockFile(names[1], "ref: refs/heads/main\n", 30*time.Second) // the user's switch
	s.lockFile(names[2], "", time.Hour)
	s.lockFile(".git/index.ralph-1-abc", "our new index", time.Hour) // not what the lock is
	q := gitstate.OwnLocks{Loop: "x", Branch: loopBranch, Since: time.Now().Add(-time.Minute)}
	removed, err := r.RemoveOwnLocks(t.Context(), q)
	if err != nil || len(removed) > 0 {
		t.Errorf("RemoveOwnLocks = %q, %v", removed, err)
	}
	q.Since = time.Time{} // unknown: what others use too stays
	s.lockFile(names[2], "", 30*time.Second)
	if removed, err := r.RemoveOwnLocks(t.Context(), q); err != nil || len(removed) > 0 {
		t.Errorf("without a time: RemoveOwnLocks = %q, %v", removed, err)
	}
	for _, name := range names {
		s.read(name)
	}
}
