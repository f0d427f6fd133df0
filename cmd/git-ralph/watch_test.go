package main

import (
	"os"
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

func watchedLoop(t *testing.T) *lab {
	l := newLab(t)
	l.write("agent", watchedAgent)
	l.background("start", "make it so", "--name", "greet", "-c", "fake-agent ../agent", "--verify", "true", "-m", "9")
	t.Cleanup(func() { // lets the loop end, whatever the test came to
		l.write("go", "")
		l.write("go3", "")
	})
	return l
}

func TestWatchFollowsALoop(t *testing.T) {
	t.Parallel()
	l := watchedLoop(t)
	s := newScreen(l, 100, 26)
	l.awaitLoop("greet")
	s.types("git-ralph watch")
	s.shows("iteration 2 executing", "Working on it.")
	s.is(`
greet   running <time>   iteration 2 executing <time>

iteration ████░░░░░░░░░░░░░░░░  2 of 9
time <time>
process   <pid>
last      iteration 1 completed, 1 created
branch    ralph/greet

     n  status         time  exit  files      tests  verify  summary
>    1  completed <time>     0  +1             -  -       First: a file.


output
Working on it.











p pause  c cancel  l log  d diff  t tell  ? help  q quit  enter open
`)
}

// awaitLoop waits until a loop is there.
func (l *lab) awaitLoop(name string) {
	l.t.Helper()
	l.eventually("the loop begins", func() bool {
		_, _, status := l.run(nil, "git-ralph", "status", name)
		return status == 0
	})
}

func TestWatchLeavesTheTerminalAsItWas(t *testing.T) {
	t.Parallel()
	l := watchedLoop(t)
	s := newScreen(l, 80, 24)
	s.types("stty -a > ../before")
	l.awaitLoop("greet")
	for _, c := range []struct {
		name   string
		leave  func()
		status string
	}{
		{"q", func() { s.keys("q") }, "0"},
		{"Ctrl-C", func() { s.keys("C-c") }, "0"},
		{"TERM", func() { s.kill("TERM") }, "3"},
	} {
		s.tmux("clear-history")
		s.types("clear; echo before " + c.name + "; git-ralph watch greet; echo status $?; stty -a > ../after")
		s.shows("q quit")
		if s.tmux("display-message", "-p", "#{alternate_on}") != "1" {
			t.Errorf("%s: the screen is not one of its own", c.name)
		}
		c.leave()
		s.shows("before "+c.name+"\n", "status "+c.status+"\n")
		l.eventually("stty says how the terminal is", func() bool { return strings.Contains(l.read("after"), "\n") })
		if before, after := l.read("before"), l.read("after"); before != after {
			t.Errorf("%s: the terminal is\n%s, was\n%s", c.name, after, before)
		}
		if s.tmux("display-message", "-p", "#{alternate_on}#{cursor_flag}#{mouse_any_flag}") != "010" {
			t.Errorf("%s: the screen is not as it was", c.name)
		}
		if err := os.Remove(l.work + "/after"); err != nil {
			t.Fatal(err)
		}
	}
}

// kill sends a signal to the program that has the terminal.
func (s *screen) kill(signal string) {
	s.l.t.Helper()
	for _, line := range carriers("WORK=" + s.l.work) {
		pid, command, _ := strings.Cut(line, " ")
		if n, err := strconv.Atoi(pid); err == nil && strings.Contains(command, "watch greet") && !strings.HasPrefix(command, "sh") {
			if err := sendSignal(n, signal, false); err != nil {
				s.l.t.Fatal(err)
			}
			return
		}
	}
	s.l.t.Fatal("nothing has the terminal")
}
