package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"
)

func TestWatchFollowsALoop(t *testing.T) {
	t.Parallel()
	l := watchedLoop(t)
	s := l.watch(100, 26)
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
	l.write("go", "")
	s.shows("iteration 3 executing", "   2  completed")
	s.tmux("resize-window", "-x", "60", "-y", "15")
	s.is(`
greet   running <time>   iteration 3 executing <time>
███░░░░░░░  3 of 9 <time>
process   <pid>
     n    time  exit  files      tests  verify  summary
>    2 <time>     0  +1             -  -       Working on …
     1 <time>     0  +1             -  -       First: a fi…
output
Working on it.






p pause  c cancel  l log  d diff  t tell  ? help  q quit …
`)
	l.write("go3", "")
	s.shows("greet   done", "ended     the promise stands", ">    3")
	for _, size := range []string{"20x5", "1x1", "200x60", "60x15"} { // nobody can read it there, and it goes on
		x, y, _ := strings.Cut(size, "x")
		s.tmux("resize-window", "-x", x, "-y", y)
	}
	s.shows("greet   done", ">    3")
	l.git("switch", "-q", "main")
	l.ralph(0, "rewind", "1", "--loop", "greet")
	s.shows("greet   paused", ">    1", "iteration 1 completed")
	l.git("branch", "-q", "-D", "ralph/greet")
	l.git("update-ref", "-d", "refs/ralph/tip/greet")
	s.shows(`loop "greet" is gone`, ">    1")
	s.keys("q")
	s.shows("$ git-ralph watch")
}

func TestWatchOpensWhatThereIs(t *testing.T) {
	t.Parallel()
	l := watchedLoop(t)
	s := l.watch(80, 24)
	s.shows("iteration 2 executing", ">    1")
	s.keys("Enter")
	s.shows("iteration 1\n", "greet   iteration 1 of 9   completed", "created   one.txt", "summary\n    First: a file.", "one.txt | 1 +")
	s.keys("d")
	s.shows("diff of iteration 1\n", "+++ b/one.txt\n", "+hello\n")
	s.keys("q")
	s.shows("greet   iteration 1 of 9")
	s.keys("Escape")
	s.shows("iteration 2 executing")
	s.keys("?")
	s.shows("leave; the loop goes on")
	s.keys("q")
	s.shows("iteration 2 executing")
	s.keys("l")
	s.shows("output of iteration 2   following\nWorking on it.")
	l.write("go", "")
	s.shows("output of iteration 3   following\nWorking on it.\n")
	s.keys("q", "Down", "l")
	s.shows("output of iteration 1\nFirst: a file.\n")
	s.keys("q")
	s.shows(">    1")
}

// Colours say nothing that the words do not, and there are none where they are not wanted.
func TestWatchColours(t *testing.T) {
	t.Parallel()
	l := watchedLoop(t)
	s := newScreen(l, 80, 24)
	l.awaitLoop("greet")
	coloured := regexp.MustCompile(`\x1b\[([\d;]*;)?[34][0-7]m`)
	var plain [2]string
	for i, setting := range []string{"NO_COLOR=1", "NO_COLOR="} {
		s.types("clear; " + setting + " git-ralph watch")
		s.shows("iteration 2 executing", "Working on it.", ">    1  completed")
		plain[i] = masked(s.text())
		if got, want := coloured.MatchString(s.tmux("capture-pane", "-p", "-e")), i == 1; got != want {
			t.Errorf("%s: colours %v, want %v", setting, got, want)
		}
		s.keys("q")
		s.await("the screen is left", func(text string) bool { return !strings.Contains(text, "Working on it.") })
	}
	if plain[0] != plain[1] {
		t.Errorf("without colours the screen is\n%s\nwith them\n%s", plain[0], plain[1])
	}
}

func TestWatchSurvivesWhatAgentsPrint(t *testing.T) {
	t.Parallel()
	l := greetLoop(t, "*: print 3000000\n*: sh printf '\\033[2J\\033[31mred\\033[0m \\tb \\303\\050 wide 日本 \\033]0;x\\007\\033[?1049l end\\n'\n*: say\n*: say last\n*: await ../go\n", "-m", "1")
	s := l.watch(80, 24)
	s.shows("iteration 1 executing", "\nlast\n")
	s.keys("l", "g", "/", "e", "n", "d", "Enter")
	s.shows("output of iteration 1   1 found", "red     b \uFFFD( wide 日本  end\n")
	if s.tmux("display-message", "-p", "#{alternate_on}") != "1" {
		t.Error("the agent's output has left the screen")
	}
}

func TestWatchSearches(t *testing.T) {
	t.Parallel()
	lines := "*: await ../go\n"
	for n := range 100 {
		lines += fmt.Sprintf("*: say line %d of many\n", n+1)
	}
	l := greetLoop(t, lines+"*: say a needle\n*: await ../go2\n*: promise COMPLETE\n")
	s := l.watch(80, 24)
	s.shows("iteration 1 executing", "no output")
	s.keys("l")
	s.shows("output of iteration 1   following")
	l.write("go", "")
	s.shows("line 100 of many\na needle\n")
	s.keys("g")
	s.shows("output of iteration 1\nline 1 of many\n")
	s.keys("/", "N", "E", "E", "D", "Enter")
	s.shows("1 found of \"NEED\"", "line 100 of many\na needle\n")
	s.keys("/", "C-u", "4", "2", "Enter")
	s.shows("1 found of \"42\"", "\nline 42 of many\n")
	s.keys("f")
	s.shows("following", "a needle\n")
	l.write("go2", "")
	s.shows("<promise>COMPLETE</promise>\n")
}

func TestWatchSteers(t *testing.T) {
	t.Parallel()
	l := watchedLoop(t)
	s := l.watch(80, 24)
	s.shows("iteration 2 executing")
	s.keys("t")
	s.shows("tell the next iteration:")
	s.tmux("send-keys", "-l", "use täble tesX")
	s.keys("BSpace", "t", "s", "Enter")
	s.shows("the next iteration is told")
	s.keys("C")
	s.shows("end the agent and the loop now? y or n")
	s.keys("n")
	s.keys("p")
	s.shows("it pauses after this iteration")
	l.write("go", "")
	s.shows("greet   paused", ">    2")
	if told := l.git("cat-file", "-p", l.git("for-each-ref", "--format=%(objectname)", "refs/ralph/tell/greet/")); told != "use täble tests" {
		t.Errorf("the next iteration is told %q", told)
	}
	s.keys("c")
	s.shows("nothing to cancel: it does not run")
}

func TestWatchCancelsNow(t *testing.T) {
	t.Parallel()
	l := watchedLoop(t)
	s := l.watch(80, 24)
	s.shows("iteration 2 executing")
	s.keys("C", "y")
	s.shows("greet   stopped", "it was cancelled", "interrupted")
	s.keys("q")
	s.shows("$ git-ralph watch")
}

func TestWatchWantsATerminal(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	for _, args := range [][]string{{"watch"}, {"start", "x", "-c", "true", "--watch"}} {
		_, stderr, status := l.run(nil, "git-ralph", args...)
		if status != 1 || !strings.Contains(stderr, "git-ralph: the screen needs a terminal, and standard input or output is none\nhint: ") {
			t.Errorf("%q: status %d, %s", args, status, stderr)
		}
	}
	_, stderr, status := l.run(nil, "git-ralph", "start", "x", "-c", "true", "--watch", "-v")
	if status != 129 || !strings.Contains(stderr, "--watch takes the whole screen") {
		t.Errorf("status %d, %s", status, stderr)
	}
	s := newScreen(l, 100, 24)
	s.types("TERM=dumb git-ralph watch; echo status $?")
	s.shows("the screen needs a terminal that can move its cursor, and this one is dumb (TERM)", "status 1")
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
		{"TERM", func() { s.kill("watch greet", "TERM") }, "3"},
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
