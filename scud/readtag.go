package scud

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

const (
	tagTries  = 6               // how often a plan is looked at again that lacks what must be there
	unsettled = 2 * time.Second // how long a file may be about to be written after a change
)

// ReadTag is [Read] for who knows that a tag is there, and tasks in it. An editor empties or removes a file before it writes it anew, and may be met in the middle: while
// its files have just been changed, a plan that is broken, or lacks the tag or a task, is read again, for half a second in all, before that is believed. The tag is
// returned in spite of a conflict, and also when a task is gone. The error is a *[ParseError] when the file that should hold the tag is broken, a *[TagError] when no file
// holds it, else as of Read.
func ReadTag(ctx context.Context, root, name string, tasks ...string) (*Plan, *Tag, error) {
	for try := 0; ; try++ {
		p, t, err := readTagOnce(ctx, root, name)
		if err == nil && t.has(tasks) || try == tagTries || !unreadable(err) || !changedJustNow(root) {
			return p, t, err
		}
		if err := pause(ctx, firstWait<<try); err != nil {
			return nil, nil, err
		}
	}
}

func readTagOnce(ctx context.Context, root, name string) (*Plan, *Tag, error) {
	p, err := Read(ctx, root)
	if err != nil {
		return nil, nil, err
	}
	t, err := p.Choose(name)
	if conflict, ok := errors.AsType[*ConflictError](err); ok {
		t, _ = p.Tag(conflict.Tag)
		err = nil
	}
	return p, t, err
}

// has reports whether all these tasks are there.
func (t *Tag) has(ids []string) bool {
	for _, id := range ids {
		if _, ok := t.Task(id); !ok {
			return false
		}
	}
	return true
}

// unreadable reports whether an error may be gone when a file is whole again; none at all may hide that something is missing.
func unreadable(err error) bool {
	if _, broken := errors.AsType[*ParseError](err); broken {
		return true
	}
	_, missing := errors.AsType[*TagError](err)
	return err == nil || missing
}

// changedJustNow reports whether a task file, or the folder of them, has been changed within the last seconds.
func changedJustNow(root string) bool {
	names, err := jsonFiles(root)
	if err != nil {
		return false
	}
	for _, name := range append(names, graphFile, tasksFolder) {
		info, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
		if err == nil && time.Since(info.ModTime()) < unsettled || err != nil && !errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}
