package proc

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Alive returns the numbers of the live processes whose current directory is dir or below it, other than this process,
// those that started it and those that it started. Where the system does not say, it returns none; processes of other
// users are seen only by root.
func Alive(dir string) ([]int, error) {
	dir, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return nil, fmt.Errorf("find processes: %w", err)
	}
	if dir, err = filepath.Abs(dir); err != nil {
		return nil, fmt.Errorf("find processes: %w", err)
	}
	all, err := processes(nil)
	if err != nil {
		return nil, fmt.Errorf("find processes: %w", err)
	}
	family := ancestors(all, os.Getpid())
	for pid := range descendants(all, os.Getpid()) {
		family[pid] = true
	}
	var pids []int
	for _, p := range all {
		if family[p.pid] || p.dead {
			continue
		}
		cwd, err := os.Readlink("/proc/" + strconv.Itoa(p.pid) + "/cwd")
		if err != nil {
			continue
		}
		if cwd == dir || strings.HasPrefix(cwd, strings.TrimSuffix(dir, "/")+"/") {
			pids = append(pids, p.pid)
		}
	}
	slices.Sort(pids)
	return pids, nil
}
