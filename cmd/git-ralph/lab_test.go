package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// lab is a repository to try the whole program in, for what a script cannot say.
type lab struct {
	t    *testing.T
	work string   // holds everything
	repo string   // the repository, with one commit
	env  []string // of every program

	dress func(*exec.Cmd) // changes every program before it starts; nil: does not
}

// newLab makes a repository in a directory of its own, with the same surroundings as a script has.
func newLab(t *testing.T) *lab {
	t.Helper()
	work := t.TempDir()
	l := &lab{t: t, work: work, repo: filepath.Join(work, "repo")}
	home := filepath.Join(work, "home")
	for _, dir := range []string{l.repo, home} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	l.write("home/.gitconfig", scriptConfig)
	l.env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + home, "WORK=" + work, "TMPDIR=" + work, "LC_ALL=C.UTF-8", "NO_COLOR=1", "TZ=UTC", "GORACE=" + os.Getenv("GORACE"),
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + filepath.Join(home, ".gitconfig"), "GIT_CEILING_DIRECTORIES=" + work}
	l.write("repo/readme", "hello\n")
	l.git("init", "-q")
	l.git("add", "-A")
	l.git("commit", "-q", "-m", "Begin")
	t.Cleanup(func() {
		if left := carriers("WORK=" + work); len(left) > 0 {
			t.Errorf("processes are left:\n%s", strings.Join(left, "\n"))
		}
	})
	return l
}

// write writes a file; its path is from the lab's directory.
func (l *lab) write(file, text string) {
	l.t.Helper()
	if err := os.MkdirAll(filepath.Dir(filepath.Join(l.work, file)), 0o777); err != nil {
		l.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(l.work, file), []byte(text), 0o777); err != nil {
		l.t.Fatal(err)
	}
}

// rm removes a file.
func (l *lab) rm(file string) {
	l.t.Helper()
	if err := os.Remove(filepath.Join(l.work, file)); err != nil {
		l.t.Fatal(err)
	}
}

// read reads a file, which may be missing.
func (l *lab) read(file string) string {
	l.t.Helper()
	text, err := os.ReadFile(filepath.Join(l.work, file))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		l.t.Fatal(err)
	}
	return string(text)
}

// command prepares a program in the repository, with more variables in its environment.
func (l *lab) command(env []string, program string, args ...string) *exec.Cmd {
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = l.repo, append(append([]string(nil), l.env...), env...)
	if l.dress != nil {
		l.dress(cmd)
	}
	return cmd
}

// run runs a program and returns its output and exit status.
func (l *lab) run(env []string, program string, args ...string) (stdout, stderr string, status int) {
	l.t.Helper()
	var out, talk bytes.Buffer
	cmd := l.command(env, program, args...)
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	if e, ok := errors.AsType[*exec.ExitError](err); ok {
		status = e.ExitCode()
	} else if err != nil {
		l.t.Fatalf("%s %q: %v", program, args, err)
	}
	return out.String(), talk.String(), status
}

// ralph runs git-ralph, which must end with the status, and returns its answer.
func (l *lab) ralph(want int, args ...string) string {
	l.t.Helper()
	stdout, stderr, status := l.run(nil, "git-ralph", args...)
	if status != want {
		l.t.Fatalf("git-ralph %q: status %d, want %d\n%s%s", args, status, want, stdout, stderr)
	}
	return stdout
}

// git runs git, which must do its work, and returns its answer without the last newline.
func (l *lab) git(args ...string) string {
	l.t.Helper()
	stdout, stderr, status := l.run(nil, "git", args...)
	if status != 0 {
		l.t.Fatalf("git %q: status %d\n%s", args, status, stderr)
	}
	return strings.TrimSuffix(stdout, "\n")
}

// eventually waits until a condition holds; it must.
func (l *lab) eventually(what string, holds func() bool) {
	l.t.Helper()
	for deadline := time.Now().Add(patience); !holds(); {
		if time.Now().After(deadline) {
			l.t.Fatalf("waited in vain: %s", what)
		}
		<-time.After(5 * time.Millisecond)
	}
}
