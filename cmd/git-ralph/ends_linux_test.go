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
	verify string           // lines of verify, after it has left its own
	hook   string           // lines of the hook after an iteration, after it has left its own
	plan   bool             // there is a plan of one task, and the loop works through it
	flags  []string         // more flags of start
	typed  []string         // first words of what is typed at a terminal; empty: git-ralph is started without one
	end    func(*endingLab) // brings the end about once the agent, verify or hook waits; nil: it comes by itself
	waits  string           // what the loop says on the screen when it waits itself; empty: it does not
	after  func(*endingLab) // what the user does then; nil: nothing
	status int              // exit status of the loop's process
	later  bool             // the processes go after that process, not before
}

// endingLab is a lab for one ending.
type endingLab struct {
	*killLab
	loop  *exec.Cmd
	done  <-chan struct{}
	ours  *os.File  // our side of the loop's terminal; nil: it has none
	heard time.Time // when Ctrl-C was answered last
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
				l.awaitWait(e)
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

// awaitWait waits until the agent, verify or a hook waits, whose processes are there then, or the loop itself, when none are left.
func (l *endingLab) awaitWait(e ending) {
	l.t.Helper()
	if e.waits != "" {
		l.eventually(e.waits, func() bool { return strings.Contains(l.read("talk"), e.waits) })
		return
	}
	l.eventually("it waits", func() bool { return fileExists(l.work + "/waits") })
	if n := len(carriers("GIT_RALPH_MARKER=" + l.read("marker"))); n < 5 {
		l.t.Errorf("%d processes carry the marker, want at least 5", n)
	}
}

// setUp writes the scripts of agent, verify and hooks.
func (l *endingLab) setUp(e ending) {
	l.t.Helper()
	l.write("verify", fmt.Sprintf(leaving, "verify")+e.verify)
	for hook, more := range map[string]string{"ralph-pre-iteration": "", "ralph-post-iteration": e.hook} {
		l.write(hook, fmt.Sprintf(leaving, hook)+more)
		l.write("repo/.git/hooks/"+hook, "#!/bin/sh\nexec fake-agent ../"+hook+"\n")
	}
	if e.agent == "" {
		e.agent = waiting
	}
	for name, said := range tellers() {
		l.write(name+"/claude", "#!/bin/sh\ncat >/dev/null\nfake-agent ../agent >/dev/null\n"+said+"\nexit 1\n")
	}
	if e.plan {
		l.write("repo/.scud/tasks/tasks.scg", "# SCUD Graph v1\n# Phase: shop\n\n@meta {\n  name shop\n}\n\n@nodes\n1 | Task | P | 1 | M\n")
		l.git("add", "-A")
		l.git("commit", "-q", "-m", "Plan")
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

// ctrlC types Ctrl-C, over a second after the last one was answered, and waits for the answer on the screen.
func (l *endingLab) ctrlC(answer string) {
	l.t.Helper()
	<-time.After(time.Until(l.heard.Add(1100 * time.Millisecond))) // a second one is only what comes so late
	if _, err := l.ours.WriteString("\x03"); err != nil {
		l.t.Fatal(err)
	}
	l.eventually(answer, func() bool { return strings.Contains(l.read("talk"), answer) })
	l.heard = time.Now()
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
