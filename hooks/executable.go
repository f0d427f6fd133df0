package hooks

import (
	"io/fs"
	"path/filepath"
	"runtime"
)

// executable reports whether git would run a hook.
func executable(info fs.FileInfo) bool { return runtime.GOOS == "windows" || info.Mode()&0o111 != 0 }

// absolute is a path as it is in a directory.
func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}
