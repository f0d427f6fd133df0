package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// gigabyte is a program that prints 1 GiB in lines.
const gigabyte = "yes 'a line of output that is sixty-three characters long, more or less' | head -c 1073741824"

// more is a program that prints more lines than are kept of it, so that the log is cut.
const more = "yes 'a line of output that is sixty-three characters long, more or less' | head -c 1342177280"

// stream is a program that prints an agent's stream, as claude does: many short events, long ones with what a tool printed, and a line of 100 MB.
const stream = `#!/bin/sh
cat >/dev/null
yes '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"an event of some words"}]},"session_id":"s"}' | head -n 200000
result=$(yes 'what a tool printed' | tr '\n' ' ' | head -c 100000)
yes '{"type":"user","tool_use_result":"'"$result"'"}' | head -n 5000
printf '{"type":"user","tool_use_result":"'
yes x | tr -d '\n' | head -c 100000000
echo '"}'
echo '{"type":"result","subtype":"success","is_error":false,"result":"done","session_id":"s"}'
`

// outputMemory measures the resident memory of all our processes together while a program prints, in MiB.
func (b *bench) outputMemory() (float64, string, error) {
	return b.memory([]string{"print", "--", "sh", "-c", more})
}

// streamMemory does so while a known agent's stream is read.
func (b *bench) streamMemory() (float64, string, error) {
	path := filepath.Join(b.dir, "claude")
	if err := os.WriteFile(path, []byte(stream), 0o755); err != nil {
		return 0, "", err
	}
	return b.memory([]string{"print", "--command", path + " -p --output-format stream-json --verbose"})
}

// memory is the median of what loops of one iteration hold in memory at most, all our processes together, git's that we started included, in MiB.
func (b *bench) memory(args []string) (float64, string, error) {
	dir, err := b.repository("output", 10)
	if err != nil {
		return 0, "", err
	}
	var peaks []peak
	for range b.rounds {
		if _, err := b.sh(dir, "git switch -q main; rm -rf .git/ralph"); err != nil {
			return 0, "", err
		}
		cmd := exec.Command(b.program, append([]string{"start", "-q", "--max-iterations", "1", "--completion-promise", ""}, args...)...)
		cmd.Dir, cmd.Env = dir, b.env
		top, err := b.watch(cmd)
		if err != nil {
			return 0, "", err
		}
		peaks = append(peaks, top)
	}
	slices.SortFunc(peaks, func(a, b peak) int { return int(a.bytes - b.bytes) })
	middle := peaks[len(peaks)/2]
	return float64(middle.bytes) / (1 << 20), fmt.Sprintf("%d processes; from %.1f to %.1f MiB in %d runs", middle.processes,
		float64(peaks[0].bytes)/(1<<20), float64(peaks[len(peaks)-1].bytes)/(1<<20), len(peaks)), nil
}

// peak is the most that processes held in memory together.
type peak struct {
	bytes     int64
	processes int
}

// watch runs a command to its end and looks at its processes all the time.
func (b *bench) watch(cmd *exec.Cmd) (peak, error) {
	var top peak
	if err := cmd.Start(); err != nil {
		return top, err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	for {
		select {
		case err := <-ended:
			return top, err
		case <-time.After(20 * time.Millisecond):
			if now := b.resident(); now.bytes > top.bytes {
				top = now
			}
		}
	}
}

// resident sums what our processes, and the git that they started, held in memory at most: each its own peak, which may have been between two looks, so that the
// sum is rather too high than too low.
func (b *bench) resident() peak {
	var sum peak
	ours := map[int]bool{}
	var gits []int
	links, _ := filepath.Glob("/proc/[0-9]*/exe")
	for _, link := range links {
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(link)))
		switch target, err := os.Readlink(link); {
		case err != nil:
		case target == b.program:
			ours[pid] = true
			sum.add(pid)
		case filepath.Base(target) == "git":
			gits = append(gits, pid)
		}
	}
	for _, pid := range gits {
		if parent, _ := strconv.Atoi(statusField(pid, "PPid")); ours[parent] {
			sum.add(pid)
		}
	}
	return sum
}

// add adds the peak of one process; nothing of one that ended meanwhile.
func (p *peak) add(pid int) {
	if kib, err := strconv.ParseInt(statusField(pid, "VmHWM"), 10, 64); err == nil {
		p.bytes += kib << 10
		p.processes++
	}
}

// statusField returns the first word of a field of /proc/<pid>/status; empty: there is none.
func statusField(pid int, name string) string {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for line := range strings.Lines(string(text)) {
		if key, value, _ := strings.Cut(line, ":"); key == name {
			word, _, _ := strings.Cut(strings.TrimSpace(value), " ")
			return word
		}
	}
	return ""
}

// outputTime compares the time of a loop whose agent prints 1 GiB with the program writing into a file.
func (b *bench) outputTime() (float64, string, error) {
	dir, err := b.repository("output", 10)
	if err != nil {
		return 0, "", err
	}
	times, err := b.steadier().sides(dir,
		"git switch -q main; git ralph start -q --max-iterations 1 --completion-promise '' print -- sh -c \""+gigabyte+"\"; rm -rf .git/ralph",
		gigabyte+" >../printed; rm ../printed")
	if err != nil {
		return 0, "", err
	}
	return float64(times[0]) / float64(times[1]), ms([]string{"ours", "a file"}, times...), nil
}
