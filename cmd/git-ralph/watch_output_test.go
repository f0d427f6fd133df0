package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
)

// What is looked for is found below lines that are longer than the screen is wide, and stays in sight while more is printed.
func TestWatchSearchesWhatGrows(t *testing.T) {
	t.Parallel()
	var script strings.Builder
	fill := func(lines int) {
		for n := range lines {
			fmt.Fprintf(&script, "*: say %d %s\n", n, strings.Repeat("word ", 50))
		}
	}
	fill(40)
	script.WriteString("*: say the needle of the first haystack\n")
	fill(40)
	script.WriteString("*: say the needle of the second\n")
	fill(40)
	script.WriteString("*: await ../go\n")
	fill(40)
	script.WriteString("*: say the needle of the third\n*: await ../go2\n")
	l := greetLoop(t, script.String(), "-m", "1")
	s := l.watch(80, 24)
	s.shows("iteration 1 executing", "39 word")
	s.keys("l", "g", "/", "n", "e", "e", "d", "l", "e", "Enter")
	s.shows("2 found", "first haystack")
	s.keys("n")
	before := s.shows("2 found", "needle of the second")
	l.write("go", "")
	after := s.shows("3 found")
	if got, want := strings.ReplaceAll(after, "3 found", "2 found"), before; got != want {
		t.Errorf("more output has moved the text: it was\n%s\nnow it is\n%s", want, got)
	}
	s.keys("n")
	s.shows("needle of the third")
	s.keys("N", "N")
	s.shows("first haystack")
	s.tmux("resize-window", "-x", "60", "-y", "20")
	s.shows("first haystack")
}

// Where a diff is painted, what is looked for is found where it stands.
func TestWatchSearchesColouredText(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", "*: sh for i in $(seq 90); do echo a line to be found at $i; done > file\n*: promise COMPLETE\n")
	l.ralph(0, "start", "x", "--name", "greet", "-c", "fake-agent ../agent")
	s := newScreen(l, 80, 24)
	s.types("NO_COLOR= git-ralph watch greet")
	s.shows("greet   done", ">    1")
	s.keys("d")
	s.shows("diff of iteration 1")
	s.keys("/", "a", "t", "Space", "8", "8", "Enter")
	s.shows(`1 found of "at 88"`, "+a line to be found at 88")
	if painted := s.tmux("capture-pane", "-p", "-e"); !regexp.MustCompile(`\x1b\[7m(\x1b\[\d+m)*at 88\n?\x1b`).MatchString(painted) {
		t.Errorf("what was found is not marked: %q", painted)
	}
}

// The screen opens on a loop that is over, and says why it cannot show what the agent printed when it cannot.
func TestWatchShowsALoopThatIsOver(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", "1: write one.txt hello\n1: say First: a file.\n1: say-err grumble\n2: write two.txt\n2: promise COMPLETE\n")
	l.ralph(0, "start", "make it so", "--name", "greet", "-c", "fake-agent ../agent", "-m", "9")
	s := newScreen(l, 80, 24)
	s.types("git-ralph watch")
	s.shows("greet   done", "iteration ████░░░░░░░░░░░░░░░░  2 of 9", "ended     the promise stands", ">    2", "<promise>COMPLETE</promise>")
	s.keys("Down", "l")
	s.shows("output of iteration 1\nFirst: a file.\ngrumble\n")
	s.keys("q", "Enter")
	s.shows("iteration 1\n", "created   one.txt")
	s.keys("q", "p")
	s.shows("nothing to pause: it does not run")
	s.keys("q")
	s.shows("$ git-ralph watch")

	l.git("clone", "-q", ".", "../clone")
	s.types("clear; cd ../clone; git-ralph watch greet")
	const gone = "the raw output of iteration 2 is not here: it was removed, or the iteration ran"
	s.shows("greet   done", ">    2", "output\n"+gone)
	s.keys("l")
	s.shows("output of iteration 2\n" + gone + "\nin another clone\n")
}

// An agent that talks on standard error only is heard.
func TestWatchShowsStandardError(t *testing.T) {
	t.Parallel()
	l := greetLoop(t, "*: say-err thinking aloud\n*: await ../go\n", "-m", "1")
	s := l.watch(80, 24)
	s.shows("iteration 1 executing", "output\nthinking aloud\n")
	s.keys("l")
	s.shows("output of iteration 1   following\nthinking aloud\n")
}

// An iteration that is run again after a kill has output of its own, and the screen goes on with it.
func TestWatchFollowsAnIterationThatIsRunAgain(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", "*: sh cat ../words\n*: await ../go\n")
	l.write("words", "words before the kill\n")
	l.background("start", "x", "--name", "greet", "-c", "fake-agent ../agent", "-m", "1")
	l.letsGo()
	s := l.watch(80, 24)
	s.shows("iteration 1 executing", "words before the kill")
	s.kill("start x", "KILL")
	s.shows("greet   interrupted")
	l.write("words", "words after it\n")
	l.background("resume", "greet")
	l.letsGo()
	s.shows("iteration 1 executing", "\nwords after it\n") // those of the try that was killed may stand above, where they were still there
	s.keys("l")
	s.shows("output of iteration 1   following\n", "\nwords after it\n")
}
