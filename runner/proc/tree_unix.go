//go:build unix

package proc

import (
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

// tree is a started program and everything that came from it.
type tree struct {
	pid  int
	exit chan int         // gets the program's exit code once
	gone chan struct{}    // closed when no descendant of ours is left; nil where the system does not tell
	due  <-chan time.Time // when the tree is to be looked at while it runs; nil where that is of no use
	hunt *hunt
}

// apart gives the supervisor a session of its own: no terminal, and no signals from one.
func apart(cmd *exec.Cmd) { cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} }

// endingSignals returns the signals that ask a supervisor to end; others that would end it are dropped.
func endingSignals() <-chan os.Signal {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP, syscall.SIGQUIT)
	// Caught and not ignored: an ignored signal would be ignored by the program too.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE, syscall.SIGUSR1, syscall.SIGUSR2, syscall.SIGALRM)
	return ended
}

// plant starts c's program as the leader of a process group in our session, which has no terminal.
func plant(c Command, files []*os.File) (*tree, error) {
	if err := c.checkDir(); err != nil {
		return nil, err
	}
	path, err := c.program()
	if err != nil {
		return nil, err
	}
	p, err := os.StartProcess(path, c.Argv, &os.ProcAttr{Dir: c.Dir, Env: c.Env, Files: files, Sys: ownGroup()})
	if err != nil {
		return nil, c.refused(path, err)
	}
	t := &tree{pid: p.Pid, exit: make(chan int, 1), hunt: newHunt(c.Marker)}
	t.hunt.root, t.hunt.session = os.Getpid(), os.Getpid()
	t.reap(p)
	return t, nil
}

// look looks at what is left of the tree.
func (t *tree) look() sight {
	members, err := t.hunt.members()
	if err != nil {
		// Without a process table what we know is the group, and on Linux when our last descendant is gone.
		return sight{empty: t.isGone() || syscall.Kill(-t.pid, 0) != nil}
	}
	return sight{count: len(members), empty: len(members) == 0 && (t.isGone() || len(t.hunt.beyond) > 0)}
}

// isGone says whether the system knows of no descendant of ours.
func (t *tree) isGone() bool { return t.gone == nil || isClosed(t.gone) }

// childless waits for at most d until the system says that no descendant of ours is left. It returns false where the system does not tell.
func (t *tree) childless(d time.Duration) bool {
	if t.gone == nil || !orphansAreOurs {
		return false
	}
	select {
	case <-t.gone:
		return true
	case <-time.After(d):
		return false
	}
}

// term asks every process of the tree once to end.
func (t *tree) term() {
	members, err := t.hunt.members()
	if err != nil {
		_ = syscall.Kill(-t.pid, syscall.SIGTERM)
		_ = syscall.Kill(-t.pid, syscall.SIGCONT)
	}
	t.hunt.term(members)
}

// kill kills every process of the tree and returns how many of them were not seen before.
func (t *tree) kill() int {
	if members, err := t.hunt.members(); err != nil || grouped(members, t.pid) {
		_ = syscall.Kill(-t.pid, syscall.SIGKILL) // all at once: nothing in the group can fork meanwhile
	}
	return t.hunt.kill()
}

// grouped says whether one of members is in the group: then its number is no other's.
func grouped(members []process, group int) bool {
	for _, p := range members {
		if p.group == group {
			return true
		}
	}
	return false
}

// left names what could not be ended; empty when all was.
func (t *tree) left() string { return t.hunt.left() }

// exitCode is what a shell would call the code of a program that ended so.
func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

// sum adds up the CPU time of the supervisor's descendants, and of those that are gone and were waited for.
func sum(all []process, root int) time.Duration {
	below := descendants(all, root)
	var used time.Duration
	for _, p := range all {
		switch {
		case p.pid == root:
			used += p.children
		case below[p.pid]:
			used += p.cpu + p.children
		}
	}
	return used
}
