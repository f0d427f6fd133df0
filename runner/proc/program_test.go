//go:build linux || darwin

package proc_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/runner/proc"
)

func TestWhatCannotBeStarted(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string, mode os.FileMode) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file("bin/plain", "#!/bin/sh\n", 0o600)
	file("bin/good", "#!/bin/sh\necho good\n", 0o700)
	bare := file("bare", "echo a shell would run this\n", 0o700)
	lost := file("lost", "#!/nowhere/at all\n", 0o700)
	for _, test := range []struct {
		name string
		argv []string
		dir  string
		want string
	}{
		{"not found", []string{"nowhere-to-be-found"}, dir, `start "nowhere-to-be-found": not found in PATH`},
		{"no such file", []string{"./nowhere"}, dir, `start "./nowhere": there is no such file`},
		{"not executable", []string{"bin/plain"}, dir, `start "bin/plain": it is not executable`},
		{"not executable in PATH", []string{"plain"}, dir, `start "plain": found as ` + dir + `/bin/plain, but that is not executable`},
		{"a directory", []string{"./bin"}, dir, `start "./bin": it is a directory`},
		{"no #! line", []string{bare}, dir, `it is no program of this system and has no #! line`},
		{"no interpreter", []string{lost}, dir, `its interpreter "/nowhere/at" does not exist`},
		{"in a relative entry of PATH", []string{"bare"}, dir, `start "bare": not found in PATH`},
		{"no directory", []string{"good"}, filepath.Join(dir, "gone"),
			`start "good": its working directory "` + dir + `/gone" does not exist`},
		{"a file as directory", []string{"good"}, bare, `is not a directory`},
		{"too long", []string{"good", strings.Repeat("x", 8<<20)}, dir, `start "good": its arguments (8388614 bytes) and environment (`},
		{"NUL", []string{"good", "a\x00b"}, dir, `start "good": an argument or a variable holds a NUL byte`},
	} {
		t.Run(test.name, func(t *testing.T) {
			s := onStage(t, "")
			s.Argv, s.Command.Dir, s.Env = test.argv, test.dir, []string{"PATH=.::" + dir + "/bin:/bin"}
			_, err := s.supervisor.Run(context.Background(), s.Command)
			if !errors.Is(err, proc.ErrNotStarted) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("got %v, want %s", err, test.want)
			}
		})
	}
	env := []string{"PATH=" + dir + "/bin:/bin"}
	if got, err := proc.LookPath("good", dir, env); got != filepath.Join(dir, "bin", "good") || err != nil {
		t.Errorf("the good one is at %q, %v", got, err)
	}
	if _, err := proc.LookPath("plain", dir, env); !errors.Is(err, proc.ErrNotStarted) {
		t.Errorf("the plain one: %v", err)
	}
	s := onStage(t, "")
	s.Argv, s.Env = []string{"good"}, env
	if s.run(); s.output() != "good\n" {
		t.Errorf("the good one printed %q", s.output())
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	for _, test := range []struct {
		want   string
		change func(*proc.Command)
	}{
		{"open standard input: ", func(c *proc.Command) { c.Stdin = "/nowhere/in" }},
		{"open output: ", func(c *proc.Command) { c.Stdout = "/nowhere/out" }},
		{"open output: ", func(c *proc.Command) { c.Stderr = c.Dir }},
		{"no program given", func(c *proc.Command) { c.Argv = nil }},
		{"no working directory given", func(c *proc.Command) { c.Dir = "" }},
		{"no output file given", func(c *proc.Command) { c.Stdout = "" }},
		{"no marker given", func(c *proc.Command) { c.Marker = "" }},
		{"a limit is negative", func(c *proc.Command) { c.Timeout = -1 }},
	} {
		s := onStage(t, "print")
		test.change(&s.Command)
		_, err := s.supervisor.Run(context.Background(), s.Command)
		if err == nil || !strings.Contains(err.Error(), test.want) || errors.Is(err, proc.ErrNotStarted) {
			t.Errorf("got %v, want %s", err, test.want)
		}
	}
}
