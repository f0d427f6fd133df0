package gitstate

import (
	"context"
	"fmt"
	"strings"
)

// NotedFile is a file that was written along with the settings of [Repository.SetUp].
type NotedFile struct {
	Path string // from the top level, with slashes
	Sum  string // of what was written, as the writer calculates it: one word
}

// setUpFile begins a value of setUpKey that stands for a file.
const setUpFile = "file "

// NoteFile writes down that a file is written. What was noted of the same path before is forgotten.
func (r *Repository) NoteFile(ctx context.Context, file NotedFile) error {
	before, err := r.NotedFiles(ctx)
	if err != nil {
		return err
	}
	if err := r.addSetting(ctx, setUpKey, setUpFile+file.Sum+" "+file.Path); err != nil {
		return err
	}
	for _, old := range before {
		if old.Path == file.Path && old != file {
			if err := r.ForgetFile(ctx, old); err != nil {
				return err
			}
		}
	}
	return nil
}

// NotedFiles returns the files that are written down, in the order in which they were.
func (r *Repository) NotedFiles(ctx context.Context) ([]NotedFile, error) {
	out, err := r.git.run(ctx, "config", "--local", "-z", "--get-all", setUpKey)
	if err != nil && exitCode(err) != 1 {
		return nil, fmt.Errorf("read %s: %w", setUpKey, err)
	}
	var files []NotedFile
	for _, entry := range splitNul(out) {
		if rest, ok := strings.CutPrefix(entry, setUpFile); ok {
			sum, path, _ := strings.Cut(rest, " ")
			files = append(files, NotedFile{Path: path, Sum: sum})
		}
	}
	return files, nil
}

// ForgetFile takes a file off what is written down.
func (r *Repository) ForgetFile(ctx context.Context, file NotedFile) error {
	return r.removeSetting(ctx, setUpKey, setUpFile+file.Sum+" "+file.Path)
}
