package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

func TestReportIsOneLineHintsAndAStatus(t *testing.T) {
	since := time.Date(2026, 1, 2, 2, 52, 5, 0, time.UTC)
	tests := []struct {
		name   string
		err    error
		status int
		want   string
	}{
		{"nothing", nil, 0, ""},
		{"the reader left", fmt.Errorf("print: %w", &fs.PathError{Op: "write", Path: os.Stdout.Name(), Err: syscall.EPIPE}), 0, ""},
		{"git left", fmt.Errorf("ask git: %w", &fs.PathError{Op: "write", Path: "|1", Err: syscall.EPIPE}), 1, "git-ralph: ask git: write |1: broken pipe\n"},
		{"no repository", fmt.Errorf("open: %w", gitstate.ErrNotRepository), 128, "git-ralph: open: not a git repository\nhint: make one here: git init\n"},
		{"bare", gitstate.ErrBare, 128, "git-ralph: this repository has no work tree\nhint: a repository with a work tree: git clone URL DIR, then cd DIR\n"},
		{"SHA-256", gitstate.ErrSHA256, 1, "git-ralph: this repository uses SHA-256, which git-ralph cannot read yet\n" +
			"hint: a repository that works: git init --object-format=sha1 DIR\n"},
		{"newer", fmt.Errorf("read note of 1f2e: %w", gitstate.ErrNewer), 1,
			"git-ralph: read note of 1f2e: written by a newer git-ralph\nhint: see which version this is: git ralph version\n"},
		{"held", &gitstate.HeldError{What: `loop "trailers"`, Pid: 4121, Loop: "trailers", Since: since}, 5,
			"git-ralph: a loop is already running: loop \"trailers\" (pid 4121, for 12m)\nhint: watch it: git ralph status trailers\nhint: stop it:  git ralph cancel trailers\n"},
		{"invalid", &runner.InvalidError{Fact: "the prompt is empty", Hints: []string{"git ralph start x"}}, 129, "git-ralph: the prompt is empty\nhint: git ralph start x\n"},
		{"state", &runner.StateError{Fact: "a merge is under way", Hints: []string{"git merge --abort"}}, 1, "git-ralph: a merge is under way\nhint: git merge --abort\n"},
		{"over", &runner.OverError{Loop: "a", Exit: gitstate.MaxIterations, Hints: []string{"git ralph resume a -m 40"}}, 3,
			"git-ralph: loop \"a\" is over: max-iterations-reached\nhint: git ralph resume a -m 40\n"},
		{"elsewhere", &runner.ElsewhereError{Loop: "a", Branch: "ralph/a", Path: "/x y"}, 5,
			"git-ralph: branch \"ralph/a\" of loop \"a\" is checked out at /x y\nhint: work there: cd '/x y'\nhint: see what it is: git ralph status a\n"},
		{"dirty", &runner.DirtyError{Paths: []string{"a", "b\nc", "d", "e", "f", "g", "h"}, Takes: true}, 6,
			"git-ralph: the work tree has uncommitted changes in 7 files\n  a\n  \"b\\nc\"\n  d\n  e\n  f\n  and 2 more\n" +
				"hint: commit it on the loop branch first: git ralph start --dirty=include ...\nhint: or work in another work tree: git ralph start --worktree ...\n"},
		{"dirty, on another branch", &runner.DirtyError{Paths: []string{"a"}, Away: "ralph/a"}, 6,
			"git-ralph: the work tree has uncommitted changes: a\n  a\nhint: commit it first: git commit\nhint: or put it aside: git stash --include-untracked\n" +
				"hint: or take it to the loop branch: git switch ralph/a\n"},
		{"a lock file", fmt.Errorf("gather: %w", &gitstate.LockFileError{Path: "/x y/.git/index.lock", Since: since}), 1,
			"git-ralph: gather: /x y/.git/index.lock is in the way since 2026-01-02 02:52:05: another git process works here, or was killed\n" +
				"hint: if no other git is at work there, remove it: rm '/x y/.git/index.lock'\n"},
		{"untrusted", &runner.UntrustedError{Claims: []runner.Claim{{Kind: "verify", Value: "make\nrm x", Source: ".ralph.toml"}}}, 6,
			"git-ralph: verify from .ralph.toml needs your yes\n  verify      make   (.ralph.toml)\n              rm x\n" +
				"hint: read it, then: git ralph trust --yes\nhint: or say it with the command: git ralph start --yes ...\n"},
		{"Ctrl-C", signalError{os.Interrupt}, 130, ""},
		{"TERM", fmt.Errorf("read: %w", signalError{syscall.SIGTERM}), 3, ""},
		{"said already", &problem{status: 3}, 3, ""},
		{"lines and escapes", errors.New("read \x1b[31mred\nand more"), 1, "git-ralph: read  [31mred and more\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := newTestApp(t)
			a.command = "start"
			if got := a.report(test.err); got != test.status || a.talk.String() != test.want {
				t.Errorf("status %d, want %d\n got %q\nwant %q", got, test.status, a.talk, test.want)
			}
			if a.out.Len() > 0 {
				t.Errorf("on standard output: %q", a.out)
			}
		})
	}
}

func TestReportInJSON(t *testing.T) {
	a := newTestApp(t)
	a.json = true
	if got := a.report(&problem{status: 4, text: `no "x" & no <y>`}); got != 4 {
		t.Errorf("status %d", got)
	}
	if want := `{"type":"error","code":4,"message":"no \"x\" & no <y>","hints":[]}` + "\n"; a.talk.String() != want {
		t.Errorf("got  %swant %s", a.talk, want)
	}
}

func TestErrorsOfTheCommandLineAreJSONToo(t *testing.T) {
	a := newTestApp(t)
	a.report(run(a.app, nil, []string{"status", "--json", "--nope"}))
	if want := `{"type":"error","code":129,"message":"git ralph status has no flag --nope","hints":["see which there are: git ralph status -h"]}` + "\n"; a.talk.String() != want {
		t.Errorf("got  %swant %s", a.talk, want)
	}
}
