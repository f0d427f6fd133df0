package main

import (
	"regexp"
	"strings"
	"testing"
)

// What takes more than a second says what it is, on a terminal, and is gone afterwards.
func TestLongWorkSaysWhatItIs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", "1: write one.txt hello\n*: promise COMPLETE\n")
	t.Cleanup(func() { l.write("go", "") })
	verify := "until test -e " + l.work + "/go; do sleep 0.05; done"
	l.write("go", "")
	l.ralph(0, "start", "x", "--name", "greet", "-c", "fake-agent ../agent", "--verify", verify)
	l.git("clone", "-q", "--bare", ".", "../remote.git")
	l.git("remote", "add", "origin", "../remote.git")
	l.rm("go")

	s := newScreen(l, 140, 24)
	s.types("NO_COLOR= git-ralph fsck --rerun greet; echo status $?")
	s.await("a line that goes on", func(text string) bool {
		return strings.Contains(text, "verifying: until test") && regexp.MustCompile(`\nrunning verify again  [1-9]s`).MatchString(text)
	})
	l.write("go", "")
	if text := s.shows("greet: reproduced", "status 0"); strings.Contains(text, "running verify again") {
		t.Errorf("the line stays:\n%s", text)
	}
	l.rm("go")
	s.types("clear; git-ralph fsck --rerun greet; echo status $?")
	s.shows("done\nrunning verify again")
	l.write("go", "")
	s.shows("greet: reproduced", "status 0")

	s.types("clear; git-ralph push; echo status $?")
	s.shows("pushing to origin\ngreet: pushed to origin", "status 0")
	if _, stderr, _ := l.run(nil, "git-ralph", "fetch"); strings.Contains(stderr, "fetching") {
		t.Errorf("where nobody looks: %s", stderr)
	}
}
