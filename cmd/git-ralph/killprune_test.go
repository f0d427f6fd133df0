//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// pruneLab is a loop that has landed, with everything that a loop may have, beside one that has not.
type pruneLab struct{ *travelLab }

func newPruneLab(t *testing.T) *pruneLab {
	l := &pruneLab{&travelLab{newFaultLab(t)}}
	l.write("agent", "1: write one 1\n2: write two 2\n2: promise COMPLETE\n")
	l.write("clean", "#!/bin/sh\ncat\n")
	if err := os.RemoveAll(filepath.Join(l.repo, ".git", "hooks")); err != nil {
		t.Fatal(err)
	}
	l.git("init", "-q", "--bare", filepath.Join(l.work, "hub"))
	l.git("remote", "add", "origin", "../hub")
	l.git("push", "-q", "origin", "main")
	l.ralph(0, "start", "Other", "--name", "other", "--command", "fake-agent ../agent", "-q")
	l.git("switch", "-q", "main")
	l.ralph(0, "start", "Prune", "--name", "w", "--push", "--command", "fake-agent ../agent", "--verify", "true", "-q")
	l.ralph(0, "rewind", "1", "--loop", "w")
	l.ralph(0, "resume", "w", "-q")
	l.ralph(0, "land", "w")
	l.git("update-ref", "refs/ralph/moving/w", "main")
	l.git("pack-refs", "--all")
	l.git("worktree", "add", "-q", filepath.Join(l.work, "tree"), "ralph/w")
	l.write("repo/.git/info/exclude", "*.ignored\n")
	l.write("tree/a.ignored", "a\n")
	l.write("repo/.git/hooks/reference-transaction", pruneTransactionHook)
	l.putBy("landed")
	l.copyAll(filepath.Join(l.work, "hub"), filepath.Join(l.work, "landed-hub"))
	l.copyAll(filepath.Join(l.work, "tree"), filepath.Join(l.work, "landed-tree"))
	return l
}

// pruneTransactionHook is a fault point in both halves of each transaction, by the ref that it moves.
const pruneTransactionHook = "#!/bin/sh\n" + noFault + `case "$(cat)" in
*refs/ralph/kept/w*) which=first ;;
*refs/ralph/tip/w*) which=last ;;
*refs/notes/ralph-prune-w*) which=notes ;;
*) exit 0 ;;
esac
"$WORK/fault-point" "$1-$which" && exit 0
kill -9 $PPID
`

// back makes repository, work tree and remote what they were.
func (l *pruneLab) back() {
	l.t.Helper()
	l.again("landed")
	for _, name := range []string{"hub", "tree"} {
		if err := os.RemoveAll(filepath.Join(l.work, name)); err != nil {
			l.t.Fatal(err)
		}
		l.copyAll(filepath.Join(l.work, "landed-"+name), filepath.Join(l.work, name))
	}
}

// check prunes again, after which nothing of the loop is left, and all of the other one.
func (l *pruneLab) check(what string) {
	l.t.Helper()
	out := l.ralph(0, "prune", "--yes")
	if !strings.Contains(out, "removed: w") && !strings.Contains(out, "no loop here has landed") {
		l.t.Fatalf("%s: %s", what, out)
	}
	if refs, want := l.git("for-each-ref", "--format=%(refname)"), "refs/heads/main\nrefs/heads/ralph/other\nrefs/notes/origin/ralph\nrefs/notes/ralph\nrefs/ralph/tip/other\nrefs/remotes/origin/main\nrefs/remotes/origin/ralph/w"; refs != want {
		l.t.Fatalf("%s: left are\n%s", what, refs)
	}
	if leases := l.git("--git-dir", "../hub", "for-each-ref", "refs/ralph/lease"); leases != "" {
		l.t.Fatalf("%s: the remote has %s", what, leases)
	}
	if notes := l.git("notes", "--ref=ralph", "list"); strings.Count(notes, "\n")+1 != 4 { // opening, two iterations, the commit that landed the loop
		l.t.Fatalf("%s: notes are\n%s", what, notes)
	}
	for _, path := range []string{"tree", "repo/.git/worktrees/tree"} {
		if fileExists(filepath.Join(l.work, path)) {
			l.t.Fatalf("%s: %s is left", what, path)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(l.repo, ".git", "ralph", "w", "*")); len(left) > 1 || len(left) == 1 && filepath.Base(left[0]) != "lock" {
		l.t.Fatalf("%s: %q are left", what, left)
	}
	if strings.HasSuffix(what, "committed-last") { // the loop is gone: what a killed git left then is git's
		return
	}
	_ = filepath.WalkDir(filepath.Join(l.repo, ".git"), func(path string, _ os.DirEntry, err error) error {
		if (strings.HasSuffix(path, ".lock") || strings.HasSuffix(path, ".new")) && !strings.HasSuffix(path, "ralph-worktree.lock") {
			l.t.Errorf("%s: %s is left", what, path)
		}
		return err
	})
	l.ralph(0, "fsck", "other")
}

// TestPruneKilledAfterEveryGitCall kills prune after a git call, then after a later one: after every third one, or with GIT_RALPH_TEST_KILLS set after every
// one.
func TestPruneKilledAfterEveryGitCall(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	first, step := 1+rand.IntN(3), 3
	if os.Getenv("GIT_RALPH_TEST_KILLS") != "" {
		first, step = 1, 1
	}
	l := newPruneLab(t)
	l.write("bin/git", countingGit)
	for n := first; ; n += step {
		l.back()
		l.write("calls", "0\n")
		env := []string{"REAL_GIT=" + real, "KILL_AFTER=" + strconv.Itoa(n), "PATH=" + filepath.Join(l.work, "bin") + ":" + os.Getenv("PATH")}
		if !l.killed(env, "prune", "--yes") {
			t.Logf("killed from call %d to %d, every %d", first, n, step)
			break
		}
		l.check(fmt.Sprintf("killed after %d git calls", n))
	}
}

// TestPruneKilledInEveryStep kills prune, and git with it, in the halves of its ref transactions.
func TestPruneKilledInEveryStep(t *testing.T) {
	t.Parallel()
	l := newPruneLab(t)
	for _, point := range []string{"prepared-notes", "committed-notes", "prepared-first", "committed-first", "prepared-last", "committed-last"} {
		l.back()
		l.write("fault", point+"\n")
		if !l.killed(nil, "prune", "--yes") || l.read("fault") != "" {
			t.Fatalf("fault point %s was not reached\n%s", point, l.read("talk"))
		}
		l.check("killed at " + point)
	}
}

// TestPruneHalfOfATransaction deletes the first of the refs, as a kill between two of them leaves it: git moves the refs in the order that it is told them,
// those that stay first.
func TestPruneHalfOfATransaction(t *testing.T) {
	t.Parallel()
	l := newPruneLab(t)
	order := []string{"refs/ralph/kept/w/1", "refs/ralph/moving/w", "refs/ralph/leased/origin/w", "refs/ralph/tip/w", "refs/heads/ralph/w"}
	for done := 1; done < len(order); done++ {
		l.back()
		l.git("worktree", "remove", "--force", "../tree")
		l.git("push", "-q", "origin", ":refs/ralph/lease/w")
		l.git(append([]string{"notes", "--ref=ralph", "remove", "--ignore-missing"}, strings.Fields(l.git("rev-list", "refs/ralph/tip/w", "refs/ralph/kept/w/1"))...)...)
		for _, ref := range order[:done] {
			l.git("update-ref", "-d", ref)
		}
		l.check(fmt.Sprintf("%d of %d refs deleted", done, len(order)))
	}
}
