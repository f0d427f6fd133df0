package gitstate

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// hooksPlace is where git looked for hooks when the repository's configuration was as it was then.
type hooksPlace struct {
	dir    string
	config [2]fs.FileInfo
}

// Hook returns the path of a hook, found as git finds hooks; empty when there is none or it is not executable. git is asked where they are when it was not
// yet, and again when the repository's configuration changed.
func (r *Repository) Hook(ctx context.Context, name string) (string, error) {
	config := r.configFiles()
	if r.hooks.dir == "" || !sameFiles(config, r.hooks.config) {
		dir, err := r.git.line(ctx, "rev-parse", "--path-format=absolute", "--git-path", "hooks")
		if err != nil {
			return "", fmt.Errorf("find hook %s: %w", name, err)
		}
		r.hooks = hooksPlace{dir: dir, config: config}
	}
	path := filepath.Join(r.hooks.dir, name)
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || !executable(info) {
		return "", nil
	}
	return path, nil
}

// configFiles tells the states of the repository's own configuration files; nil: there is none.
func (r *Repository) configFiles() (files [2]fs.FileInfo) {
	for i, path := range []string{filepath.Join(r.CommonDir, "config"), filepath.Join(r.GitDir, "config.worktree")} {
		if info, err := os.Stat(path); err == nil {
			files[i] = info
		}
	}
	return files
}

func sameFiles(a, b [2]fs.FileInfo) bool {
	for i := range a {
		if !sameFile(a[i], b[i]) {
			return false
		}
	}
	return true
}

// sameFile reports whether a file is still what it was; nil: there is none.
func sameFile(a, b fs.FileInfo) bool {
	if a == nil || b == nil {
		return a == b
	}
	return os.SameFile(a, b) && a.Size() == b.Size() && a.ModTime().Equal(b.ModTime())
}
