package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
)

// A stream of output is kept in one file until it is a little longer than its beginning and its end may be together.
// What comes then goes into segments beside the file, of which the oldest are removed, so that at any time the
// beginning is in the file and the end in the segments. When the stream is over, join makes one file of them. A
// stream that is just too long is kept whole, for copying its end costs more than the room.

// layout says where the bytes of one stream are, given its limit.
type layout struct {
	path  string
	limit int64
}

// segmentSize is how long one segment is.
func (l layout) segmentSize() int64 { return max(l.limit/8, 1) }

// whole is how long a stream may be that is kept whole, in the file alone.
func (l layout) whole() int64 { return 2*l.limit + l.segmentSize() }

// keeper writes one stream. It is safe for two goroutines.
type keeper struct {
	layout
	mu       sync.Mutex
	redact   *redactor // what Write goes through
	file     *os.File  // the file, or the last segment; nil after finish
	room     int64     // bytes that still go into it
	written  int64     // bytes of the stream that are on disk or were removed
	segments []int64   // where the segments begin in the stream
	missing  int64     // bytes that could not be written
	err      error     // why
}

// keep creates or truncates the file at path for a stream. What an earlier stream left beside it is removed; where there is no file there was none.
func keep(path string, limit int64, redact []string) (*keeper, error) {
	k := &keeper{layout: layout{path: path, limit: limit}}
	k.redact = newRedactor(writerFunc(k.put), redact)
	if _, err := os.Lstat(path); err == nil {
		if err := k.clear(); err != nil {
			return nil, err
		}
	}
	var err error // what a program prints is the user's own: nobody else may read it
	k.file, err = os.OpenFile(path, os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return nil, err
	}
	if err := empty(k.file); err != nil {
		return nil, errors.Join(err, k.file.Close())
	}
	k.room = k.whole()
	return k, nil
}

// empty truncates a file that is not empty. An empty one is left alone: ext4 takes a truncated file for one that replaces another, and writes all of it to
// the disk when it is closed.
func empty(file *os.File) error {
	info, err := file.Stat()
	if err != nil || info.Size() == 0 {
		return err
	}
	return file.Truncate(0)
}

// Write takes the next bytes of the stream. Its error is dropped by the copier and told by finish.
func (k *keeper) Write(p []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.redact.Write(p)
}

// put writes redacted bytes. What cannot be written is counted, and the stream goes on without it.
func (k *keeper) put(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		if k.room == 0 {
			k.next()
		}
		if k.file == nil {
			k.missing += int64(len(rest))
			break
		}
		n, err := k.file.Write(rest[:min(int64(len(rest)), k.room)])
		k.room -= int64(n)
		k.written += int64(n)
		rest = rest[n:]
		if err != nil {
			k.fail(err)
			k.missing += int64(len(rest))
			break
		}
	}
	return len(p), nil
}

// next goes on in a new segment and removes what is needed no more.
func (k *keeper) next() {
	if err := k.file.Close(); err != nil {
		k.fail(err)
	}
	f, err := os.OpenFile(k.segmentPath(k.written), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if k.file = f; err != nil {
		k.file = nil // nothing is written any more: a stream with a hole in its end would be taken for whole
		k.fail(err)
		return
	}
	k.room = k.segmentSize()
	k.segments = append(k.segments, k.written)
	if k.written-k.segments[0] >= k.limit {
		// From here on the segments hold the whole end. That the file is cut already is no matter.
		if err := os.Truncate(k.path, k.limit); err != nil {
			k.fail(err)
		}
	}
	for len(k.segments) > 1 && k.written-k.segments[1] >= k.limit {
		if err := os.Remove(k.segmentPath(k.segments[0])); err != nil {
			k.fail(err)
		}
		k.segments = k.segments[1:]
	}
}

func (k *keeper) fail(err error) {
	if k.err == nil {
		k.err = fmt.Errorf("write output: %w", err)
	}
}

// Close ends the stream. What is written later is dropped.
func (k *keeper) Close() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.file == nil {
		return k.err
	}
	k.redact.flush()
	if k.file != nil {
		if err := k.file.Close(); err != nil {
			k.fail(err)
		}
	}
	k.file = nil
	return k.err
}

// finish ends the stream, makes one file of it, and returns how many of its bytes are not in there.
func (k *keeper) finish() (int64, error) {
	err := k.Close()
	cut, joinErr := join(k.path, k.limit)
	if err == nil {
		err = joinErr
	}
	return cut + k.missing, err
}

// writerFunc is a function as a writer.
type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

var _ io.Writer = writerFunc(nil)
