package proc

import (
	"os"
	"syscall"
	"time"
)

// ownGroup gives the program a process group of its own.
func ownGroup() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setpgid: true} }

// orphansAreOurs says that orphans come to the supervisor: here they come to the system's first process.
const orphansAreOurs = false

// becomeSupervisor does nothing: the system has no subreapers.
func becomeSupervisor(string) {}

// reap takes note of the program's end. Orphans are the system's, so the tree is looked at now and then: what was seen
// once is known later, when its descent no longer tells.
func (t *tree) reap(program *os.Process) {
	t.due = time.Tick(time.Second)
	go func() {
		state, err := program.Wait()
		if err != nil {
			t.exit <- -1
			return
		}
		status, _ := state.Sys().(syscall.WaitStatus)
		t.exit <- exitCode(status)
	}()
}

// cpu returns the CPU time that the tree has used so far.
func (t *tree) cpu() (time.Duration, error) {
	all, err := processes(nil)
	if err != nil {
		return 0, err
	}
	used, err := cpuTimes()
	if err != nil {
		return 0, err
	}
	for i := range all {
		all[i].cpu = used[all[i].pid]
	}
	return sum(all, os.Getpid()), nil
}

// widen does nothing: the system sizes its pipes itself.
func widen(*os.File) {}
