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
	"time"
)

// faultPoint kills the loop's process group when its turn has come: fault-point NAME [parent]. With "parent" the program
// that runs it dies too.
const faultPoint = `#!/bin/sh
test -s "$WORK/fault" && read -r fault < "$WORK/fault"
if test "$fault" = "$1"; then
	rm "$WORK/fault"
	until test -s "$WORK/group"; do :; done
	kill -9 "-$(cat "$WORK/group")"
	test "$2" = parent && kill -9 $PPID
fi
`

// noFault begins a hook: it does nothing more where no fault point's turn is to come.
const noFault = "test -s \"$WORK/fault\" || exit 0\n"

// countingGit stands before git and kills the loop's process group after its nth call.
const countingGit = `#!/bin/sh
read -r n < "$WORK/calls"
n=$((n + 1))
echo $n > "$WORK/calls"
if test "$n" -ge "${KILL_AFTER:-9999}"; then
	"$REAL_GIT" "$@"
	until test -s "$WORK/group"; do :; done
	kill -9 "-$(cat "$WORK/group")"
	exit 1
fi
exec "$REAL_GIT" "$@"
`

// newFaultLab is a kill lab with a fault point wherever a program of ours or of git's can be met.
func newFaultLab(t *testing.T) *killLab {
	l := newKillLab(t)
	l.write("fault-point", faultPoint)
	l.write("agent", "*: count numbers 20\n*: sh \"$WORK/fault-point\" executing\n*: count numbers 20\n"+
		"*: sh if test -e ../finish-$GIT_RALPH_LOOP; then echo '<promise>COMPLETE</promise>'; fi\n")
	l.agent = append(l.agent, "--verify", `"$WORK/fault-point" verifying`)
	for _, hook := range []string{"ralph-pre-iteration", "ralph-post-iteration"} {
		l.write("repo/.git/hooks/"+hook, "#!/bin/sh\n\"$WORK/fault-point\" "+hook+"\n")
	}
	l.write("repo/.git/hooks/reference-transaction", "#!/bin/sh\n"+noFault+"\"$WORK/fault-point\" \"$1\" && exit 0\nkill -9 $PPID\n")
	l.write("clean", "#!/bin/sh\n\"$WORK/fault-point\" clean parent\ncat\n")
	l.git("config", "filter.fault.clean", filepath.Join(l.work, "clean"))
	l.write("repo/.git/info/attributes", "numbers filter=fault\n")
	return l
}

// dies runs the loop with the given environment until it is killed.
func (l *killLab) dies(env []string, loop string) {
	l.t.Helper()
	_ = os.Remove(filepath.Join(l.work, "group"))
	args := l.goOn(loop)
	cmd, done := l.begin(env, loop, args...)
	l.write("group", strconv.Itoa(cmd.Process.Pid))
	select {
	case <-done:
	case <-time.After(patience):
		_ = sendSignal(cmd.Process.Pid, "KILL", true)
		l.t.Fatalf("git-ralph %q was not killed\n%s", args, l.read("talk"))
	}
	if code := cmd.ProcessState.ExitCode(); code != -1 {
		l.t.Fatalf("git-ralph %q ended by itself with status %d\n%s", args, code, l.read("talk"))
	}
}

// TestKilledInEveryStep kills the process group in each step of an iteration, three times over: in the hooks, while the
// agent and verify run, while git reads the work tree, and in the two halves of a ref transaction, where git dies too.
func TestKilledInEveryStep(t *testing.T) {
	t.Parallel()
	l := newFaultLab(t)
	for range 3 {
		for _, point := range []string{"ralph-pre-iteration", "executing", "verifying", "clean", "prepared", "committed", "ralph-post-iteration"} {
			l.write("fault", point+"\n")
			l.dies(nil, "steps")
			if l.read("fault") != "" {
				t.Fatalf("fault point %s was not reached\n%s", point, l.read("talk"))
			}
		}
	}
	l.finish("steps")
}

// TestKilledAfterEveryGitCall kills the process group after the first git call, then after the second, and so on, for as
// many as start and two iterations make.
func TestKilledAfterEveryGitCall(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	l := newKillLab(t)
	if err := os.Mkdir(filepath.Join(l.work, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	l.write("bin/git", countingGit)
	for n := 1; n <= 60; n++ {
		l.write("calls", "0\n")
		l.dies([]string{"REAL_GIT=" + real, "KILL_AFTER=" + strconv.Itoa(n), "PATH=" + filepath.Join(l.work, "bin") + ":" + os.Getenv("PATH")}, "calls")
	}
	l.finish("calls")
}

// countingHook kills the loop's process group after the nth ref transaction.
const countingHook = `#!/bin/sh
test "$1" = committed && test -n "$KILL_AFTER" || exit 0
cat > /dev/null
read -r n < "$WORK/calls"
n=$((n + 1))
echo $n > "$WORK/calls"
test "$n" -ge "$KILL_AFTER" || exit 0
until test -s "$WORK/group"; do :; done
kill -9 "-$(cat "$WORK/group")"
`

// TestKilledPlanAndStateLost kills the process group of a plan's loop after the first git call (or ref transaction), that of another loop after the second,
// and so on, for as many as there are from start to end. All of .git/ralph is lost each time. The one task of the plan is done, or set aside.
func TestKilledPlanAndStateLost(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	done := func(l *killLab, loop string) { l.checkPlan(loop, 1, 1, l.read("repo/.scud/tasks/tasks.scg")) }
	aside := func(l *killLab, loop string) { l.checkAside(loop, 1) }
	passes, fails := []string{"--verify", "test -s work"}, []string{"--verify", "false", "--max-attempts", "1"}
	some := 4
	if os.Getenv("GIT_RALPH_TEST_KILLS") != "" {
		some = 1
	}
	for name, counting := range map[string]struct {
		file, text, path string
		flags            []string
		status, step     int // step 4: after every fourth only
		check            func(l *killLab, loop string)
	}{
		"git calls":                   {"bin/git", countingGit, "bin:", passes, 0, 1, done},
		"ref transactions":            {"repo/.git/hooks/reference-transaction", countingHook, "", passes, 0, 1, done},
		"git calls, set aside":        {"bin/git", countingGit, "bin:", fails, 3, some, aside},
		"ref transactions, set aside": {"repo/.git/hooks/reference-transaction", countingHook, "", fails, 3, 1, aside},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newKillLab(t)
			if err := os.Mkdir(filepath.Join(l.work, "bin"), 0o777); err != nil {
				t.Fatal(err)
			}
			l.write("agent", "*: sh echo work >> work\n*: say TASK_COMPLETE\n")
			l.write("repo/.scud/tasks/tasks.scg", "# SCUD Graph v1\n# Phase: shop\n\n@nodes\n1 | Task 1 | P | 1 | M\n")
			l.git("add", "-A")
			l.git("commit", "-q", "-m", "Plan")
			l.write(counting.file, counting.text)
			l.agent = []string{"--scud-tag", "shop", "--command", "fake-agent ../agent", "--grace", "50ms"}
			l.agent = append(l.agent, counting.flags...)
			for n, killed := 1+rand.IntN(counting.step), true; killed; n += counting.step {
				l.write("calls", "0\n")
				_ = os.Remove(filepath.Join(l.work, "group"))
				loop := fmt.Sprintf("loop%d", n)
				env := []string{"REAL_GIT=" + real, "KILL_AFTER=" + strconv.Itoa(n), "PATH=" + strings.Replace(counting.path, "bin", filepath.Join(l.work, "bin"), 1) + os.Getenv("PATH")}
				cmd, done := l.begin(env, loop, l.goOn(loop)...)
				l.write("group", strconv.Itoa(cmd.Process.Pid))
				<-done
				killed = cmd.ProcessState.ExitCode() == -1
				l.eventually("git ends", l.noGit)
				if err := os.RemoveAll(filepath.Join(l.repo, ".git", "ralph")); err != nil {
					t.Fatal(err)
				}
				l.ralph(counting.status, l.goOn(loop)...)
				counting.check(l, loop)
				l.git("switch", "-q", "main")
				if n >= 200 {
					t.Fatal("a plan with one task makes no end of them")
				}
			}
		})
	}
}

// TestHalfOfATransaction undoes the second half of a ref transaction, as a kill between two renames leaves it: git moves
// the refs in the order that it is told them, the tip first, then the branch, then the notes.
func TestHalfOfATransaction(t *testing.T) {
	t.Parallel()
	for name, undone := range map[string][]string{
		"tip only":       {"refs/heads/ralph/half", "refs/notes/ralph"},
		"tip and branch": {"refs/notes/ralph"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newFaultLab(t)
			l.write("fault", "ralph-post-iteration\n")
			l.dies(nil, "half")
			for _, ref := range undone {
				l.git("update-ref", ref, ref+"^")
			}
			l.finish("half")
			for commit := range strings.FieldsSeq(l.git("rev-list", "--first-parent", "main..ralph/half")) {
				if _, _, status := l.run(nil, "git", "notes", "--ref=ralph", "show", commit); status != 0 && !strings.Contains(l.git("log", "-1", "--format=%s", commit), "by the user") {
					t.Errorf("%s has no note", l.git("log", "-1", "--format=%h %s", commit))
				}
			}
		})
	}
}
