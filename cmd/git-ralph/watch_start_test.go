package main

import (
	"strings"
	"testing"
)

func TestStartWatches(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", watchedAgent)
	l.letsGo()
	s := newScreen(l, 100, 24)
	s.types("git-ralph start greet --name greet -c 'fake-agent ../agent' --verify true -m 9 --watch; echo status $?")
	s.shows("iteration 2 executing", "Working on it.", ">    1")
	s.keys("q")
	s.shows("loop greet on branch ralph/greet, at most 9 iterations", "   1  completed") // what it printed, and what it would have printed
	l.write("go", "")
	s.shows("   2  completed")
	l.eventually("the third iteration is at work", func() bool { return strings.Contains(l.ralph(0, "status"), "iteration 3 of 9   executing") })
	s.keys("C-c")
	s.shows("this iteration is the last")
	l.write("go3", "")
	s.shows("done after 3 iterations", "status 0")

	s.types("clear; git-ralph resume greet --watch; echo status $?") // nothing to be watched
	s.shows("already done", "status 0")
}

func TestStartWatchesToItsEnd(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", watchedAgent)
	s := newScreen(l, 100, 24)
	s.types("stty -a > ../before; git-ralph start greet --name greet -c 'fake-agent ../agent' -m 9 --watch; echo status $?; stty -a > ../after")
	s.shows("iteration 2 executing", "Working on it.")
	s.keys("C-c")
	s.shows("this iteration is the last; Ctrl-C again ends it now")
	l.write("go", "")
	s.shows("greet   stopped", "it was cancelled", ">    2")
	s.keys("q")
	s.shows("   2  completed", "cancelled after 2 iterations", "status 130")
	l.eventually("stty says how the terminal is", func() bool { return strings.HasSuffix(l.read("after"), "\n") })
	l.rm("after")

	s.types("clear; git-ralph resume greet --watch; echo status $?; stty -a > ../after")
	s.shows("iteration 3 executing")
	s.kill("resume greet", "TERM")
	s.shows("status 3")
	l.eventually("stty says how the terminal is", func() bool { return strings.HasSuffix(l.read("after"), "\n") })
	if l.read("before") != l.read("after") {
		t.Errorf("the terminal is\n%s, was\n%s", l.read("after"), l.read("before"))
	}
}
