package runner

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

// What is kept of raw output: it may vanish at any time without harm.
const (
	logsAge  = 30 * 24 * time.Hour
	logsSize = 4 << 30 // bytes of one loop, all iterations together
)

// prune removes raw output that is old, and the oldest of what is too much. The iteration at hand is never touched.
func (l *loop) prune() {
	paths, err := filepath.Glob(filepath.Join(l.repo.LoopDir(l.state.Loop.Name), "[0-9][0-9][0-9][0-9]*.*"))
	if err != nil {
		return
	}
	type log struct {
		path string
		info fs.FileInfo
	}
	var logs []log
	var size int64
	for _, path := range paths {
		if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() && info.ModTime().Before(l.live.Started) {
			logs = append(logs, log{path, info})
			size += info.Size()
		}
	}
	slices.SortFunc(logs, func(a, b log) int { return cmp.Compare(a.info.ModTime().UnixNano(), b.info.ModTime().UnixNano()) })
	for _, log := range logs {
		if size <= logsSize && l.Now().Sub(log.info.ModTime()) <= logsAge {
			return
		}
		if os.Remove(log.path) == nil {
			size -= log.info.Size()
		}
	}
}
