package proc

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// zombie is the state of a process that only waits for its parent to take note.
const zombie = 5

// processes reads the process table, the youngest first, and gives each to visit, which may be nil.
func processes(visit func(process)) ([]process, error) {
	table, err := unix.SysctlKinfoProcSlice("kern.proc.all")
	if err != nil {
		return nil, err
	}
	all := make([]process, 0, len(table))
	for i := range table {
		all = append(all, toProcess(&table[i]))
	}
	slices.SortFunc(all, func(a, b process) int { return b.pid - a.pid })
	for _, p := range all {
		if visit != nil {
			visit(p)
		}
	}
	return all, nil
}

// readProcess returns the process of this number.
func readProcess(pid int) (process, error) {
	line, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return process{}, err
	}
	return toProcess(line), nil
}

// toProcess reads a line of the process table.
func toProcess(line *unix.KinfoProc) process {
	pid := int(line.Proc.P_pid)
	p := process{
		pid: pid, parent: int(line.Eproc.Ppid), group: int(line.Eproc.Pgid), dead: line.Proc.P_stat == zombie,
		start: uint64(line.Proc.P_starttime.Sec)*1e6 + uint64(line.Proc.P_starttime.Usec),
	}
	if session, err := unix.Getsid(pid); err == nil {
		p.session = session
	}
	return p
}

// carries says whether the environment that the process was started with holds entry. Of the system's own programs
// it is not to be seen.
func carries(pid int, entry string) bool {
	// The number of arguments, the program's path, NULs, the arguments, the environment.
	block, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(block) < 4 {
		return false
	}
	count := int(binary.NativeEndian.Uint32(block))
	_, rest, _ := bytes.Cut(block[4:], []byte{0})
	rest = bytes.TrimLeft(rest, "\x00")
	for text := range bytes.SplitSeq(rest, []byte{0}) {
		if count > 0 {
			count--
			continue
		}
		if string(text) == entry {
			return true
		}
	}
	return false
}

// cpuTimes returns the CPU time of every process with its ended children, as ps tells it.
func cpuTimes() (map[int]time.Duration, error) {
	out, err := exec.Command("/bin/ps", "-S", "-A", "-o", "pid=,time=").Output()
	if err != nil {
		return nil, fmt.Errorf("read CPU times: %w", err)
	}
	used := map[int]time.Duration{}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		if len(fields) != 2 {
			continue
		}
		pid, err := strconv.Atoi(fields[0])
		if err != nil {
			continue
		}
		if used[pid], err = parseTime(fields[1]); err != nil {
			return nil, err
		}
	}
	return used, nil
}

// parseTime reads [[hours:]minutes:]seconds.
func parseTime(text string) (time.Duration, error) {
	var total float64
	for part := range strings.SplitSeq(text, ":") {
		n, err := strconv.ParseFloat(part, 64)
		if err != nil {
			return 0, errors.New("read CPU times: no time: " + strconv.Quote(text))
		}
		total = total*60 + n
	}
	return time.Duration(total * float64(time.Second)), nil
}
