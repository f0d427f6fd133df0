package main

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// screen is a real terminal that somebody sits at: one of tmux's, with a shell in it.
type screen struct {
	l      *lab
	socket string
}

// newScreen opens a terminal in the lab's repository, of so many columns and lines. The test is skipped where there is no tmux.
func newScreen(l *lab, width, height int) *screen {
	l.t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		l.t.Skip("tmux is missing")
	}
	s := &screen{l: l, socket: filepath.Join(l.work, "tmux")}
	l.env = append(l.env, "PS1=$ ", "ENV=", "SHELL=/bin/sh")
	s.tmux("-f", "/dev/null", "new-session", "-d", "-x", strconv.Itoa(width), "-y", strconv.Itoa(height), "sh")
	server := s.tmux("display-message", "-p", "#{pid}")
	l.t.Cleanup(func() {
		s.tmux("kill-server")
		l.eventually("tmux ends", func() bool { return exec.Command("kill", "-0", server).Run() != nil })
	})
	s.await("the shell's prompt", func(text string) bool { return strings.HasPrefix(text, "$") })
	return s
}

// tmux gives tmux an order and returns its answer.
func (s *screen) tmux(args ...string) string {
	s.l.t.Helper()
	out, stderr, status := s.l.run(nil, "tmux", append([]string{"-S", s.socket}, args...)...)
	if status != 0 {
		s.l.t.Fatalf("tmux %q: status %d\n%s", args, status, stderr)
	}
	return strings.TrimRight(out, "\n")
}

// text is what is on the screen, without what is empty below and at the ends of lines.
func (s *screen) text() string {
	s.l.t.Helper()
	return s.tmux("capture-pane", "-p")
}

// keys presses keys: names as tmux has them, or characters.
func (s *screen) keys(names ...string) {
	s.l.t.Helper()
	s.tmux(append([]string{"send-keys"}, names...)...)
}

// types types a line and ends it.
func (s *screen) types(line string) {
	s.l.t.Helper()
	s.tmux("send-keys", "-l", line)
	s.keys("Enter")
}

// await waits until what is on the screen is as it shall be, and returns it.
func (s *screen) await(what string, holds func(text string) bool) string {
	s.l.t.Helper()
	var text string
	for deadline := time.Now().Add(patience); ; <-time.After(20 * time.Millisecond) {
		if text = s.text(); holds(text) {
			return text
		}
		if time.Now().After(deadline) {
			s.l.t.Fatalf("waited in vain: %s; the screen is\n%s", what, text)
		}
	}
}

// shows waits until all of these are on the screen.
func (s *screen) shows(words ...string) string {
	s.l.t.Helper()
	return s.await("the screen shows "+strings.Join(words, ", "), func(text string) bool {
		for _, w := range words {
			if !strings.Contains(text, w) {
				return false
			}
		}
		return true
	})
}

// screenNoise is what differs on a screen from run to run.
var screenNoise = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`process +\d+ in .*`), "process   <pid>"},
	{regexp.MustCompile(`\b[0-9a-f]{10}\b`), "<id>"},
	{regexp.MustCompile(`\d\d:\d\d:\d\d to \d\d:\d\d:\d\d, .*`), "<time>"},
	{regexp.MustCompile(`just now|\b\d+[sm] ago`), "<ago>"},
	{regexp.MustCompile(` *\b\d+(\.\d)?[ms](\d\ds)?\b`), " <time>"},
}

// is waits until the screen is this one, noise aside.
func (s *screen) is(want string) {
	s.l.t.Helper()
	want = strings.Trim(want, "\n")
	var got string
	for deadline := time.Now().Add(patience); ; <-time.After(20 * time.Millisecond) {
		got = masked(s.text())
		if got == want {
			return
		}
		if time.Now().After(deadline) {
			s.l.t.Fatalf("the screen is\n%s\n\nwant\n%s", got, want)
		}
	}
}

// masked is what is on a screen without its noise.
func masked(text string) string {
	for _, noise := range screenNoise {
		text = noise.pattern.ReplaceAllString(text, noise.instead)
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(line, " ")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

// background starts git-ralph beside the test, which waits for its end in the end.
func (l *lab) background(args ...string) {
	l.t.Helper()
	cmd := l.command(nil, "git-ralph", args...)
	if err := cmd.Start(); err != nil {
		l.t.Fatal(err)
	}
	l.t.Cleanup(func() { _ = cmd.Wait() })
}

// TestMasked makes sure that a mask hides no more than it shall.
func TestMasked(t *testing.T) {
	got := masked("greet   running 12s   iteration 2 executing 1m05s\n   2  completed    0.3s     0  +1   \n")
	if want := "greet   running <time>   iteration 2 executing <time>\n   2  completed <time>     0  +1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
