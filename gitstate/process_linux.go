package gitstate

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// gitWorksIn reports whether a git that we did not start, and that did not start us, runs with its current directory in
// one of the directories. Not known where /proc cannot be read.
func gitWorksIn(dirs ...string) (working, known bool) {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return false, false
	}
	parents, gits := map[int]int{}, []int{}
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		name, parent, ok := processStat(pid)
		if !ok {
			continue
		}
		parents[pid] = parent
		if name == "git" || strings.HasPrefix(name, "git-") && name != "git-ralph" {
			gits = append(gits, pid)
		}
	}
	self := os.Getpid()
	for _, pid := range gits {
		cwd, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
		if err != nil || startedBy(parents, pid, self) || startedBy(parents, self, pid) {
			continue // ended, or not ours to see; or of ours
		}
		for _, dir := range dirs {
			if cwd == dir || strings.HasPrefix(cwd, dir+"/") {
				return true, true
			}
		}
	}
	return false, true
}

// processStat reads the name and the parent of a process.
func processStat(pid int) (name string, parent int, ok bool) {
	text, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(pid), "stat")) // "12 (a name) S 1 …"
	if err != nil {
		return "", 0, false
	}
	open, end := strings.IndexByte(string(text), '('), strings.LastIndexByte(string(text), ')')
	if open < 0 || end < open {
		return "", 0, false
	}
	fields := strings.Fields(string(text[end+1:]))
	if len(fields) < 2 {
		return "", 0, false
	}
	parent, err = strconv.Atoi(fields[1])
	return string(text[open+1 : end]), parent, err == nil
}

// startedBy reports whether ancestor is among the parents of pid, or pid itself.
func startedBy(parents map[int]int, pid, ancestor int) bool {
	for range len(parents) + 1 {
		if pid == ancestor {
			return true
		}
		parent, ok := parents[pid]
		if !ok || parent == 0 {
			return false
		}
		pid = parent
	}
	return false
}
