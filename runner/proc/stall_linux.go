package proc

import (
	"io/fs"
	"syscall"
	"time"
)

// changeTime is when the file was last changed, which no program can set.
func changeTime(info fs.FileInfo) time.Time {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return time.Unix(stat.Ctim.Unix())
	}
	return info.ModTime()
}
