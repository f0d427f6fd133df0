package main

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// leaving is what the agents, verify and hooks of these loops do: they leave processes of all kinds behind, which ignore
// every polite signal.
const leaving = `*: daemon ../%[1]s-daemon
*: orphan ../%[1]s-orphan
*: bare ../%[1]s-bare
*: sh (trap '' TERM INT HUP; exec sleep 1000) </dev/null >/dev/null 2>&1 &
`

// ending is a way in which a loop comes to its end, or its process.
type ending struct {
	agent  string           // lines of the agent, after it has left its processes; empty: it waits for the file ../go
	flags  []string         // more flags of start
	typed  []string         // first words of what is typed at a terminal; empty: git-ralph is started without one
	end    func(*endingLab) // brings the end about once the agent waits; nil: it comes by itself
	after  func(*endingLab) // what the user does then; nil: nothing
	status int              // exit status of the loop's process
	later  bool             // the processes go after that process, not before
}

// endingLab is a lab for one ending.
type endingLab struct {
	*killLab
	loop   *exec.Cmd
	done   <-chan struct{}
	ours   *os.File  // our side of the loop's terminal; nil: it has none
	pushed time.Time // when Ctrl-C was pressed last
}

// TestNothingIsLeftBehind counts the processes that carry the loop's marker after every kind of end: none.
func TestNothingIsLeftBehind(t *testing.T) {
	t.Parallel()
	for name, e := range endings() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := &endingLab{killLab: &killLab{lab: newLab(t)}}
			l.setUp(e)
			l.start(e)
			if e.end != nil {
				l.eventually("the agent waits", func() bool { return fileExists(l.work + "/waits") })
				if n := len(carriers("GIT_RALPH_MARKER=" + l.read("marker"))); n < 5 {
					t.Errorf("%d processes carry the marker while the agent runs, want at least 5", n)
				}
				e.end(l)
			}
			l.await()
			if got := l.loop.ProcessState.ExitCode(); got != e.status {
				t.Errorf("status %d, want %d\n%s", got, e.status, l.read("talk"))
			}
			if e.after != nil {
				e.after(l)
			}
			if e.later {
				l.eventually("the processes go", func() bool { return len(carriers("GIT_RALPH_MARKER="+l.read("marker"))) == 0 })
			}
			l.checkMarker()
		})
	}
}

func endings() map[string]ending {
	free := func(l *endingLab) { l.write("go", "") }
	kill := func(l *endingLab) { l.signalLoop("KILL") }
	killBoth := func(l *endingLab) { // the loop must not see it
		l.signalLoop("STOP")
		l.signalSupervisor("KILL")
		kill(l)
	}
	once := func(l *endingLab) { l.ctrlC("Ctrl-C again ends it now"); free(l) }
	twice := func(l *endingLab) { l.ctrlC("Ctrl-C again ends it now"); l.ctrlC("ending the iteration now") }
	one := []string{"-m", "1"}
	return map[string]ending{
		"done":         {agent: "1: promise COMPLETE\n"},
		"limit":        {agent: "1: say more\n", flags: one, status: 3},
		"failing":      {agent: "*: exit 1\n", flags: []string{"--max-failures", "1"}, status: 1},
		"blocked":      {agent: "1: say <blocked>no key</blocked>\n", status: 3},
		"timeout":      {agent: "1: ignore-term\n1: forever\n", flags: []string{"--timeout", "1s", "-m", "1"}, status: 3},
		"verify hangs": {agent: "1: promise COMPLETE\n", flags: []string{"--verify", "sleep 1000", "--verify-timeout", "1s", "-m", "1"}, status: 3},
		"cancel":       {end: func(l *endingLab) { l.ralph(0, "cancel"); free(l) }, status: 130},
		"cancel --now": {end: func(l *endingLab) { l.ralph(0, "cancel", "--now") }, status: 130},
		"pause":        {end: func(l *endingLab) { l.ralph(0, "pause"); free(l) }, status: 3},
		"TERM":         {end: func(l *endingLab) { l.signalLoop("TERM") }, status: 3},
		"HUP":          {end: func(l *endingLab) { l.signalLoop("HUP") }, status: 3},

		"kill -9 of the loop":       {end: kill, status: -1, later: true},
		"kill -9 of the supervisor": {end: func(l *endingLab) { l.signalSupervisor("KILL") }, flags: one, status: 3},
		"TERM of the supervisor":    {end: func(l *endingLab) { l.signalSupervisor("TERM") }, flags: one, status: 3},
		"kill -9 of both, resume":   {end: killBoth, flags: one, status: -1, after: func(l *endingLab) { l.ralph(3, "resume", "x") }},
		"kill -9 of both, cancel":   {end: killBoth, status: -1, after: func(l *endingLab) { l.ralph(0, "cancel", "x") }},

		"Ctrl-C":       {typed: []string{"git-ralph"}, end: once, status: 130},
		"Ctrl-C twice": {typed: []string{"git-ralph"}, end: twice, status: 130},
		// git dies of the Ctrl-C itself, once we have ended.
		"Ctrl-C under git":       {typed: []string{"git", "ralph"}, end: once, status: -1},
		"Ctrl-C twice under git": {typed: []string{"git", "ralph"}, end: twice, status: -1},
		"a closed terminal":      {typed: []string{"git-ralph"}, end: func(l *endingLab) { _ = l.ours.Close() }, status: 3},
	}
}

// setUp writes the scripts of agent, verify and hooks.
func (l *endingLab) setUp(e ending) {
	l.t.Helper()
	l.write("verify", fmt.Sprintf(leaving, "verify"))
	for _, hook := range []string{"ralph-pre-iteration", "ralph-post-iteration"} {
		l.write(hook, fmt.Sprintf(leaving, hook))
		l.write("repo/.git/hooks/"+hook, "#!/bin/sh\nexec fake-agent ../"+hook+"\n")
	}
	if e.agent == "" {
		e.agent = "1: ignore-term\n1: write ../waits yes\n1: await ../go\n"
	}
	l.write("agent", "1: sh printf %s \"$GIT_RALPH_MARKER\" > ../marker\n*: write file $N\n"+fmt.Sprintf(leaving, "agent")+e.agent)
}

// start starts the loop, on a terminal where it is to be typed.
func (l *endingLab) start(e ending) {
	l.t.Helper()
	args := append([]string{"start", "Do it", "--name", "x", "--grace", "100ms", "--command", "fake-agent ../agent",
		"--verify", "fake-agent ../verify", "--verify-when", "always"}, e.flags...)
	if len(e.typed) == 0 {
		l.loop, l.done = l.begin(nil, "", args...)
		return
	}
	theirs := l.terminal()
	l.loop = l.command(nil, e.typed[0], append(e.typed[1:], args...)...)
	l.loop.Stdin, l.loop.Stdout, l.loop.Stderr = theirs, theirs, theirs
	l.loop.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := l.loop.Start(); err != nil {
		l.t.Fatal(err)
	}
	_ = theirs.Close()
	done := make(chan struct{})
	l.done = done
	go func() {
		_ = l.loop.Wait()
		close(done)
	}()
}

// terminal opens a terminal whose screen is written down like other talk, and returns the program's side of it.
func (l *endingLab) terminal() *os.File {
	l.t.Helper()
	ours, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		l.t.Skipf("no terminals here: %v", err)
	}
	raw, err := ours.SyscallConn()
	if err != nil {
		l.t.Fatal(err)
	}
	var number int
	var unlocked, asked error
	if err := raw.Control(func(fd uintptr) {
		unlocked = unix.IoctlSetPointerInt(int(fd), unix.TIOCSPTLCK, 0)
		number, asked = unix.IoctlGetInt(int(fd), unix.TIOCGPTN)
	}); err != nil || unlocked != nil || asked != nil {
		l.t.Fatal(err, unlocked, asked)
	}
	theirs, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		l.t.Skipf("no terminals here: %v", err)
	}
	screen, err := os.Create(filepath.Join(l.work, "talk"))
	if err != nil {
		l.t.Fatal(err)
	}
	go func() {
		_, _ = io.Copy(screen, ours) // ends with an error when nobody has the other side
		_ = screen.Close()
	}()
	l.t.Cleanup(func() { _ = ours.Close() })
	l.ours = ours
	return theirs
}

// ctrlC types Ctrl-C, over a second after the last one, and waits for the answer on the screen.
func (l *endingLab) ctrlC(answer string) {
	l.t.Helper()
	<-time.After(time.Until(l.pushed.Add(1100 * time.Millisecond))) // a second one is only what comes so late
	l.pushed = time.Now()
	if _, err := l.ours.WriteString("\x03"); err != nil {
		l.t.Fatal(err)
	}
	l.eventually(answer, func() bool { return strings.Contains(l.read("talk"), answer) })
}

func (l *endingLab) signalLoop(name string) {
	l.t.Helper()
	if err := sendSignal(l.loop.Process.Pid, name, false); err != nil {
		l.t.Fatal(err)
	}
}

// signalSupervisor finds the supervisor of the agent and sends it a signal.
func (l *endingLab) signalSupervisor(name string) {
	l.t.Helper()
	supervisors := 0
	for _, line := range carriers("GIT_RALPH_MARKER=" + l.read("marker")) {
		pid, err := strconv.Atoi(line[:strings.IndexByte(line, ' ')])
		if err != nil {
			l.t.Fatal(err)
		}
		environ, _ := os.ReadFile(fmt.Sprintf("/proc/%d/environ", pid))
		if !strings.Contains("\x00"+string(environ), "\x00GIT_RALPH_SUPERVISOR=") {
			continue
		}
		supervisors++
		if err := sendSignal(pid, name, false); err != nil {
			l.t.Fatal(err)
		}
	}
	if supervisors != 1 {
		l.t.Fatalf("%d supervisors, want 1", supervisors)
	}
}

// await waits for the end of the loop's process.
func (l *endingLab) await() {
	l.t.Helper()
	select {
	case <-l.done:
	case <-time.After(patience):
		l.signalLoop("KILL")
		l.t.Fatalf("the loop does not end\n%s", l.read("talk"))
	}
}
