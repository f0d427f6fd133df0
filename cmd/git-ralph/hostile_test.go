//go:build unix

package main

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// misdeed is what an agent does in the second of three iterations. The first writes the file one, the third the file
// three: that all three are there in the end shows that the loop goes on as if nothing had been.
type misdeed struct {
	agent   string              // the second iteration, in lines of fake-agent's script without their number
	prepare func(*hostileLab)   // makes the repository ready; nil: it is
	flags   []string            // more flags of start
	status  string              // of the second iteration; empty: completed
	says    []string            // regular expressions, each of which matches a line on the screen; the iteration's row comes by itself
	holds   map[string]string   // path and content in the last commit; $N is the number of the iteration
	skipped []string            // values of Ralph-Skipped in the second iteration
	kept    map[string]string   // path and content in one of the refs that Ralph-Kept names in the second iteration
	dirty   []string            // lines of `git status --porcelain` at the end; nil: it is clean
	check   func(*hostileLab)   // looks at what is special; nil: nothing is
	run     func(l *hostileLab) // runs the loop to its end; nil: start does
	number  int                 // of iterations; zero: 3
}

// hostileLab is a lab for one misdeed.
type hostileLab struct {
	*lab
	flags  []string
	screen string // all that was printed so far, on both streams
}

// hostileLoop is the name of the loop.
const hostileLoop = "x"

// TestHostileAgents runs one loop for each misdeed. In all of them the iteration's work is on the loop branch, or named
// in its trailers, the chain of our commits is whole, the next iteration runs, no process is left, and git works for
// the user as before.
func TestHostileAgents(t *testing.T) {
	t.Parallel()
	all := map[string]misdeed{}
	for _, some := range []map[string]misdeed{branchMisdeeds(), repositoryMisdeeds(), fileMisdeeds(), outputMisdeeds(), processMisdeeds()} {
		maps.Copy(all, some)
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			playMisdeed(t, all[name])
		})
	}
}

func playMisdeed(t *testing.T, m misdeed) {
	l := newHostileLab(t, m)
	if m.prepare != nil {
		m.prepare(l)
	}
	if m.run != nil {
		m.run(l)
	} else {
		l.loop(3, append([]string{"start", "Do it"}, l.flags...)...)
	}
	t.Logf("the screen:\n%s", l.screen)
	l.checkScreen(m)
	l.checkWork(m)
	l.checkChain(max(m.number, 3))
	l.checkMarker()
	if m.check != nil {
		m.check(l)
	}
	l.checkUser(m)
}

func newHostileLab(t *testing.T, m misdeed) *hostileLab {
	t.Helper()
	l := &hostileLab{lab: newLab(t)}
	var script strings.Builder
	script.WriteString("1: sh printf %s \"$GIT_RALPH_MARKER\" > \"$WORK/marker\"\n1: write one 1\n3: write three 3\n")
	for line := range strings.Lines(m.agent) {
		script.WriteString("2: " + strings.TrimSpace(line) + "\n")
	}
	l.write("agent", script.String())
	l.flags = append([]string{"--name", hostileLoop, "-m", "3", "--grace", "100ms", "--command", "fake-agent ../agent"}, m.flags...)
	return l
}

// loop runs git-ralph, which must end with the status, and takes down what it prints.
func (l *hostileLab) loop(want int, args ...string) {
	l.t.Helper()
	stdout, stderr, status := l.run(nil, "git-ralph", args...)
	l.screen += stdout + stderr
	if status != want {
		l.t.Fatalf("git-ralph %q: status %d, want %d\n%s", args, status, want, l.screen)
	}
}

// checkScreen looks for the row of the second iteration and for what else has to be said.
func (l *hostileLab) checkScreen(m misdeed) {
	l.t.Helper()
	if m.status == "" {
		m.status = "completed"
	}
	for _, line := range append([]string{`^ *2 +` + m.status + ` `}, m.says...) {
		if !regexp.MustCompile(`(?m)` + line).MatchString(l.screen) {
			l.t.Errorf("no line on the screen matches %q:\n%s", line, l.screen)
		}
	}
	if strings.Contains(l.screen, "\x00") || strings.Contains(l.screen, "\x1b") {
		l.t.Errorf("the screen shows control characters: %q", l.screen)
	}
}

// checkWork looks for the files on the branch, in the kept refs and among the skipped paths.
func (l *hostileLab) checkWork(m misdeed) {
	l.t.Helper()
	holds := map[string]string{"one": "1", "three": "3"}
	maps.Copy(holds, m.holds)
	for path, want := range holds {
		if got, _, status := l.run(nil, "git", "cat-file", "blob", "ralph/"+hostileLoop+":"+path); status != 0 || strings.TrimSuffix(got, "\n") != want {
			l.t.Errorf("the branch's %q is %.200q, want %q", path, got, want)
		}
	}
	chain := l.chain(hostileLoop)
	second := chain[slices.IndexFunc(chain, func(o ourCommit) bool { return o.iteration == 2 })]
	if !slices.Equal(second.skipped, m.skipped) {
		l.t.Errorf("Ralph-Skipped: %q, want %q", second.skipped, m.skipped)
	}
	for path, want := range m.kept {
		if !slices.ContainsFunc(second.kept, func(ref string) bool {
			got, _, status := l.run(nil, "git", "cat-file", "blob", ref+":"+path)
			return status == 0 && strings.TrimSuffix(got, "\n") == want
		}) {
			l.t.Errorf("no kept ref of %q holds %q with %q", second.kept, path, want)
		}
	}
	refs := strings.Fields(l.git("for-each-ref", "--format=%(refname)", "refs/ralph/kept/"))
	if !slices.Equal(refs, slices.Sorted(slices.Values(second.kept))) {
		l.t.Errorf("kept refs %q, the trailers name %q", refs, second.kept)
	}
}

// ourCommit is a commit of the chain, as its trailers tell.
type ourCommit struct {
	id, previous, status string
	iteration            int
	skipped, kept        []string
}

// chain follows Ralph-Previous from the loop's tip to the opening and returns it in the order of time. Each of our
// commits must stand on the first-parent line of the next.
func (l *lab) chain(loop string) []ourCommit {
	l.t.Helper()
	const trailer = "%x00%(trailers:key=Ralph-"
	line := strings.Split(l.git("-c", "trailer.separators=:", "log", "--first-parent", "-z", "--format=%H"+
		trailer+"Previous,valueonly,separator=)"+trailer+"Status,valueonly,separator=)"+trailer+"Iteration,valueonly,separator=)"+
		trailer+"Skipped,valueonly)"+trailer+"Kept,valueonly)", "refs/ralph/tip/"+loop), "\x00")
	var chain []ourCommit
	wanted := l.git("rev-parse", "refs/ralph/tip/"+loop)
	for ; len(line) >= 6 && wanted != ""; line = line[6:] {
		if line[0] != wanted {
			continue // the agent's own
		}
		n, err := strconv.Atoi(line[3])
		if err != nil {
			l.t.Fatalf("commit %s: Ralph-Iteration: %v", wanted, err)
		}
		chain = append(chain, ourCommit{
			id: line[0], previous: line[1], status: line[2], iteration: n,
			skipped: strings.FieldsFunc(line[4], isNewline), kept: strings.FieldsFunc(line[5], isNewline),
		})
		wanted = line[1]
	}
	if wanted != "" {
		l.t.Fatalf("the chain is broken: %s is not on the first-parent line of refs/ralph/tip/%s", wanted, loop)
	}
	slices.Reverse(chain)
	return chain
}

func isNewline(c rune) bool { return c == '\n' }

// checkChain counts the iterations on the chain: 0 for the opening, then 1, 2, 3 and so on, each once.
func (l *lab) checkChain(iterations int) {
	l.t.Helper()
	chain, last := l.chain(hostileLoop), 0
	for i, c := range chain {
		switch {
		case i == 0 && c.iteration != 0:
			l.t.Errorf("the opening is iteration %d", c.iteration)
		case c.status != "" && c.iteration != last+1, c.status == "" && c.iteration != last:
			l.t.Errorf("iteration %d (%s) follows %d", c.iteration, c.status, last)
		}
		last = c.iteration
	}
	if last != iterations {
		l.t.Errorf("%d iterations are on the chain, want %d", last, iterations)
	}
	if tip, branch := chain[len(chain)-1].id, l.git("rev-parse", "refs/heads/ralph/"+hostileLoop); tip != branch {
		l.t.Errorf("the branch is at %s, the tip at %s", branch, tip)
	}
	if head := l.git("symbolic-ref", "HEAD"); head != "refs/heads/ralph/"+hostileLoop {
		l.t.Errorf("HEAD is on %s", head)
	}
	if answer := l.ralph(0, "status", hostileLoop, "--json"); !strings.Contains(answer, `"iteration":`+strconv.Itoa(iterations)+`,`) {
		l.t.Errorf("status tells otherwise: %s", answer)
	}
}

// checkMarker makes sure that nothing is left of what the loop started. It is the loop's end that promises it, so
// nothing is waited for.
func (l *lab) checkMarker() {
	l.t.Helper()
	marker := l.read("marker")
	if marker == "" {
		l.t.Error("the agent carried no marker")
	}
	if left := carriers("GIT_RALPH_MARKER=" + marker); len(left) > 0 {
		l.t.Errorf("processes of the loop are left:\n%s", strings.Join(left, "\n"))
	}
	if left := naming(l.work); len(left) > 0 {
		l.t.Errorf("processes without a marker are left:\n%s", strings.Join(left, "\n"))
	}
}

// checkUser does what a user does next.
func (l *hostileLab) checkUser(m misdeed) {
	l.t.Helper()
	if got := strings.FieldsFunc(l.git("status", "--porcelain"), isNewline); !slices.Equal(got, m.dirty) {
		l.t.Errorf("git status: %q, want %q", got, m.dirty)
	}
	if err := os.WriteFile(filepath.Join(l.repo, "mine"), []byte("mine\n"), 0o666); err != nil {
		l.t.Fatal(err)
	}
	l.git("add", "mine")
	l.git("commit", "-q", "-m", "by the user")
	if out, talk, status := l.run(nil, "git", "fsck", "--strict", "--no-dangling", "--no-progress"); status != 0 || out != "" {
		l.t.Errorf("fsck: status %d\n%s%s", status, out, talk)
	}
	if left, _ := filepath.Glob(filepath.Join(l.repo, ".git", "*.lock")); len(left) > 0 {
		for _, path := range left {
			if filepath.Base(path) != "ralph-worktree.lock" {
				l.t.Errorf("a lock is left: %s", path)
			}
		}
	}
	l.git("switch", "-q", "main")
}
