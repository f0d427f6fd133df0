package proc

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// clockTick is the unit of the times in /proc/*/stat, the same on every processor that Go runs on.
const clockTick = time.Second / 100

// processes reads the process table, the youngest first, and gives each to visit, which may be nil, as soon as it is
// read. What ends meanwhile is left out.
func processes(visit func(process)) ([]process, error) {
	pids, err := pids()
	if err != nil {
		return nil, err
	}
	all := make([]process, 0, len(pids))
	for _, pid := range slices.Backward(pids) {
		p, err := readProcess(pid)
		if err != nil {
			continue
		}
		all = append(all, p)
		if visit != nil {
			visit(p)
		}
	}
	return all, nil
}

// pids returns the numbers of all processes, the least first.
func pids() ([]int, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	var pids []int
	for _, name := range names {
		if pid, err := strconv.Atoi(name); err == nil {
			pids = append(pids, pid)
		}
	}
	slices.Sort(pids)
	return pids, nil
}

// kernelThread is the flag of a thread of the kernel's own.
const kernelThread = 0x00200000

// readProcess returns the process of this number.
func readProcess(pid int) (process, error) {
	var line [1024]byte
	stat, err := readProc(pid, "stat", line[:])
	if err != nil {
		return process{}, err
	}
	return parseStat(stat)
}

// readProc reads a file of a process into a buffer, which grows when it is full. Many are read, one after the other, so it makes no more calls than it must.
func readProc(pid int, name string, buffer []byte) ([]byte, error) {
	fd, err := unix.Open("/proc/"+strconv.Itoa(pid)+"/"+name, unix.O_RDONLY|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(fd)
	for length := 0; ; {
		n, err := unix.Read(fd, buffer[length:])
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case err != nil:
			return nil, err
		}
		if length += n; length < len(buffer) { // the kernel gives all that there is
			return buffer[:length], nil
		}
		buffer = append(buffer, make([]byte, len(buffer))...)
	}
}

// parseStat reads a line of /proc/<pid>/stat. The second field, the name, may hold anything.
func parseStat(stat []byte) (process, error) {
	first, _, named := bytes.Cut(stat, []byte(" ("))
	nameEnd := bytes.LastIndexByte(stat, ')')
	if !named || nameEnd < 0 {
		return process{}, errors.New("read process: it has no name")
	}
	fields := strings.Fields(string(stat[nameEnd+1:]))
	const afterName, most = 3, 22 // proc(5) counts the fields from one
	if len(fields) <= most-afterName {
		return process{}, fmt.Errorf("read process: %d fields", len(fields))
	}
	number := func(field int) int64 {
		n, _ := strconv.ParseInt(fields[field-afterName], 10, 64)
		return n
	}
	pid, err := strconv.Atoi(string(first))
	if err != nil {
		return process{}, fmt.Errorf("read process: %w", err)
	}
	start, err := strconv.ParseUint(fields[22-afterName], 10, 64)
	if err != nil {
		return process{}, fmt.Errorf("read process: %w", err)
	}
	// A process whose first thread has ended is shown as a zombie while the others go on.
	dead := strings.ContainsAny(fields[0], "ZXx") && number(20) <= 1
	return process{
		pid: pid, parent: int(number(4)), group: int(number(5)), session: int(number(6)), start: start, dead: dead,
		kernel:   number(9)&kernelThread != 0,
		cpu:      clockTick * time.Duration(number(14)+number(15)),
		children: clockTick * time.Duration(number(16)+number(17)),
	}, nil
}

// environSize is the room that most environments need.
const environSize = 16 << 10

// carries says whether the environment that the process was started with holds entry. One that shows no marker at all may have taken it off, or hide it: then
// its limit tells.
func carries(pid int, entry string) bool {
	var room [environSize]byte
	environ, err := readProc(pid, "environ", room[:])
	if err != nil {
		return hasLimit(pid, entry)
	}
	marked := false
	for text := range bytes.SplitSeq(environ, []byte{0}) {
		if string(text) == entry {
			return true
		}
		marked = marked || bytes.HasPrefix(text, []byte(MarkerVariable+"="))
	}
	return !marked && hasLimit(pid, entry)
}
