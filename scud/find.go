package scud

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// ErrNoFolder says that there is no plan: neither a .scud folder nor one of its oldest kind.
var ErrNoFolder = errors.New("no .scud folder")

const (
	folder    = ".scud"
	oldFolder = ".taskmaster" // of the first generation
)

// Folders returns the names of the folders that a plan's files may lie in.
func Folders() []string { return []string{folder, oldFolder} }

// Find returns the nearest directory, from dir upwards, that has a .scud folder or one of its oldest kind. The search ends
// at top, which is searched too; if top is empty or not above dir, at the root. Where dir itself is not there, it begins at what is above it. The error is
// [ErrNoFolder] when there is none.
func Find(dir, top string) (string, error) {
	start, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find plan above %s: %w", dir, err)
	}
	last, err := os.Stat(top)
	if err != nil && top != "" {
		return "", fmt.Errorf("find plan up to %s: %w", top, err)
	}
	for at := start; ; at = filepath.Dir(at) {
		for _, name := range Folders() {
			info, err := os.Stat(filepath.Join(at, name))
			if err == nil && info.IsDir() {
				return at, nil
			}
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return "", fmt.Errorf("find plan: %w", err)
			}
		}
		here, err := os.Stat(at)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find plan: %w", err)
		}
		if err == nil && os.SameFile(here, last) || at == filepath.Dir(at) {
			return "", fmt.Errorf("%w in %s or above it", ErrNoFolder, start)
		}
	}
}
