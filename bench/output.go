package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// gigabyte is a program that prints 1 GiB in lines.
const gigabyte = "yes 'a line of output that is sixty-three characters long, more or less' | head -c 1073741824"

// outputMemory measures the resident memory of all our processes together while the agent prints 1 GiB, in MiB.
func (b *bench) outputMemory() (float64, string, error) {
	dir, err := b.repository("output", 10)
	if err != nil {
		return 0, "", err
	}
	cmd := exec.Command(b.program, "start", "-q", "--max-iterations", "1", "--completion-promise", "", "print", "--", "sh", "-c", gigabyte)
	cmd.Dir, cmd.Env = dir, b.env
	if err := cmd.Start(); err != nil {
		return 0, "", err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	greatest, processes := int64(0), 0
	for {
		select {
		case err := <-ended:
			return float64(greatest) / (1 << 20), fmt.Sprintf("greatest sum of %d processes", processes), err
		case <-time.After(20 * time.Millisecond):
			if sum, n := residentMemory(b.program); sum > greatest {
				greatest, processes = sum, n
			}
		}
	}
}

// residentMemory sums what the processes of a program hold in memory, in bytes.
func residentMemory(program string) (sum int64, processes int) {
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		if target, err := os.Readlink(link); err != nil || target != program {
			continue
		}
		text, err := os.ReadFile(filepath.Join(filepath.Dir(link), "statm"))
		if fields := strings.Fields(string(text)); err == nil && len(fields) > 1 {
			pages, _ := strconv.ParseInt(fields[1], 10, 64) // 0 for a process that ended meanwhile
			sum += pages * int64(os.Getpagesize())
			processes++
		}
	}
	return sum, processes
}

// outputTime compares the time of a loop whose agent prints 1 GiB with the program writing into a file.
func (b *bench) outputTime() (float64, string, error) {
	dir, err := b.repository("output", 10)
	if err != nil {
		return 0, "", err
	}
	times, err := b.sides(dir,
		"git switch -q main; git ralph start -q --max-iterations 1 --completion-promise '' print -- sh -c \""+gigabyte+"\"; rm -rf .git/ralph",
		gigabyte+" >../printed; rm ../printed")
	if err != nil {
		return 0, "", err
	}
	return float64(times[0]) / float64(times[1]), ms([]string{"ours", "a file"}, times...), nil
}
