//go:build !linux

package proc

import (
	"io/fs"
	"time"
)

// changeTime is when the file was last changed.
func changeTime(info fs.FileInfo) time.Time { return info.ModTime() }
