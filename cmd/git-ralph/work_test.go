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

// What goes through a long history, lands or looks at a push says it, too.
func TestLongReadingSaysWhatItIs(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", "*: write file $N\n3: promise COMPLETE\n")
	l.git("clone", "-q", "--bare", ".", "../remote.git")
	l.git("remote", "add", "origin", "../remote.git")
	l.ralph(0, "start", "x", "--name", "greet", "-c", "fake-agent ../agent", "--verify", "test -e file")
	l.ralph(0, "hooks", "install")
	// A git whose log does not come, and a gitleaks that does not come back, until they may.
	l.write("bin/git", slowGit)
	l.write("bin/gitleaks", "#!/bin/sh\ncat >/dev/null\nuntil test -e \"$WORK/go\"; do sleep 0.05; done\necho '[]'\n")
	t.Cleanup(func() { l.write("go", "") })

	s := newScreen(l, 140, 24)
	s.types("export REAL=$(command -v git); PATH=$WORK/bin:$PATH")
	for command, want := range map[string]struct{ during, after string }{
		"git-ralph show 1 --loop greet":        {"looking for the iteration", "iteration 1 of 20"},
		"git-ralph diff 1 --loop greet --stat": {"looking for the iteration", "1 file changed"},
		"git-ralph export greet":               {"reading every iteration", "promise_checked"},
		"git push -q origin ralph/greet":       {"looking at what is pushed", ""},
	} {
		s.types("clear; " + command + "; echo status $?")
		s.shows(want.during)
		l.write("go", "")
		s.shows(want.after, "status 0")
		l.rm("go")
	}
	l.write("go", "")
	s.types("clear; git-ralph land greet; echo status $?")
	s.shows("landing greet on main\nverifying: test -e file", "status 0")
}

const slowGit = `#!/bin/sh
case "$*" in
*"log -z --first-parent"*) until test -e "$WORK/go"; do sleep 0.05; done ;;
esac
exec "$REAL" "$@"
`
