package proc

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ownGroup gives the program a process group of its own, and ends it at once should the supervisor be killed when
// there may be nobody left to do it.
func ownGroup() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL}
}

// orphansAreOurs says that this process is a supervisor which every orphan below it comes to.
var orphansAreOurs bool

// becomeSupervisor makes orphans our children, so that no descendant gets out of sight. The name keeps a
// killall of ours from killing parent and supervisor at once.
func becomeSupervisor(marker string) {
	orphansAreOurs = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) == nil // where it fails, marker and session still tell
	putLimit(marker)
	_ = os.WriteFile("/proc/self/comm", []byte("ralph-superv"), 0)
}

// reap takes note of every child that ends, ours or adopted, until there is none.
func (t *tree) reap(program *os.Process) {
	t.gone = make(chan struct{})
	_ = program.Release()
	go func() {
		defer close(t.gone)
		for {
			var status syscall.WaitStatus
			pid, err := syscall.Wait4(-1, &status, 0, nil)
			switch {
			case errors.Is(err, syscall.EINTR):
			case err != nil:
				return // no child, so no descendant either
			case pid == t.pid:
				t.exit <- exitCode(status)
			}
		}
	}()
}

// cpu returns the CPU time that the tree has used so far.
func (t *tree) cpu() (time.Duration, error) {
	all, err := processes(nil)
	if err != nil {
		return 0, err
	}
	return sum(all, os.Getpid()), nil
}

// widen makes a pipe hold more, so that the program and its reader wake each other less often.
func widen(pipe *os.File) {
	raw, err := pipe.SyscallConn()
	if err != nil {
		return
	}
	_ = raw.Control(func(fd uintptr) { _, _ = unix.FcntlInt(fd, unix.F_SETPIPE_SZ, 1<<20) })
}
