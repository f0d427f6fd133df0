package runner_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// shared is a repository with a remote.
type shared struct {
	t    *testing.T
	top  string
	repo string
	hub  string
	env  []string

	clock atomic.Int64 // seconds; each look at it is a second later

	mu   sync.Mutex
	told []string
}

func newShared(t *testing.T) *shared {
	t.Helper()
	top := t.TempDir()
	s := &shared{t: t, top: top, repo: filepath.Join(top, "repo"), hub: filepath.Join(top, "hub.git")}
	s.env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "TOP="+top)
	s.git(top, "init", "-q", "-b", "main", s.repo)
	s.git(s.repo, "config", "user.name", "Ada")
	s.git(s.repo, "config", "user.email", "ada@example.com")
	s.git(s.repo, "commit", "-q", "--allow-empty", "-m", "Begin")
	s.git(top, "clone", "-q", "--bare", s.repo, s.hub)
	s.git(s.repo, "remote", "add", "origin", s.hub)
	return s
}

func (s *shared) git(dir string, args ...string) string {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = dir, s.env
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.t.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// open opens a clone.
func (s *shared) open(dir string) *gitstate.Repository {
	s.t.Helper()
	repo, err := gitstate.Open(s.t.Context(), gitstate.OpenRequest{Dir: dir, Env: s.env})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = repo.Close() })
	return repo
}

// runner returns a runner that renews leases all the time.
func (s *shared) runner() *runner.Runner {
	return &runner.Runner{
		Repo: s.open(s.repo), Supervisor: proc.Supervisor{Argv: os.Args[:1]}, Env: s.env, Renew: 10 * time.Millisecond,
		Now: func() time.Time {
			return time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC).Add(time.Duration(s.clock.Add(1)) * time.Second)
		},
		Emit: func(e runner.Event) {
			if e.Type == runner.Told {
				s.mu.Lock()
				defer s.mu.Unlock()
				s.told = append(s.told, e.Text)
			}
		},
	}
}

// request is a loop that is pushed, with a shell script for an agent.
func request(script string) runner.StartRequest {
	config := runner.DefaultConfig()
	config.Command, config.Push, config.Grace = []string{"sh", "-c", script}, true, runner.Duration(100*time.Millisecond)
	return runner.StartRequest{Name: "some", Prompt: "do it", Config: config}
}

// eventually waits until a condition holds; it must.
func (s *shared) eventually(what string, holds func() bool) {
	s.t.Helper()
	for deadline := time.Now().Add(time.Minute); !holds(); {
		if time.Now().After(deadline) {
			s.t.Errorf("waited in vain: %s", what)
			return
		}
		<-time.After(5 * time.Millisecond)
	}
}

// lease is the lease that the remote has.
func (s *shared) lease() string {
	text, _ := os.ReadFile(filepath.Join(s.hub, "refs", "ralph", "lease", "some"))
	return string(text)
}

// The lease is taken at the start, renewed while the agent runs, and given up at the end, when all is pushed.
func TestALeaseIsRenewedWhileTheLoopRuns(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	seen := map[string]bool{}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.eventually("renewals", func() bool { seen[s.lease()] = true; return len(seen) > 5 })
		_ = os.WriteFile(filepath.Join(s.top, "go"), nil, 0o666)
	}()
	outcome, err := s.runner().Start(t.Context(), request(`until test -e "$TOP/go"; do sleep 0.01; done; echo x > x; echo "<promise>COMPLETE</promise>"`))
	<-ended
	if err != nil || !outcome.Exit.Done() {
		t.Fatalf("%v, %v", outcome, err)
	}
	if text := s.git(s.hub, "log", "-1", "--format=%B", "refs/ralph/lease/some"); !strings.Contains(text, "Ralph-Lease: released\n") {
		t.Errorf("the lease is not given up: %s\ntold: %q", text, s.told)
	}
	if ours, theirs := s.git(s.repo, "rev-parse", "refs/ralph/tip/some"), s.git(s.hub, "rev-parse", "ralph/some"); ours != theirs {
		t.Errorf("pushed %s, want %s", theirs, ours)
	}
}

// A loop whose lease is taken while its agent works ends that, keeps what it has, and changes nothing on the remote.
func TestALostLeaseEndsTheIteration(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	other := filepath.Join(s.top, "other")
	var before string
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.eventually("the agent", func() bool { _, err := os.Stat(filepath.Join(s.top, "works")); return err == nil && s.lease() != "" })
		s.git(s.top, "clone", "-q", s.hub, other)
		repo := s.open(other)
		m, err := repo.Remote(context.Background(), "origin", "refs/heads/ralph/some")
		if err == nil {
			_, err = m.Push(context.Background(), gitstate.PushRequest{
				Loop: "some", Branch: "refs/heads/ralph/some", Claim: gitstate.ClaimAny, Now: time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC),
			})
		}
		if err != nil {
			t.Error(err)
		}
		before = s.git(s.hub, "for-each-ref")
	}()
	r := s.runner()
	r.Renew = 300 * time.Millisecond // who takes the lease over has to meet a moment between two renewals
	_, err := r.Start(t.Context(), request(`echo half > half; echo $$ > "$TOP/pid"; echo > "$TOP/works"; exec sleep 1000`))
	<-ended
	gave, ok := errors.AsType[*runner.GaveWayError](err)
	if !ok || gave.Kept == "" || gave.Extra != 1 {
		t.Fatalf("%+v, %v", gave, err)
	}
	if lost, ok := errors.AsType[*gitstate.LeaseError](err); !ok || lost.Lease.Heartbeat.Year() != 2030 {
		t.Errorf("whose the lease is is not said: %v", err)
	}
	if text := s.git(s.repo, "show", gave.Kept.String()+":half"); text != "half" {
		t.Errorf("kept %q", text)
	}
	if after := s.git(s.hub, "for-each-ref"); after != before {
		t.Errorf("the remote changed from\n%s\nto\n%s", before, after)
	}
	if status := s.git(s.repo, "status", "--porcelain"); status != "" {
		t.Errorf("the work tree is dirty: %s", status)
	}
	if here, there := s.git(s.repo, "rev-parse", "ralph/some"), s.git(s.hub, "rev-parse", "ralph/some"); here != there {
		t.Errorf("the branch is %s, the remote's %s", here, there)
	}
}

// A remote that says nothing is waited for as long as it may be silent, told of once, and nothing that waits for it is left.
func TestARemoteThatHangs(t *testing.T) {
	t.Parallel()
	s := newShared(t)
	s.git(s.repo, "remote", "set-url", "origin", "ssh://nowhere.invalid/x")
	script := filepath.Join(s.top, "ssh")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho $$ >> \"$TOP/pids\"\nexec sleep 1000\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	s.env = append(s.env, "GIT_SSH_COMMAND="+script, "GIT_SSH_VARIANT=simple")
	r := s.runner()
	r.Silence = 200 * time.Millisecond
	outcome, err := r.Start(t.Context(), request(`echo x >> x; test $(wc -l < x) -lt 3 || echo "<promise>COMPLETE</promise>"`))
	if err != nil || !outcome.Exit.Done() || outcome.Totals.Iteration != 3 {
		t.Fatalf("%+v, %v", outcome, err)
	}
	if len(s.told) != 1 || !strings.Contains(s.told[0], "remote origin cannot be reached: no word for") {
		t.Errorf("told %q", s.told)
	}
	pids, err := os.ReadFile(filepath.Join(s.top, "pids"))
	if err != nil || len(pids) == 0 {
		t.Fatal("the remote was never tried")
	}
	for pid := range strings.FieldsSeq(string(pids)) {
		if _, err := os.Stat(filepath.Join("/proc", pid, "cmdline")); err == nil {
			t.Errorf("process %s is left", pid)
		}
	}
}
