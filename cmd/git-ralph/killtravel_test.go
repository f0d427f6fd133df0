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

// travelAgent changes, adds, removes and replaces: every kind of difference lies between two iterations.
const travelAgent = `1: sh mkdir -p d && seq 1 200 > changed && echo gone > gone && echo file > swap && echo x > d/one
2: sh seq 1 300 > changed && rm gone && rm swap && mkdir swap && echo in > swap/in && seq 1 2000 > new
3: sh seq 1 400 > changed && rm -r d && echo file > d && echo three > three && chmod +x new
`

// travelLab is a loop of three iterations that was stopped, with uncommitted work in its work tree.
type travelLab struct{ *killLab }

func newTravelLab(t *testing.T) *travelLab {
	l := &travelLab{newFaultLab(t)}
	l.write("agent", travelAgent)
	l.smudge()
	l.write("repo/.git/info/attributes", "changed filter=fault\n")
	l.ralph(3, "start", "Travel", "--name", "w", "--command", "fake-agent ../agent", "-m", "3", "-q")
	l.mess()
	return l
}

// smudge puts a fault point into the middle of a file that git writes, in the place of the one where it reads.
func (l *killLab) smudge() {
	l.t.Helper()
	l.git("config", "--unset", "filter.fault.clean")
	l.write("smudge", "#!/bin/sh\ntest -s \"$WORK/fault\" || exec cat\nhead -c 100\n\"$WORK/fault-point\" smudge parent\ncat\n")
	l.git("config", "filter.fault.smudge", filepath.Join(l.work, "smudge"))
}

// mess leaves uncommitted work: staged, unstaged, untracked, and a file that is gone.
func (l *travelLab) mess() {
	l.t.Helper()
	l.write("repo/staged", "staged\n")
	l.git("add", "staged")
	l.write("repo/new", "mine\n")
	l.write("repo/dir/untracked", "untracked\n")
	if err := os.Remove(filepath.Join(l.repo, "three")); err != nil {
		l.t.Fatal(err)
	}
}

// killed runs a command until it is killed; false: it ended by itself. All of .git/ralph is lost then, half of the time.
func (l *travelLab) killed(env []string, args ...string) bool {
	l.t.Helper()
	_ = os.Remove(filepath.Join(l.work, "group"))
	cmd, done := l.begin(env, "w", args...)
	l.write("group", strconv.Itoa(cmd.Process.Pid))
	<-done
	switch code := cmd.ProcessState.ExitCode(); code {
	case -1:
		if rand.IntN(2) == 0 {
			l.t.Logf("git-ralph %q was killed and .git/ralph is lost", args)
			l.eventually("git ends", l.noGit) // the lock that its end is waited for with is lost, too
			if err := os.RemoveAll(filepath.Join(l.repo, ".git", "ralph")); err != nil {
				l.t.Fatal(err)
			}
		}
		return true
	case 0:
		return false
	default:
		l.t.Fatalf("git-ralph %q: status %d\n%s", args, code, l.read("talk"))
		return false
	}
}

// again makes the repository what it was when it was put by under that name.
func (l *travelLab) again(name string) {
	l.t.Helper()
	if err := os.RemoveAll(l.repo); err != nil {
		l.t.Fatal(err)
	}
	l.copyAll(filepath.Join(l.work, name), l.repo)
}

// putBy puts the repository by under a name.
func (l *travelLab) putBy(name string) { l.copyAll(l.repo, filepath.Join(l.work, name)) }

func (l *travelLab) copyAll(from, to string) {
	l.t.Helper()
	if out, err := exec.Command("cp", "-a", from, to).CombinedOutput(); err != nil {
		l.t.Fatalf("cp: %v\n%s", err, out)
	}
}

// settle runs the next command on the loop and makes sure that nothing is half done then. It returns the loop's iteration.
func (l *travelLab) settle(what string) string {
	l.t.Helper()
	l.ralph(0, "tell", "--loop", "w", "after "+what)
	if tip := l.git("rev-parse", "refs/ralph/tip/w"); tip != l.git("rev-parse", "ralph/w") || tip != l.git("rev-parse", "HEAD") {
		l.t.Fatalf("%s: branch, tip and HEAD are not the same", what)
	}
	if left := l.git("for-each-ref", "refs/ralph/moving"); left != "" {
		l.t.Fatalf("%s: still moving: %s", what, left)
	}
	var locks string
	_ = filepath.WalkDir(filepath.Join(l.repo, ".git"), func(path string, _ os.DirEntry, err error) error {
		if strings.HasSuffix(path, ".lock") && !strings.HasSuffix(path, "ralph-worktree.lock") {
			locks += " " + path
		}
		return err
	})
	if locks != "" {
		l.t.Fatalf("%s: locks are left: %q", what, locks)
	}
	if history := l.git("log", "--format=%(trailers:key=Ralph-Status,valueonly)", "ralph/w"); strings.Contains(history, "interrupted") {
		l.t.Fatalf("%s: it was committed as an agent's work", what)
	}
	return l.git("log", "-1", "--format=%(trailers:key=Ralph-Iteration,valueonly,separator=)", "ralph/w")
}

// checkMess makes sure that the uncommitted work is as it was left.
func (l *travelLab) checkMess(what string) {
	l.t.Helper()
	const want = " M new\nA  staged\n D three\n?? dir/"
	if status := l.git("status", "--porcelain"); status != want {
		l.t.Fatalf("%s: uncommitted is\n%s", what, status)
	}
}

// checkClean makes sure that nothing is uncommitted, and that a commit has the mess.
func (l *travelLab) checkClean(what, mess string) {
	l.t.Helper()
	if status := l.git("status", "--porcelain"); status != "" {
		l.t.Fatalf("%s: uncommitted is\n%s\n%s", what, status, l.read("talk"))
	}
	for file, text := range map[string]string{"staged": "staged", "new": "mine", "dir/untracked": "untracked"} {
		if kept := l.git("show", mess+":"+file); kept != text {
			l.t.Fatalf("%s: %s is %q in %s", what, file, kept, mess)
		}
	}
}

// travel is a command that is killed, and what may be found then.
type travel struct {
	args  []string
	from  string                                       // what the repository is before
	check func(l *travelLab, what string) (after bool) // of the repository that the next command leaves
}

func travels() map[string]travel {
	return map[string]travel{
		"rewind": {[]string{"rewind", "1", "--loop", "w"}, "stopped", func(l *travelLab, what string) bool {
			if l.settle(what) == "3" {
				l.checkMess(what)
				return false
			}
			l.checkClean(what, "refs/ralph/kept/w/1")
			return true
		}},
		"undo": {[]string{"undo", "w"}, "rewound", func(l *travelLab, what string) bool {
			if l.settle(what) == "1" {
				l.checkClean(what, "refs/ralph/kept/w/1")
				return false
			}
			l.checkClean(what, "HEAD")
			return true
		}},
		"fork": {[]string{"fork", "2", "--loop", "w", "--name", "other"}, "stopped", func(l *travelLab, what string) bool {
			_, _, none := l.run(nil, "git", "rev-parse", "--verify", "--quiet", "refs/ralph/tip/other")
			if none == 0 {
				l.git("stash", "-u", "-q")
				l.ralph(3, "resume", "other", "-q")
				l.git("switch", "-q", "ralph/w")
				l.git("stash", "pop", "-q", "--index")
			} else {
				l.ralph(0, "fork", "2", "--loop", "w", "--name", "other")
			}
			l.settle(what)
			l.checkMess(what)
			return none == 0
		}},
	}
}

// putByAll puts by what the travels begin from.
func (l *travelLab) putByAll() {
	l.t.Helper()
	l.putBy("stopped")
	l.ralph(0, "rewind", "1", "--loop", "w")
	l.putBy("rewound")
}

// TestTravelKilledAfterEveryGitCall kills each of them after a git call, then after a later one, and so on until it is done before: after every fourth
// one, or with GIT_RALPH_TEST_KILLS set after every one.
func TestTravelKilledAfterEveryGitCall(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	first, step := 1+rand.IntN(4), 4
	if os.Getenv("GIT_RALPH_TEST_KILLS") != "" {
		first, step = 1, 1
	}
	for name, travel := range travels() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newTravelLab(t)
			l.putByAll()
			l.write("bin/git", countingGit)
			found := map[bool]int{}
			for n := first; ; n += step {
				l.again(travel.from)
				l.write("calls", "0\n")
				env := []string{"REAL_GIT=" + real, "KILL_AFTER=" + strconv.Itoa(n), "PATH=" + filepath.Join(l.work, "bin") + ":" + os.Getenv("PATH")}
				if !l.killed(env, travel.args...) {
					break
				}
				found[travel.check(l, fmt.Sprintf("%s killed after %d git calls", name, n))]++
			}
			t.Logf("killed from call %d on, every %d: before and after %v", first, step, found)
			if found[false] == 0 || found[true] == 0 && name != "fork" { // its transaction is its last call
				t.Errorf("before and after: %v", found)
			}
		})
	}
}

// TestTravelKilledInEveryStep kills each of them, and git with it, in the two halves of its ref transaction and in the middle of a file that git writes.
func TestTravelKilledInEveryStep(t *testing.T) {
	t.Parallel()
	for name, travel := range travels() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newTravelLab(t)
			l.putByAll()
			points := []string{"prepared", "committed", "smudge"}
			if name == "fork" {
				points = points[:2] // it writes no file
			}
			for _, point := range points {
				l.again(travel.from)
				l.write("fault", point+"\n")
				if !l.killed(nil, travel.args...) || l.read("fault") != "" {
					t.Fatalf("fault point %s was not reached\n%s", point, l.read("talk"))
				}
				if after := travel.check(l, name+" killed at "+point); after != (point != "prepared") {
					t.Errorf("killed at %s: after is %v", point, after)
				}
			}
		})
	}
}

// TestTravelHalfOfATransaction undoes the last refs of the transaction, as a kill between two renames leaves it: git moves the refs in the order that it is
// told them.
func TestTravelHalfOfATransaction(t *testing.T) {
	t.Parallel()
	order := map[string][]string{
		"rewind": {"refs/ralph/moving/w", "refs/ralph/kept/w/1", "refs/ralph/tip/w", "refs/heads/ralph/w", "refs/notes/ralph"},
		"undo":   {"refs/ralph/moving/w", "refs/ralph/kept/w/2", "refs/ralph/tip/w", "refs/heads/ralph/w", "refs/notes/ralph"},
		"fork":   {"refs/ralph/tip/other", "refs/heads/ralph/other", "refs/notes/ralph"},
	}
	for name, travel := range travels() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newTravelLab(t)
			l.putByAll()
			for done := 1; done < len(order[name]); done++ {
				l.again(travel.from)
				var undo strings.Builder
				for _, ref := range order[name][done:] {
					fmt.Fprintf(&undo, "update %s %s\n", ref, l.valueOf(ref))
				}
				l.write("fault", "committed\n")
				if !l.killed(nil, travel.args...) {
					t.Fatal("it was not killed")
				}
				cmd := l.command(nil, "git", "update-ref", "--stdin")
				cmd.Stdin = strings.NewReader(undo.String())
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Fatalf("update-ref: %v\n%s", err, out)
				}
				tipMoved := strings.Contains(strings.Join(order[name][:done], " "), "/tip/")
				if after := travel.check(l, fmt.Sprintf("%s with %d refs moved", name, done)); after != tipMoved {
					t.Errorf("with %d refs moved: after is %v", done, after)
				}
			}
		})
	}
}

// valueOf returns a ref's value, zeros for one that is not there.
func (l *travelLab) valueOf(ref string) string {
	out, _, status := l.run(nil, "git", "rev-parse", "--verify", "--quiet", ref)
	if status != 0 {
		return strings.Repeat("0", 40)
	}
	return strings.TrimSpace(out)
}

// TestStartOnAHalfMovedTree begins another loop where a rewind was killed in the middle of a file: the rewind is completed first, and nothing of the half is
// committed.
func TestStartOnAHalfMovedTree(t *testing.T) {
	t.Parallel()
	l := newTravelLab(t)
	l.write("fault", "smudge\n")
	if !l.killed(nil, "rewind", "1", "--loop", "w") {
		t.Fatal("it was not killed")
	}
	if l.git("for-each-ref", "refs/ralph/moving") == "" || l.git("status", "--porcelain") == "" {
		t.Fatal("the tree is not half moved")
	}
	l.ralph(3, "start", "Another", "--name", "n", "--command", "fake-agent ../agent", "-m", "1", "-q")
	if opening, w := l.git("rev-parse", "ralph/n~1^{tree}"), l.git("rev-parse", "ralph/w^{tree}"); opening != w {
		t.Errorf("the opening differs from the rewound loop:\n%s", l.git("diff", "--stat", w, opening))
	}
	if left := l.git("for-each-ref", "refs/ralph/moving"); left != "" {
		t.Errorf("still moving: %s", left)
	}
	l.checkClean("started", "refs/ralph/kept/w/1")
}
