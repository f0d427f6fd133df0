//go:build unix

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// countingAgent writes numbered lines into the work tree and, once a line stands there, into a journal outside: whatever
// moment it is killed in, every line of the journal must be found again.
const countingAgent = `*: sh printf %s "$GIT_RALPH_MARKER" > ../marker-$GIT_RALPH_LOOP
*: count numbers 40
*: say wrote some numbers
*: sh if test -e ../finish-$GIT_RALPH_LOOP; then echo '<promise>COMPLETE</promise>'; fi
`

// committingAgent commits some of them itself, in every third iteration.
const committingAgent = `*: count numbers 40
*: sh if test $(($N % 3)) = 0; then git add -A && git commit -q -m 'by hand'; fi
` + countingAgent

// killLab is a lab whose loops get killed.
type killLab struct {
	*lab
	agent []string // flags that every start gets
}

func newKillLab(t *testing.T) *killLab {
	l := &killLab{lab: newLab(t)}
	t.Cleanup(func() { // a git that was not killed with us comes to its end, and its hooks
		for over := time.Now().Add(10 * time.Second); len(carriers("WORK="+l.work)) > 0 && time.Now().Before(over); {
			time.Sleep(10 * time.Millisecond)
		}
	})
	l.write("agent", committingAgent)
	l.write("telling/claude", tellingAgent)
	l.write("limited/claude", limitedAgent)
	l.agent = []string{"--command", "fake-agent ../agent", "--verify", "test -s numbers", "--verify-when", "always",
		"-m", "0", "--grace", "50ms", "--max-failures", "0", "--no-progress", "0"}
	return l
}

// dir is where a loop is: in a work tree of its own, if it has one.
func (l *killLab) dir(loop string) string {
	if dir := filepath.Join(l.work, "repo-"+loop); fileExists(dir) {
		return dir
	}
	return l.repo
}

// begin starts git-ralph for a loop, as the leader of a process group.
func (l *killLab) begin(env []string, loop string, args ...string) (*exec.Cmd, <-chan struct{}) {
	l.t.Helper()
	cmd := l.command(env, "git-ralph", args...)
	cmd.Dir = l.dir(loop)
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
	for _, ref := range []string{"refs/ralph/tip/", "refs/heads/ralph/"} {
		if _, _, status := l.run(nil, "git", "rev-parse", "--verify", "--quiet", ref+loop); status == 0 {
			return []string{"resume", loop}
		}
	}
	return append([]string{"start", "Write numbers", "--name", loop}, l.agent...)
}

// killing is a kind of loops that are killed.
type killing struct {
	agent  string
	flags  []string // more flags of start
	beside bool     // two loops at once, each in a work tree of its own

	check func(l *killLab, loop string) // looks at what is special; nil: nothing is
}

func killings() map[string]killing {
	worktree := []string{"--worktree"}
	return map[string]killing{
		"plain iterations":               {agent: countingAgent},
		"agents that commit":             {agent: committingAgent},
		"verify running":                 {agent: countingAgent, flags: []string{"--verify", "sleep 0.3"}},
		"a linked worktree":              {agent: committingAgent, flags: worktree},
		"two loops in two worktrees":     {agent: committingAgent, flags: worktree, beside: true},
		"agents that tell what they use": {agent: countingAgent, flags: toldBy("telling"), check: (*killLab).checkTold},
		"limits that are waited out": {agent: countingAgent, flags: toldBy("limited"), check: func(l *killLab, loop string) {
			l.checkTold(loop)
			l.checkWaited(loop)
		}},
	}
}

// TestKilledAtAnyMoment kills loops at random moments, 30 times in all or as often as GIT_RALPH_TEST_KILLS says.
func TestKilledAtAnyMoment(t *testing.T) {
	t.Parallel()
	kills, seed := 30, uint64(time.Now().UnixNano())
	if given, err := strconv.Atoi(os.Getenv("GIT_RALPH_TEST_KILLS")); err == nil {
		kills = given
	}
	if given, err := strconv.ParseUint(os.Getenv("KILL_SEED"), 10, 64); err == nil {
		seed = given
	}
	all := killings()
	each := (kills + len(all) - 1) / len(all)
	t.Logf("%d kills, KILL_SEED=%d", each*len(all), seed)
	for i, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := newKillLab(t)
			l.write("agent", all[name].agent)
			l.agent = append(l.agent, all[name].flags...)
			random := rand.New(rand.NewPCG(seed, uint64(i)))
			for n := 0; n < each; n += killsPerLoop {
				loops := []string{fmt.Sprintf("loop%d", n/killsPerLoop)}
				if all[name].beside {
					loops = append(loops, loops[0]+"b")
				}
				l.killLoops(random, loops, min(killsPerLoop, each-n))
				l.finish(loops...)
				for _, loop := range loops {
					if all[name].check != nil {
						all[name].check(l, loop)
					}
				}
			}
		})
	}
}

// killsPerLoop is how often one loop is killed before it may come to its end.
const killsPerLoop = 10

// killLoops kills all of the loops so often. Half of the time everything of them is killed, supervisors and agents too,
// as when a machine goes down.
func (l *killLab) killLoops(random *rand.Rand, loops []string, times int) {
	l.t.Helper()
	for n := 0; n < times; n += len(loops) {
		var running []*exec.Cmd
		var ended []<-chan struct{}
		for _, loop := range loops {
			cmd, done := l.begin(nil, loop, l.goOn(loop)...)
			running, ended = append(running, cmd), append(ended, done)
		}
		for i, cmd := range running {
			select {
			case <-time.After(time.Duration(random.IntN([]int{150, 900}[random.IntN(2)])) * time.Millisecond): // start and resume are short
			case <-ended[i]:
				l.t.Fatalf("git-ralph %q ended by itself\n%s", cmd.Args, l.read("talk"))
			}
			_ = sendSignal(cmd.Process.Pid, "KILL", true)
			<-ended[i]
			if random.IntN(2) == 0 {
				l.killCarriers(loops[i])
			}
		}
		if slices.ContainsFunc(running, func(cmd *exec.Cmd) bool { return cmd.Args[1] == "start" }) {
			l.eventually("git ends", l.noGit) // until then nobody can know whether there will be a loop, and a whole work tree
		}
	}
}

// noGit reports whether no git of ours runs.
func (l *killLab) noGit() bool {
	return !slices.ContainsFunc(carriers("WORK="+l.work), func(line string) bool { return strings.Contains(line, " git -c ") })
}

// killCarriers kills the supervisor and all that it runs.
func (l *killLab) killCarriers(loop string) {
	l.t.Helper()
	for _, line := range carriers("GIT_RALPH_MARKER=" + l.read("marker-"+loop)) {
		pid, err := strconv.Atoi(line[:strings.IndexByte(line, ' ')])
		if err != nil {
			l.t.Fatal(err)
		}
		_ = sendSignal(pid, "KILL", false)
	}
}

// finish lets the loops come to their ends, at the same time, and checks what must hold of them then.
func (l *killLab) finish(loops ...string) {
	l.t.Helper()
	var all sync.WaitGroup
	ends := make([]*exec.Cmd, len(loops))
	for i, loop := range loops {
		l.write("finish-"+loop, "")
		cmd, done := l.begin(nil, loop, l.goOn(loop)...)
		ends[i] = cmd
		all.Go(func() {
			select {
			case <-done:
			case <-time.After(patience):
				_ = sendSignal(cmd.Process.Pid, "KILL", true)
				<-done
			}
		})
	}
	all.Wait()
	for i, loop := range loops {
		if status := ends[i].ProcessState.ExitCode(); status != 0 {
			l.t.Fatalf("git-ralph %q: status %d\n%s", ends[i].Args, status, l.read("talk"))
		}
		l.checkNothingLost(loop)
		l.checkIterations(loop)
		l.checkWhole(loop)
		l.checkNoLock(loop)
	}
	if out := l.git("fsck", "--strict", "--no-dangling"); out != "" {
		l.t.Errorf("fsck: %s", out)
	}
	if left := carriers("WORK=" + l.work); len(left) > 0 {
		l.t.Errorf("processes are left:\n%s", strings.Join(left, "\n"))
	}
	l.git("switch", "-q", "main")
}

// checkNothingLost looks for every line of the journal in the loop's tree. The agent only appends, so that nothing may
// be missing at the end.
func (l *killLab) checkNothingLost(loop string) {
	l.t.Helper()
	found := map[string]bool{}
	for line := range strings.Lines(l.git("show", "ralph/"+loop+":numbers") + "\n") {
		found[line] = true
	}
	lines := slices.Collect(strings.Lines(l.read("journal-" + loop)))
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

// checkIterations follows the chain of our commits: the iterations are 1, 2, 3 ... without a gap, and each commit has
// its note.
func (l *killLab) checkIterations(loop string) {
	l.t.Helper()
	noted := map[string]bool{}
	for line := range strings.Lines(l.git("notes", "--ref=ralph", "list")) {
		noted[strings.Fields(line)[1]] = true
	}
	last := 0
	for _, c := range l.chain(loop) {
		if c.status != "" {
			if last++; c.iteration != last {
				l.t.Fatalf("loop %s: iteration %d stands where %d belongs", loop, c.iteration, last)
			}
		}
		if !noted[c.id] {
			l.t.Errorf("loop %s: the note of iteration %d (%s) is lost", loop, c.iteration, c.id)
		}
	}
	if answer := l.ralph(0, "status", loop, "--json"); last == 0 || !strings.Contains(answer, fmt.Sprintf(`"iteration":%d,`, last)) {
		l.t.Errorf("loop %s: the history has %d iterations, status tells %s", loop, last, answer)
	}
}

// checkNoLock lets the user commit where the loop was.
func (l *killLab) checkNoLock(loop string) {
	l.t.Helper()
	dir := l.dir(loop)
	if err := os.WriteFile(filepath.Join(dir, "mine"), []byte(loop), 0o666); err != nil {
		l.t.Fatal(err)
	}
	l.git("-C", dir, "add", "mine")
	l.git("-C", dir, "-c", "gc.auto=0", "commit", "-q", "-m", "by the user")
}
