package proc

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// tree is a started program and everything that came from it: the members of the supervisor's job object but itself.
// The job ends with the supervisor, so nothing outlives that.
type tree struct {
	pid  int
	exit chan int         // gets the program's exit code once
	due  <-chan time.Time // nil: the job tells all
	job  windows.Handle
	seen map[uint32]bool
}

// apart gives the supervisor a hidden console of its own: Ctrl-C at the parent's does not reach it.
func apart(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP | windows.CREATE_NO_WINDOW}
}

// becomeSupervisor does nothing: the job is made with the tree.
func becomeSupervisor(string) {}

// endingSignals returns what asks a supervisor to end.
func endingSignals() <-chan os.Signal {
	ended := make(chan os.Signal, 1)
	signal.Notify(ended, syscall.SIGTERM)
	return ended
}

// plant starts c's program in a job.
func plant(c Command, files []*os.File) (*tree, error) {
	if err := c.checkDir(); err != nil {
		return nil, err
	}
	path, err := c.program()
	if err != nil {
		return nil, err
	}
	job, err := ownJob()
	if err != nil {
		return nil, fmt.Errorf("make job object: %w", err)
	}
	p, err := os.StartProcess(path, c.Argv, &os.ProcAttr{Dir: c.Dir, Env: c.Env, Files: files,
		Sys: &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}})
	if err != nil {
		return nil, c.refused(path, err)
	}
	t := &tree{pid: p.Pid, exit: make(chan int, 1), job: job, seen: map[uint32]bool{}}
	go func() {
		state, err := p.Wait()
		if err != nil {
			t.exit <- -1
			return
		}
		t.exit <- state.ExitCode()
	}()
	return t, nil
}

// ownJob puts this process into a job that ends with it. What it starts from then on is in the job too.
func ownJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, err
	}
	var limits windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	limits.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation,
		uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		err = windows.AssignProcessToJobObject(job, windows.CurrentProcess())
	}
	if err != nil {
		return 0, errors.Join(err, windows.CloseHandle(job))
	}
	return job, nil
}

// members returns the numbers of the job's processes but our own. A job of more is shown in parts.
func (t *tree) members() []uint32 {
	var list struct {
		Assigned, Listed uint32
		Processes        [4096]uintptr
	}
	err := windows.QueryInformationJobObject(t.job, windows.JobObjectBasicProcessIdList,
		uintptr(unsafe.Pointer(&list)), uint32(unsafe.Sizeof(list)), nil)
	if err != nil && !errors.Is(err, windows.ERROR_MORE_DATA) {
		return nil
	}
	var pids []uint32
	for _, pid := range list.Processes[:list.Listed] {
		if uint32(pid) != windows.GetCurrentProcessId() {
			pids = append(pids, uint32(pid))
		}
	}
	return pids
}

// childless says that the job is to be asked: that costs little.
func (t *tree) childless(time.Duration) bool { return false }

// look looks at what is left of the tree.
func (t *tree) look() sight {
	n := len(t.members())
	return sight{count: n, empty: n == 0}
}

// term asks the program's process group to end.
func (t *tree) term() { _ = windows.GenerateConsoleCtrlEvent(windows.CTRL_BREAK_EVENT, uint32(t.pid)) }

// kill ends every process of the tree and returns how many of them were not seen before.
func (t *tree) kill() int {
	fresh := 0
	for _, pid := range t.members() {
		if !t.seen[pid] {
			t.seen[pid] = true
			fresh++
		}
		process, err := windows.OpenProcess(windows.PROCESS_TERMINATE, false, pid)
		if err != nil {
			continue
		}
		_ = windows.TerminateProcess(process, 1)
		_ = windows.CloseHandle(process)
	}
	return fresh
}

// isGone says that more commands in the same job are out of the question.
func (t *tree) isGone() bool { return false }

// left names what could not be ended; empty when all was.
func (t *tree) left() string {
	var all []string
	for _, pid := range t.members() {
		all = append(all, fmt.Sprint(pid))
	}
	return strings.Join(all, ", ")
}

// cpu returns the CPU time of the job so far. The supervisor's own is in it, and small.
func (t *tree) cpu() (time.Duration, error) {
	var account struct {
		User, Kernel, PeriodUser, PeriodKernel int64
		PageFaults, Processes, Active, Ended   uint32
	}
	err := windows.QueryInformationJobObject(t.job, windows.JobObjectBasicAccountingInformation,
		uintptr(unsafe.Pointer(&account)), uint32(unsafe.Sizeof(account)), nil)
	return time.Duration(account.User+account.Kernel) * 100, err
}

// widen does nothing: the system sizes its pipes itself.
func widen(*os.File) {}
