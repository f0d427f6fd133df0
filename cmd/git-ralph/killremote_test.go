//go:build unix

package main

import (
	"bytes"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// remoteLab is a lab with a remote and a second clone, for what is killed while it pushes or fetches.
type remoteLab struct {
	*lab
	hub, other string
}

func newRemoteLab(t *testing.T) *remoteLab {
	l := &remoteLab{lab: newLab(t)}
	l.hub, l.other = filepath.Join(l.work, "hub"), filepath.Join(l.work, "other")
	l.git("clone", "-q", "--bare", ".", l.hub)
	l.git("remote", "add", "origin", l.hub)
	l.git("clone", "-q", l.hub, l.other)
	l.write("agent", "*: write file$N $N\n")
	l.write("fault-point", faultPoint)
	l.ralph(3, "start", "Do it", "--name", "some", "-m", "2", "--command", "fake-agent ../agent")
	return l
}

// more gives the loop something that is not pushed yet, and lets the next push take the lease anew.
func (l *remoteLab) more() {
	l.ralph(0, "tell", "--loop", "some", "something")
	l.git("commit", "-q", "--allow-empty", "-m", "by the user")
	l.git("update-ref", "-d", "refs/ralph/leased/origin/some")
}

// killed runs git-ralph in a clone until its process group is killed, and loses all of .git/ralph then, half of the time. It returns false when it ended by itself
// before.
func (l *remoteLab) killed(env []string, dir string, args ...string) bool {
	l.t.Helper()
	_ = os.Remove(filepath.Join(l.work, "group"))
	cmd := l.command(env, "git-ralph", args...)
	cmd.Dir = dir
	ownGroup(cmd)
	var talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &talk, &talk
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.write("group", strconv.Itoa(cmd.Process.Pid))
	_ = cmd.Wait()
	if code := cmd.ProcessState.ExitCode(); code > 0 {
		l.t.Errorf("git-ralph %q: status %d\n%s", args, code, talk.String())
	}
	l.eventually("the git that it had started", func() bool { return len(carriers("WORK="+l.work)) == 0 })
	if rand.IntN(2) == 0 {
		l.t.Logf("git-ralph %q: .git/ralph is lost", args)
		if err := os.RemoveAll(filepath.Join(dir, ".git", "ralph")); err != nil {
			l.t.Fatal(err)
		}
	}
	_ = os.Remove(filepath.Join(l.work, "died")) // what was told to the hooks of the one that died is not for those of the next
	return cmd.ProcessState.ExitCode() == -1
}

// checkPushed pushes once more, and compares both sides.
func (l *remoteLab) checkPushed(after string) {
	l.t.Helper()
	l.ralph(0, "push", "--loop", "some")
	for _, ref := range []string{"refs/heads/ralph/some", "refs/notes/ralph"} {
		if here, there := l.git("rev-parse", ref), l.git("--git-dir="+l.hub, "rev-parse", ref); here != there {
			l.t.Errorf("after %s: %s is %s here and %s there", after, ref, here, there)
		}
	}
	if text := l.git("--git-dir="+l.hub, "log", "-1", "--format=%B", "refs/ralph/lease/some"); !strings.Contains(text, "Ralph-Lease: released") {
		l.t.Errorf("after %s: %s", after, text)
	}
}

// checkFetched fetches once more: the other clone has every note, its own one too, and the loop as the remote has it.
func (l *remoteLab) checkFetched(after string) {
	l.t.Helper()
	stdout, stderr, status := l.run(nil, "sh", "-c", "cd ../other && git ralph fetch")
	if status != 0 {
		l.t.Fatalf("after %s: fetch: status %d\n%s%s", after, status, stdout, stderr)
	}
	want := strings.Count(l.git("--git-dir="+l.hub, "notes", "--ref=ralph", "list")+"\n", "\n") + 1
	if got := strings.Count(l.git("-C", l.other, "notes", "--ref=ralph", "list")+"\n", "\n"); got != want {
		l.t.Errorf("after %s: %d notes, want %d", after, got, want)
	}
	if here, there := l.git("-C", l.other, "rev-parse", "refs/remotes/origin/ralph/some"), l.git("--git-dir="+l.hub, "rev-parse", "ralph/some"); here != there {
		l.t.Errorf("after %s: fetched %s, want %s", after, here, there)
	}
}

// TestPushAndFetchKilledAfterEveryGitCall kills push, and then fetch, after the first git call, after the second, and so on.
func TestPushAndFetchKilledAfterEveryGitCall(t *testing.T) {
	t.Parallel()
	real, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	l := newRemoteLab(t)
	l.write("bin/git", countingGit)
	l.git("-C", l.other, "notes", "--ref=ralph", "add", "-m", "version = 1", "main") // was never pushed
	for _, what := range []string{"push", "fetch"} {
		dir := map[string]string{"push": l.repo, "fetch": l.other}[what]
		n := 1
		for ; ; n++ {
			l.more()
			if what == "fetch" {
				l.checkPushed(what)
			}
			l.write("calls", "0\n")
			env := []string{"REAL_GIT=" + real, "KILL_AFTER=" + strconv.Itoa(n), "PATH=" + filepath.Join(l.work, "bin") + ":" + os.Getenv("PATH")}
			if !l.killed(env, dir, what, "--loop", "some") {
				break
			}
			if what == "push" {
				l.checkPushed(what)
			} else {
				l.checkFetched(what)
			}
		}
		if n < 5 {
			t.Errorf("%s made %d git calls only", what, n)
		}
	}
	if out := l.git("--git-dir="+l.hub, "fsck", "--strict", "--no-dangling"); out != "" {
		t.Errorf("fsck: %s", out)
	}
}

// TestPushAndFetchKilledInEveryStep kills both while refs move here, with the git that moves them, and where the remote's hooks run.
func TestPushAndFetchKilledInEveryStep(t *testing.T) {
	t.Parallel()
	l := newRemoteLab(t)
	l.git("-C", l.other, "notes", "--ref=ralph", "add", "-m", "version = 1", "main")
	die := "#!/bin/sh\ncat > /dev/null\n\"$WORK/fault-point\" \"NAME\" && exit 0\nkill -9 $PPID\n"
	here := "#!/bin/sh\nstate=$1\nread -r old new ref\ncat > /dev/null\n\"$WORK/fault-point\" \"$state $ref\"\nif test -e \"$WORK/died\"; then rm \"$WORK/died\"; kill -9 $PPID; fi\n"
	point := strings.Replace(faultPoint, "rm \"$WORK/fault\"", "rm \"$WORK/fault\"; touch \"$WORK/died\"", 1)
	l.write("fault-point", point)
	for _, clone := range []string{l.repo, l.other} {
		if err := os.WriteFile(filepath.Join(clone, ".git", "hooks", "reference-transaction"), []byte(here), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(l.repo, ".git", "hooks", "pre-push"), []byte(strings.Replace(die, "NAME", "pre-push", 1)), 0o777); err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"pre-receive", "post-receive"} {
		text := "#!/bin/sh\ncat > /dev/null\n\"$WORK/fault-point\" " + hook + "\nrm -f \"$WORK/died\"\n" // the remote's own work goes on
		if err := os.WriteFile(filepath.Join(l.hub, "hooks", hook), []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, fault := range []string{
		"prepared refs/ralph/leased/origin/some", "committed refs/ralph/leased/origin/some", "pre-push", "pre-receive", "post-receive",
		"prepared refs/remotes/origin/ralph/some", "committed refs/remotes/origin/ralph/some",
	} {
		l.more()
		l.write("fault", fault+"\n")
		if !l.killed(nil, l.repo, "push", "--loop", "some") {
			t.Fatalf("%s was not reached", fault)
		}
		l.checkPushed(fault)
	}
	for _, fault := range []string{
		"prepared refs/remotes/origin/ralph/some", "committed refs/remotes/origin/ralph/some", "prepared refs/notes/ralph", "committed refs/notes/ralph",
	} {
		l.more()
		l.checkPushed(fault)
		l.write("fault", fault+"\n")
		if !l.killed(nil, l.other, "fetch", "--loop", "some") {
			t.Fatalf("%s was not reached", fault)
		}
		l.checkFetched(fault)
	}
}

// TestHandOverKilledInEveryStep kills resume while the branch, and the work tree with it, follows what another clone has done: the next resume completes
// that, and nothing of it becomes an iteration or is kept as work of somebody's.
func TestHandOverKilledInEveryStep(t *testing.T) {
	t.Parallel()
	l := newRemoteLab(t)
	l.write("fault-point", strings.Replace(faultPoint, "rm \"$WORK/fault\"", "rm \"$WORK/fault\"; touch \"$WORK/died\"", 1))
	hook := "#!/bin/sh\nread -r old new ref\ncat > /dev/null\ncase $new in 0000*) ref=\"$ref gone\";; esac\n\"$WORK/fault-point\" \"$1 $ref\"\n" +
		"if test -e \"$WORK/died\"; then rm \"$WORK/died\"; kill -9 $PPID; fi\n"
	l.write("repo/.git/hooks/reference-transaction", hook)
	l.write("smudge", "#!/bin/sh\n\"$WORK/fault-point\" smudge\nif test -e \"$WORK/died\"; then rm \"$WORK/died\"; kill -9 $PPID; fi\ncat\n")
	l.git("config", "filter.fault.smudge", filepath.Join(l.work, "smudge"))
	l.write("repo/.git/info/attributes", "file* filter=fault\n")
	l.ralph(0, "push", "--loop", "some")
	iteration := 2
	for _, fault := range []string{
		"prepared refs/ralph/moving/some", "committed refs/ralph/moving/some", "smudge", "prepared refs/ralph/moving/some gone", "committed refs/ralph/moving/some gone",
	} {
		iteration += 2
		if _, stderr, status := l.run(nil, "sh", "-c", "cd ../other && git ralph resume some --yes -m "+strconv.Itoa(iteration)); status != 3 {
			t.Fatalf("resume elsewhere: status %d\n%s", status, stderr)
		}
		iteration++
		l.write("fault", fault+"\n")
		if !l.killed(nil, l.repo, "resume", "some", "-m", strconv.Itoa(iteration)) {
			t.Fatalf("%s was not reached", fault)
		}
		l.ralph(3, "resume", "some", "-m", strconv.Itoa(iteration))
		if status := l.git("status", "--porcelain"); status != "" {
			t.Errorf("after %s the work tree is dirty: %s", fault, status)
		}
		if kept := l.git("for-each-ref", "refs/ralph/kept", "refs/ralph/moving"); kept != "" {
			t.Errorf("after %s there is kept: %s", fault, kept)
		}
	}
	l.checkPushed("all")
	numbers := strings.Fields(l.git("-c", "trailer.separators=:", "log", "--first-parent", "--reverse", "--grep=^Ralph-Status: completed", "--format=%(trailers:key=Ralph-Iteration,valueonly,separator=)"))
	for i, n := range numbers {
		if n != strconv.Itoa(i+1) {
			t.Fatalf("iterations %v", numbers)
		}
		if !fileExists(filepath.Join(l.repo, "file"+n)) {
			t.Errorf("file%s is missing", n)
		}
	}
	if len(numbers) != iteration {
		t.Errorf("%d iterations, want %d", len(numbers), iteration)
	}
}
