package scud

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// Mark is the status that a task shall have.
type Mark struct {
	ID      string // as in the tag, or with the tag's name and a colon before it
	Status  Status // one of SCUD's, unless Written is given
	Written string // what shall stand in the file, as read from [Task.Written]; empty: as SCUD writes Status
}

// Change is a status that was written.
type Change struct {
	ID       string // of the task
	From, To Status // before and after; From is what the file said at that moment
}

// UnknownTaskError says that tasks are not in their file any more.
type UnknownTaskError struct {
	File string   // relative to the plan's root, with slashes
	Tag  string   // its name
	IDs  []string // as they were given
}

func (e *UnknownTaskError) Error() string {
	if len(e.IDs) == 1 {
		return fmt.Sprintf("%s has no task %q in tag %q", e.File, e.IDs[0], e.Tag)
	}
	return fmt.Sprintf("%s has no tasks %s in tag %q", e.File, strings.Join(e.IDs, ", "), e.Tag)
}

// Mark writes statuses into the tag's file and returns what that changed, in natural order; what stands there already is
// not written again. When a task becomes or is done that was the last open leaf below a parent, that parent becomes done
// too, unless it has a mark of its own.
//
// The file is read again under the lock that SCUD's own writers take, and only the statuses in it change: every other byte
// stays. All marks are written or none. The error is an *[UnknownTaskError] when a task is not there, a *[LockedError] when
// another process holds the lock for a minute, a *[ParseError] when the file was broken meanwhile; then nothing was
// written. When the disk fails in the middle of it, what was there is put back as far as that is possible. t itself stays as
// it was read.
//
// Where a {tag}.json groups the tasks of a tasks.scg in waves, and holds them too, it gets the same statuses, and gets them first: after a kill between the two a mark is
// made again. It does not count, so it is left alone when it is broken by then.
func (t *Tag) Mark(ctx context.Context, marks ...Mark) ([]Change, error) {
	if t.also != "" {
		if err := t.markAlso(ctx, marks); err != nil {
			return nil, err
		}
	}
	return t.mark(ctx, marks)
}

// markAlso marks the second file. It spells statuses in its own way.
func (t *Tag) markAlso(ctx context.Context, marks []Mark) error {
	second := &Tag{Name: t.Name, File: t.also, root: t.root}
	var plain []Mark
	for _, m := range marks {
		if m.Written != "" {
			if m.Status, _ = statusOfCode(m.Written); !m.Status.Known() {
				continue
			}
		}
		plain = append(plain, Mark{ID: m.ID, Status: m.Status})
	}
	_, err := second.mark(ctx, plain)
	if beingWritten(err) {
		return nil
	}
	return err
}

func (t *Tag) mark(ctx context.Context, marks []Mark) ([]Change, error) {
	for try := 0; ; try++ {
		changes, err := t.markOnce(ctx, marks)
		switch {
		case err == nil:
			return changes, nil
		case !beingWritten(err) || try == markTries:
			return nil, fmt.Errorf("mark tasks in %s: %w", t.File, err)
		}
		if err := pause(ctx, firstWait<<try); err != nil {
			return nil, fmt.Errorf("mark tasks in %s: %w", t.File, err)
		}
	}
}

const markTries = 6

var (
	errMoved = errors.New("another program writes the file all the time")
	errEmpty = errors.New("the file is empty") // for a moment only, when SCUD is about to lock it
)

// beingWritten reports whether a mark may succeed when another program has written the file to its end.
func beingWritten(err error) bool {
	if _, broken := errors.AsType[*ParseError](err); broken {
		return true
	}
	_, unknown := errors.AsType[*UnknownTaskError](err)
	return unknown || errors.Is(err, errMoved) || errors.Is(err, errEmpty) || errors.Is(err, fs.ErrNotExist)
}

// markOnce opens, edits and writes the file once.
func (t *Tag) markOnce(ctx context.Context, marks []Mark) (changes []Change, err error) {
	f, err := openLocked(ctx, t.root, t.File, true)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	before, _, err := f.stamp()
	if err != nil {
		return nil, err
	}
	text, err := f.text()
	switch {
	case err != nil:
		return nil, err
	case text == "":
		return nil, errEmpty
	}
	edits, changes, err := t.edits(text, marks)
	if err != nil || len(edits) == 0 {
		return nil, err
	}
	// Not everybody locks: what was written since is not to be lost.
	if now, inPlace, err := f.stamp(); err != nil || !inPlace || now.Size() != before.Size() || !now.ModTime().Equal(before.ModTime()) {
		return nil, errors.Join(err, errMoved)
	}
	return changes, f.write(text, edits)
}
