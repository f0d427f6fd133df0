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
	c := copied{out: f.out, path: f.path(n)}
	defer c.close()
	for {
		at, running := f.current() // asked before the copy, so that what comes last is copied too
		err := c.copyOn()
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
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

// copied is a file that is copied while it grows.
type copied struct {
	out  io.Writer
	path string
	file *os.File // nil: none yet
}

// copyOn copies what was added since the last copy. An iteration that is run again has another file: what is left of the earlier one comes first.
// The error wraps [fs.ErrNotExist] when there never was a file.
func (c *copied) copyOn() error {
	if c.file == nil {
		return c.begin()
	}
	replaced, err := c.replaced()
	if err != nil {
		return err
	}
	if _, err := io.Copy(c.out, c.file); err != nil {
		return err
	}
	if !replaced {
		return nil
	}
	c.close()
	return c.begin()
}

// begin copies the file from its beginning.
func (c *copied) begin() error {
	file, err := os.Open(c.path)
	if err != nil {
		return err
	}
	c.file = file
	_, err = io.Copy(c.out, file)
	return err
}

// replaced reports whether another file stands in the place of the one that is copied.
func (c *copied) replaced() (bool, error) {
	now, err := os.Stat(c.path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	info, err := c.file.Stat()
	return err == nil && !os.SameFile(now, info), err
}

// close closes the file.
func (c *copied) close() {
	if c.file != nil {
		c.file.Close()
		c.file = nil
	}
}
