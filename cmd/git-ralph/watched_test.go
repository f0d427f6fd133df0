package main

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// watchedAgent works in its first iteration, and in later ones until the test lets it go on.
const watchedAgent = `1: write one.txt hello
1: say First: a file.
2-: say Working on it.
2: await ../go
2: write two.txt hello
2: say Second: another file.
3: await ../go3
3: promise COMPLETE
`

// watchedLoop runs loop greet with that agent.
func watchedLoop(t *testing.T) *lab {
	return greetLoop(t, watchedAgent, "--verify", "true", "-m", "9")
}

// awaited is what a fake agent waits for beside the repository.
var awaited = regexp.MustCompile(`await \.\./(\w+)`)

// greetLoop runs loop greet with a fake agent. In the end the agent may go on, whatever the test came to.
func greetLoop(t *testing.T, agent string, flags ...string) *lab {
	l := newLab(t)
	l.write("agent", agent)
	l.background(append([]string{"start", "x", "--name", "greet", "-c", "fake-agent ../agent"}, flags...)...)
	l.letsGo()
	return l
}

// letsGo lets the agent go on in the end. It is called after each start in the background: what was begun last is waited for first then.
func (l *lab) letsGo() {
	l.t.Cleanup(func() {
		for _, gate := range awaited.FindAllStringSubmatch(l.read("agent"), -1) {
			l.write(gate[1], "")
		}
	})
}

// watch lets somebody watch loop greet, on a screen of so many columns and lines.
func (l *lab) watch(width, height int) *screen {
	l.t.Helper()
	s := newScreen(l, width, height)
	l.awaitLoop("greet")
	s.types("git-ralph watch")
	return s
}

// awaitLoop waits until a loop is there.
func (l *lab) awaitLoop(name string) {
	l.t.Helper()
	l.eventually("the loop begins", func() bool {
		_, _, status := l.run(nil, "git-ralph", "status", name)
		return status == 0
	})
}

// kill sends a signal to git-ralph with these arguments.
func (s *screen) kill(args, signal string) {
	s.l.t.Helper()
	for _, line := range carriers("WORK=" + s.l.work) {
		pid, command, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(pid); err == nil && strings.Contains(command, "git-ralph "+args) {
			if err := sendSignal(n, signal, false); err != nil {
				s.l.t.Fatal(err)
			}
			return
		}
	}
	s.l.t.Fatal("nothing has the terminal")
}
