package runner

import (
	"fmt"
	"path/filepath"
)

// named is where a file lies that a configuration names from the top level, or that the user has named by its absolute path. A name from the top level may come
// with a clone, and so may a link: where both together lead out of the work tree it is an error.
func named(top, file string) (string, error) {
	if filepath.IsAbs(file) {
		return file, nil
	}
	path := filepath.Join(top, filepath.FromSlash(file))
	if err := staysIn(top, path); err != nil {
		return "", err
	}
	return path, nil
}

// staysIn makes sure that a path does not lead out of a directory, links followed. One that is not there leads nowhere.
func staysIn(top, path string) error {
	if rel, err := filepath.Rel(top, path); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("it leads out of the work tree")
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil // who reads it says why
	}
	if top, err = filepath.EvalSymlinks(top); err != nil {
		return err
	}
	if rel, err := filepath.Rel(top, real); err != nil || !filepath.IsLocal(rel) {
		return fmt.Errorf("a link leads out of the work tree, to %s", real)
	}
	return nil
}
