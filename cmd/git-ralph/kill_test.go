//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// killAgent writes numbered lines into the work tree and, once a line stands there, into a journal outside: whatever
// moment it is killed in, every line of the journal must be found again. In every third iteration it commits some itself.
const killAgent = `*: count numbers 40
3: sh git add -A && git commit -q -m 'by hand'
6: sh git add -A && git commit -q -m 'by hand'
9: sh git add -A && git commit -q -m 'by hand'
*: count numbers 40
*: say wrote some numbers
*: sh if test -e ../finish; then echo '<promise>COMPLETE</promise>'; fi
`

// killLab is a lab whose loops get killed.
type killLab struct {
	*lab
	agent []string // flags that every start gets
}

func newKillLab(t *testing.T) *killLab {
	l := &killLab{lab: newLab(t)}
	l.write("agent", killAgent)
	l.agent = []string{"--command", "fake-agent ../agent", "--verify", "test -s numbers", "--verify-when", "always",
		"-m", "0", "--grace", "50ms", "--max-failures", "0", "--no-progress", "0"}
	return l
}

// begin starts git-ralph as the leader of a process group.
func (l *killLab) begin(env []string, args ...string) (*exec.Cmd, <-chan struct{}) {
	l.t.Helper()
	cmd := l.command(env, "git-ralph", args...)
	ownGroup(cmd)
	talk, err := os.OpenFile(filepath.Join(l.work, "talk"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o666)
	if err != nil {
		l.t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = talk, talk
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		_ = talk.Close()
		close(done)
	}()
	return cmd, done
}

// goOn starts the loop, or resumes it when its opening stands.
func (l *killLab) goOn(loop string) []string {
	if _, _, status := l.run(nil, "git", "rev-parse", "--verify", "--quiet", "refs/ralph/tip/"+loop); status != 0 {
		if _, _, status := l.run(nil, "git", "rev-parse", "--verify", "--quiet", "refs/heads/ralph/"+loop); status != 0 {
			return append([]string{"start", "Write numbers", "--name", loop}, l.agent...)
		}
	}
	return []string{"resume", loop}
}

// TestKilledAtAnyMoment kills the whole process group at random moments, 30 times over three loops.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	seed := uint64(time.Now().UnixNano())
	if given, err := strconv.ParseUint(os.Getenv("KILL_SEED"), 10, 64); err == nil {
		seed = given
	}
	t.Logf("KILL_SEED=%d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	l := newKillLab(t)
	for _, loop := range []string{"one", "two", "three"} {
		for range 10 {
			args := l.goOn(loop)
			cmd, done := l.begin(nil, args...)
			select {
			case <-time.After(time.Duration(random.IntN(900)) * time.Millisecond):
			case <-done:
				t.Fatalf("git-ralph %q ended by itself\n%s", args, l.read("talk"))
			}
			_ = sendSignal(cmd.Process.Pid, "KILL", true)
			<-done
		}
		l.finish(loop)
		l.git("switch", "-q", "main")
	}
}

// finish lets the loop come to its end and checks what must hold of it then.
func (l *killLab) finish(loop string) {
	l.t.Helper()
	l.write("finish", "")
	args := l.goOn(loop)
	cmd, done := l.begin(nil, args...)
	select {
	case <-done:
	case <-time.After(patience):
		l.t.Fatalf("git-ralph %q does not end\n%s", args, l.read("talk"))
	}
	if status := cmd.ProcessState.ExitCode(); status != 0 {
		l.t.Fatalf("git-ralph %q: status %d\n%s", args, status, l.read("talk"))
	}
	l.checkNothingLost(loop)
	l.checkIterations(loop)
	if out := l.git("fsck", "--strict", "--no-dangling"); out != "" {
		l.t.Errorf("fsck: %s", out)
	}
	l.write("repo/mine", loop)
	l.git("add", "mine")
	l.git("commit", "-q", "-m", "by the user")
	if left := carriers("WORK=" + l.work); len(left) > 0 {
		l.t.Errorf("processes are left:\n%s", strings.Join(left, "\n"))
	}
	for _, name := range []string{"finish", "journal"} {
		if err := os.Remove(filepath.Join(l.work, name)); err != nil {
			l.t.Fatal(err)
		}
	}
}

// checkNothingLost looks for every line of the journal in the loop's tree. The agent only appends, so that nothing may
// be missing at the end.
func (l *killLab) checkNothingLost(loop string) {
	l.t.Helper()
	found := map[string]bool{}
	for line := range strings.Lines(l.git("show", "ralph/"+loop+":numbers") + "\n") {
		found[line] = true
	}
	lines := slices.Collect(strings.Lines(l.read("journal")))
	missing := 0
	for _, line := range lines {
		if !found[line] {
			missing++
		}
	}
	if missing > 0 || len(lines) == 0 {
		l.t.Errorf("loop %s: %d of %d lines are lost", loop, missing, len(lines))
	}
}

// checkIterations reads the numbers of the iterations from the chain of our commits: 1, 2, 3 ... without a gap.
func (l *killLab) checkIterations(loop string) {
	l.t.Helper()
	out := l.git("-c", "trailer.separators=:", "log", "--first-parent", "--reverse", "main..ralph/"+loop,
		"--format=%(trailers:key=Ralph-Loop,valueonly,separator=) %(trailers:key=Ralph-Status,valueonly,separator=) %(trailers:key=Ralph-Iteration,valueonly,separator=)")
	var numbers []string
	for _, m := range regexp.MustCompile(`(?m)^`+loop+` \S+ (\d+)$`).FindAllStringSubmatch(out, -1) {
		numbers = append(numbers, m[1])
	}
	for i, n := range numbers {
		if n != fmt.Sprint(i+1) {
			l.t.Errorf("loop %s: iteration %s stands where %d belongs: %q", loop, n, i+1, numbers)
			return
		}
	}
	var status struct{ iteration int }
	answer := l.ralph(0, "status", loop, "--json")
	if _, err := fmt.Sscanf(answer[strings.Index(answer, `"iteration":`):], `"iteration":%d`, &status.iteration); err != nil || status.iteration != len(numbers) {
		l.t.Errorf("loop %s: status tells %d iterations, the history %d (%v)", loop, status.iteration, len(numbers), err)
	}
	if len(numbers) == 0 {
		l.t.Errorf("loop %s has no iterations", loop)
	}
}
