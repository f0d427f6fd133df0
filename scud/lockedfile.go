package scud

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// LockedError says that another process held the lock of a task file all the time.
type LockedError struct {
	File string        // relative to the plan's root, with slashes
	For  time.Duration // how long it was tried
}

func (e *LockedError) Error() string {
	return fmt.Sprintf("%s has been locked by another process for %s", e.File, e.For)
}

const (
	lockPatience = time.Minute
	firstWait    = 10 * time.Millisecond // doubles
	longestWait  = time.Second
	emptyTries   = 3 // how often an empty file is looked at again
)

// lockedFile is a task file that is open and locked. Close it.
type lockedFile struct {
	*os.File
	path string
}

// openLocked opens a task file, locked for reading, or for writing as SCUD's own writers lock it. The error is a
// *[LockedError] after a minute.
func openLocked(ctx context.Context, root, name string, exclusive bool) (*lockedFile, error) {
	end := time.Now().Add(lockPatience)
	for wait := firstWait; ; wait = min(2*wait, longestWait) {
		f, err := tryOpen(filepath.Join(root, filepath.FromSlash(name)), exclusive)
		switch {
		case err != nil:
			return nil, fmt.Errorf("open %s: %w", name, err)
		case f != nil:
			return f, nil
		case !time.Now().Before(end):
			return nil, &LockedError{File: name, For: lockPatience}
		}
		if err := pause(ctx, wait); err != nil {
			return nil, fmt.Errorf("wait for the lock of %s: %w", name, err)
		}
	}
}

// tryOpen returns nil when the lock is held, or when another file has just been put in the place of the locked one.
func tryOpen(path string, exclusive bool) (*lockedFile, error) {
	flag := os.O_RDONLY
	if exclusive {
		flag = os.O_RDWR // never truncating: what is there counts until the lock is ours
	}
	info, err := os.Stat(path)
	if err == nil {
		err = readable(info) // to open a pipe would wait for whoever writes into it
	}
	if err != nil {
		return nil, err
	}
	file, err := os.OpenFile(path, flag, 0)
	if err != nil {
		return nil, err
	}
	f := &lockedFile{file, path}
	taken, err := tryLock(file, exclusive)
	if err == nil && taken {
		if _, taken, err = f.stamp(); err == nil && taken && exclusive {
			err = f.mend()
		}
		if err == nil && taken {
			return f, nil
		}
	}
	return nil, errors.Join(err, file.Close())
}

// stamp returns what the file is like now, and whether it is still the one at its path.
func (f *lockedFile) stamp() (os.FileInfo, bool, error) {
	ours, err := f.Stat()
	if err != nil {
		return nil, false, err
	}
	now, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		return ours, false, nil
	}
	return ours, err == nil && os.SameFile(ours, now), err
}

// text reads the whole file.
func (f *lockedFile) text() (string, error) {
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	var text strings.Builder
	text.Grow(int(info.Size()))
	_, err = io.Copy(&text, io.NewSectionReader(f, 0, info.Size()))
	return text.String(), err
}

// splice returns text from a place to another with the edits made.
func splice(text string, from, to int, edits []edit) []byte {
	fresh := make([]byte, 0, to-from+len(edits)*16)
	at := from
	for _, e := range edits {
		fresh = append(append(fresh, text[at:e.start]...), e.text...)
		at = e.end
	}
	return append(fresh, text[at:to]...)
}

// write replaces only what the edits change: from the first one to the last one, or to the end if the length changes. What a kill could tear is kept until it is
// written.
func (f *lockedFile) write(text string, edits []edit) error {
	from, to, longer, moves := edits[0].start, len(text), 0, false
	for _, e := range edits {
		by := len(e.text) - (e.end - e.start)
		longer, moves = longer+by, moves || by != 0
	}
	if longer == 0 {
		to = edits[len(edits)-1].end
	}
	if moves {
		if err := f.keep(text, from, edits); err != nil {
			return err
		}
	}
	fresh := splice(text, from, to, edits)
	_, err := f.WriteAt(fresh, int64(from))
	if shorter := to - from - len(fresh); err == nil && shorter > 0 {
		err = f.Truncate(int64(len(text) - shorter))
	}
	if err == nil {
		err = f.Sync()
	}
	if err != nil { // such as a full disk: what was there takes no more room than it had
		_, back := f.WriteAt([]byte(text[from:to]), int64(from))
		if back = errors.Join(back, f.Truncate(int64(len(text)))); back != nil { // what is kept stays
			return errors.Join(fmt.Errorf("write: %w", err), back)
		}
		err = fmt.Errorf("write: %w", err)
	}
	if moves {
		err = errors.Join(err, f.forget())
	}
	return err
}

// readLocked reads a task file under a shared lock. A writer of SCUD's empties its file before it locks it, so a file that
// is empty is looked at again before that is believed.
func readLocked(ctx context.Context, root, name string) (string, error) {
	for try := 0; ; try++ {
		f, err := openLocked(ctx, root, name, false)
		if err != nil {
			return "", err
		}
		text, err := f.text()
		torn, tornErr := f.leftTorn()
		if err = errors.Join(err, tornErr, f.Close()); err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
		if torn {
			if err := mendTorn(ctx, root, name); err != nil {
				return "", err
			}
			continue
		}
		if text != "" || try == emptyTries {
			return text, nil
		}
		if err := pause(ctx, firstWait<<try); err != nil {
			return "", fmt.Errorf("read %s: %w", name, err)
		}
	}
}

// mendTorn takes a write back that was cut short.
func mendTorn(ctx context.Context, root, name string) error {
	f, err := openLocked(ctx, root, name, true)
	if err != nil {
		return err
	}
	return f.Close()
}

func pause(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
