package proc

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"time"
)

// followPause is how long a follower waits for more.
const followPause = 50 * time.Millisecond

// Follow reads a command's output file from its beginning while the command runs. Read waits for more output; it
// returns io.EOF when ended is closed and all is read, and ctx's error when that is cancelled. Close ended when Run has
// returned. The file need not exist yet; one that an earlier command left is read as if it were this one's, so put an
// empty one in its place first. Where that is done while the file is read, the reader goes on with the new one, on a
// line of its own.
//
// limit is the command's OutputLimit; zero means [DefaultOutputLimit]. When the output outgrows it faster than it is
// read, the bytes that were dropped meanwhile are skipped, and the line that says so in the file is read in their
// place. Its memory does not grow. While the command runs a reader that has caught up gets what comes in portions, a few
// of them in a second. The reader is for one goroutine.
func Follow(ctx context.Context, path string, limit int64, ended <-chan struct{}) io.ReadCloser {
	if limit <= 0 {
		limit = DefaultOutputLimit
	}
	return &follower{layout: layout{path: path, limit: limit}, ctx: ctx, ended: ended}
}

// FollowEnd is Follow from some way before the end of what there is by now: so many bytes, more when the output has
// outgrown its limit. What is read first may begin in the middle of a line.
func FollowEnd(ctx context.Context, path string, last int64, ended <-chan struct{}) io.ReadCloser {
	f := &follower{layout: layout{path: path, limit: DefaultOutputLimit}, ctx: ctx, ended: ended}
	if opened, err := f.open(path, 0); opened && err == nil {
		f.place = max(0, min(f.first.Size(), f.limit)-last)
	}
	return f // what hinders it now hinders reading
}

// follower knows its place in the stream; the file it reads from is chosen by it.
type follower struct {
	layout
	ctx   context.Context
	ended <-chan struct{}

	file  *os.File    // nil: none yet
	first os.FileInfo // of the stream's first file; nil: none yet
	place int64       // in the stream
	base  int64       // place of the file's first byte in the stream
	last  byte        // that was read from a file; 0: none
	line  []byte      // what is to be read before anything else
	final bool        // the stream is over
	alone bool        // the file is what join made of it: there is no other
	waits bool        // join is at work on the file: nothing is read until the stream is over
	ahead bool        // all that there was has been read: more is waited for
}

// Read reads what is there, and waits if nothing is.
func (f *follower) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for {
		if err := context.Cause(f.ctx); err != nil {
			return 0, err
		}
		over := f.isOver() // asked first: what is read after it is all there will be
		if f.ahead && !over {
			f.ahead = false // what comes in a little while is read at once: else a flood would be read line by line
			f.wait()
			continue
		}
		n, err := f.take(p)
		if n > 0 || err != nil {
			f.ahead = n < len(p)
			return n, err
		}
		if moved, err := f.advance(over); moved || err != nil {
			if err != nil {
				return 0, err
			}
			continue
		}
		if over && f.final {
			return 0, io.EOF
		}
		if !over {
			f.wait()
		}
	}
}

// Close closes the file. It does not interrupt a Read that waits; cancelling the context does.
func (f *follower) Close() error {
	if f.file == nil {
		return nil
	}
	err := f.file.Close()
	f.file = nil
	return err
}

func (f *follower) isOver() bool {
	select {
	case <-f.ended:
		return true
	default:
		return false
	}
}

func (f *follower) wait() {
	more := time.NewTimer(followPause)
	defer more.Stop()
	select {
	case <-more.C:
	case <-f.ended:
	case <-f.ctx.Done():
	}
}

// take reads from the file at hand. Nothing read is no error.
func (f *follower) take(p []byte) (int, error) {
	if len(f.line) > 0 {
		n := copy(p, f.line)
		f.line = f.line[n:]
		return n, nil
	}
	if f.file == nil {
		return 0, nil
	}
	n, err := f.file.ReadAt(p, f.place-f.base)
	if err != nil && !errors.Is(err, io.EOF) {
		return n, err
	}
	if !f.final && f.base == 0 && f.place+int64(n) > f.limit {
		// Asked after reading: if join has not begun by now, this is what the program printed there.
		if f.waits, err = f.joining(f.file); f.waits || err != nil {
			return 0, err
		}
	}
	f.place += int64(n)
	if n > 0 {
		f.last = p[n-1]
	}
	return n, nil
}

// advance goes to the file that holds what comes next, and says whether there is one.
func (f *follower) advance(over bool) (bool, error) {
	if f.file == nil && !over {
		return f.open(f.path, 0)
	}
	if again, err := f.beginAgain(); again || err != nil {
		return again, err
	}
	switch {
	case over && !f.final:
		return true, f.settle()
	case f.alone || f.waits:
		return false, nil
	case f.file == nil || f.base == 0 && f.place < f.limit:
		return false, nil // what comes next goes into this file
	}
	return f.nextSegment()
}

// nextSegment goes to the segment that holds what comes next, and says whether there is one.
func (f *follower) nextSegment() (bool, error) {
	segments, err := f.list()
	if err != nil {
		return false, err
	}
	for _, s := range segments {
		if s.start+s.size <= f.place {
			continue
		}
		if s.start == f.base && f.base > 0 {
			return true, nil // it grew after it was read
		}
		if more, err := f.grown(); more || err != nil {
			return more, err // so did the file at hand, before the segment began
		}
		if s.start > f.place {
			f.line = []byte(cutLine(s.start - f.place))
			f.place = s.start
		}
		return f.open(s.path, s.start)
	}
	return false, nil
}

// beginAgain goes to the beginning of another stream's file if one stands in the place of this one's and all of this
// one was read.
func (f *follower) beginAgain() (bool, error) {
	if f.first == nil || f.final {
		return false, nil
	}
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && os.SameFile(info, f.first) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if more, err := f.grown(); !f.waits && more || err != nil {
		return more, err
	}
	if f.last != 0 && f.last != '\n' {
		f.line = []byte{'\n'}
	}
	f.place, f.waits = 0, false
	return f.open(f.path, 0)
}

// grown says whether the file at hand has more by now.
func (f *follower) grown() (bool, error) {
	info, err := f.file.Stat()
	if err != nil {
		return false, err
	}
	return f.base+info.Size() > f.place, nil
}

// settle goes to the place in the joined file: the stream is over. From there on a place is one in that file.
func (f *follower) settle() error {
	f.final, f.waits = true, false
	if _, err := f.open(f.path, 0); f.file == nil || err != nil {
		return err
	}
	cut, line, err := f.joined(f.file)
	if err != nil || cut == 0 {
		return err
	}
	f.alone = true
	if f.place <= f.limit {
		return nil
	}
	if missed := f.limit + cut - f.place; missed > 0 {
		f.line = []byte(cutLine(missed)) // the file's line also counts what was read in time
		f.place += missed
	}
	f.place += line - cut
	return nil
}

// open takes the file at path, whose first byte is at base in the stream, for the one at hand.
func (f *follower) open(path string, base int64) (bool, error) {
	next, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if f.file != nil {
		f.file.Close()
	}
	f.file, f.base = next, base
	if base > 0 {
		return true, nil
	}
	f.first, err = next.Stat()
	return err == nil, err
}
