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

// landLab is a loop that is done, and a branch that went on since it left there.
type landLab struct{ *travelLab }

// landFlags are the ways to land that differ in what git does.
func landFlags() []string { return []string{"--squash", "--merge", "--rebase", "--per-wave"} }

// threeWaves is a plan of three tasks, one after the other.
const threeWaves = "# SCUD Graph v1\n# Phase: shop\n\n@meta {\n  name shop\n}\n\n@nodes\n1 | One | P | 1 | M\n2 | Two | P | 1 | M\n3 | Three | P | 1 | M\n\n@edges\n2 -> 1\n3 -> 2\n"

func newLandLab(t *testing.T, flag string) *landLab {
	l := &landLab{&travelLab{newFaultLab(t)}}
	l.write("agent", travelAgent+"3: promise COMPLETE\n*: say TASK_COMPLETE\n")
	l.smudge()
	l.write("repo/.git/info/attributes", "changed filter=fault\n")
	start := []string{"start", "Travel", "--name", "w", "--command", "fake-agent ../agent", "--verify", `"$WORK/fault-point" verifying; test -s changed`, "-q"}
	if flag == "--per-wave" {
		l.write("repo/.scud/tasks/tasks.scg", threeWaves)
		l.git("add", "-A")
		l.git("commit", "-q", "-m", "Plan")
		start = append(start, "--scud-tag", "shop")
	}
	l.ralph(0, start...)
	l.git("switch", "-q", "main")
	l.write("repo/theirs", "theirs\n")
	l.git("add", "theirs")
	l.git("commit", "-q", "-m", "Meanwhile")
	l.git("tag", "meanwhile")
	l.git("switch", "-q", "ralph/w")
	for _, hook := range []string{"pre-commit", "commit-msg", "post-commit"} {
		l.write("repo/.git/hooks/"+hook, "#!/bin/sh\n\"$WORK/fault-point\" "+hook+" parent\nexit 0\n")
	}
	l.write("repo/.git/hooks/reference-transaction", landTransactionHook)
	l.putBy("done")
	return l
}

// landTransactionHook is a fault point in both halves of each transaction, by the ref that it moves.
const landTransactionHook = "#!/bin/sh\n" + noFault + `case "$(cat)" in
*refs/heads/main*) which=main ;;
*refs/notes*) which=notes ;;
*ralph-landing*) which=marker ;;
*) exit 0 ;;
esac
"$WORK/fault-point" "$1-$which" && exit 0
kill -9 $PPID
`

// check runs the next command, after which the loop has landed or nothing is left of the try; then it lands.
func (l *landLab) check(what, flag string) {
	l.t.Helper()
	l.ralph(0, "tell", "--loop", "w", "after that")
	if kept := l.git("for-each-ref", "refs/ralph/kept"); kept != "" && !strings.HasSuffix(what, "smudge") { // half of a file may be anybody's
		l.t.Fatalf("%s: kept are\n%s", what, kept)
	}
	l.checkTidy(what)
	head := l.git("symbolic-ref", "HEAD")
	if landed := l.git("log", "-1", "--format=%(trailers:key=Ralph-Landed,valueonly)", "main") != ""; landed {
		if head != "refs/heads/main" {
			l.t.Fatalf("%s: it has landed, and HEAD is %s", what, head)
		}
		return
	}
	if subject := l.git("log", "-1", "--format=%s", "main"); head != "refs/heads/ralph/w" || subject != "Meanwhile" {
		l.t.Fatalf("%s: HEAD is %s, main is at %q", what, head, subject)
	}
	l.ralph(0, "land", "w", flag)
	l.checkTidy(what)
	files := l.git("ls-tree", "-r", "--name-only", "HEAD")
	if strings.TrimPrefix(files, ".scud/tasks/tasks.scg\n") != "changed\nd\nnew\nreadme\nswap/in\ntheirs\nthree" {
		l.t.Fatalf("%s: it landed\n%s", what, files)
	}
	if subjects := l.git("log", "--reverse", "--format=%s", "meanwhile..main"); flag == "--per-wave" && subjects != wavesLanded {
		l.t.Fatalf("%s: it landed as\n%s", what, subjects)
	}
}

// wavesLanded are the commits that three waves land as.
const wavesLanded = "feat(shop): complete wave 1\nfeat(shop): complete wave 2\nfeat(shop): complete wave 3"

// checkTidy makes sure that nothing is left of a landing.
func (l *landLab) checkTidy(what string) {
	l.t.Helper()
	if status := l.git("status", "--porcelain"); status != "" {
		l.t.Fatalf("%s: uncommitted is\n%s", what, status)
	}
	if refs := l.git("for-each-ref", "refs/worktree"); refs != "" {
		l.t.Fatalf("%s: left are\n%s", what, refs)
	}
	for _, name := range []string{"SQUASH_MSG", "MERGE_HEAD", "MERGE_MSG", "CHERRY_PICK_HEAD", "rebase-merge", "index.lock", "HEAD.lock", "refs/heads/main.lock"} {
		if fileExists(filepath.Join(l.repo, ".git", name)) {
			l.t.Fatalf("%s: .git/%s is left", what, name)
		}
	}
}

// TestLandKilledInEveryStep kills land, and git with it, in verify, in hooks, in the middle of a file, and in the halves of ref transactions.
func TestLandKilledInEveryStep(t *testing.T) {
	t.Parallel()
	for _, flag := range landFlags() {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			l := newLandLab(t, flag)
			points := []string{"smudge", "verifying", "pre-commit", "commit-msg", "post-commit",
				"prepared-marker", "committed-marker", "prepared-notes", "prepared-main", "committed-main"}
			if flag != "--squash" && os.Getenv("GIT_RALPH_TEST_KILLS") == "" { // what differs between the ways
				points = points[:4]
			}
			for _, point := range points {
				l.again("done")
				l.write("fault", point+"\n")
				if !l.killed(nil, "land", "w", flag) || l.read("fault") != "" {
					t.Fatalf("fault point %s was not reached\n%s", point, l.read("talk"))
				}
				l.check(flag+" killed at "+point, flag)
			}
		})
	}
}

// TestLandKilledAfterEveryGitCall kills land after a git call, then after a later one: after every eighth one, or with GIT_RALPH_TEST_KILLS set after every
// one.
func TestLandKilledAfterEveryGitCall(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	first, step := 1+rand.IntN(8), 8
	if os.Getenv("GIT_RALPH_TEST_KILLS") != "" {
		first, step = 1, 1
	}
	for _, flag := range landFlags() {
		t.Run(flag, func(t *testing.T) {
			t.Parallel()
			l := newLandLab(t, flag)
			l.write("bin/git", countingGit)
			for n := first; ; n += step {
				l.again("done")
				l.write("calls", "0\n")
				env := []string{"REAL_GIT=" + real, "KILL_AFTER=" + strconv.Itoa(n), "PATH=" + filepath.Join(l.work, "bin") + ":" + os.Getenv("PATH")}
				if !l.killed(env, "land", "w", flag) {
					break
				}
				l.check(fmt.Sprintf("%s killed after %d git calls", flag, n), flag)
			}
		})
	}
}

// TestLandKeepsWhatCameMeanwhile edits a file in the work tree that a killed landing left: it is kept.
func TestLandKeepsWhatCameMeanwhile(t *testing.T) {
	t.Parallel()
	l := newLandLab(t, "--squash")
	l.write("fault", "verifying\n")
	if !l.killed(nil, "land", "w") {
		t.Fatal("it was not killed")
	}
	l.write("repo/three", "mine\n")
	l.write("repo/untracked", "mine, too\n")
	if out := l.ralph(0, "land", "w"); !strings.Contains(out, "landed on main") {
		t.Fatal(out)
	}
	for _, file := range []string{"three", "untracked"} {
		if kept := l.git("show", "refs/ralph/kept/w/1:"+file); !strings.HasPrefix(kept, "mine") {
			t.Errorf("kept of %s is %q", file, kept)
		}
	}
}
