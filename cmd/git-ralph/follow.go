package main

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// follower copies the output files of a loop's iterations, also while they grow.
type follower struct {
	out     io.Writer
	path    func(n int) string           // file of an iteration
	current func() (n int, running bool) // the iteration that runs; 0: not known
	poll    time.Duration                // between two looks
}

// copyOnce copies what is there.
func (f follower) copyOnce(n int) error {
	file, err := os.Open(f.path(n))
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(f.out, file)
	return err
}

// follow copies an iteration's file until that iteration has ended. The error wraps [fs.ErrNotExist] when there never was a file.
func (f follower) follow(ctx context.Context, n int) error {
	tick := time.NewTicker(f.poll)
	defer tick.Stop()
	var file *os.File
	for {
		at, running := f.current() // asked before the copy, so that what comes last is copied too
		var err error
		if file == nil {
			if file, err = os.Open(f.path(n)); err == nil {
				defer file.Close()
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		if err == nil {
			if err := f.copyOn(file); err != nil {
				return err
			}
		}
		if !running || at > n {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}

// copyOn copies what was added to a file since the last copy. A file that became shorter was begun again.
func (f follower) copyOn(file *os.File) error {
	at, err := file.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < at {
		if _, err := file.Seek(0, io.SeekStart); err != nil {
			return err
		}
	}
	_, err = io.Copy(f.out, file)
	return err
}

// followLoop goes on with the next iterations until the loop runs no more. An iteration without output is passed over; the error wraps
// [fs.ErrNotExist] when the loop does not run and the first one has none.
func (f follower) followLoop(ctx context.Context, n int) error {
	for first := n; ; n++ {
		err := f.follow(ctx, n)
		missing := errors.Is(err, fs.ErrNotExist)
		if err != nil && !missing {
			return err
		}
		if _, running := f.current(); running {
			continue
		}
		if missing && n == first {
			return err
		}
		if _, err := os.Stat(f.path(n + 1)); err != nil {
			return nil
		}
	}
}
