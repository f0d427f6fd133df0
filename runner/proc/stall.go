package proc

import (
	"io/fs"
	"path/filepath"
	"time"
)

// stallWatch finds out that nothing has moved for a while: no output, no changed file, hardly any CPU time.
type stallWatch struct {
	window time.Duration
	dir    string                        // empty: no files count
	moved  func() int64                  // bytes of output so far
	cpu    func() (time.Duration, error) // CPU time of the tree so far
}

const (
	idleCPU      = time.Second           // less than this in a window is no work
	quickestLook = 50 * time.Millisecond // looks are a twentieth of the window apart, within these
	slowestLook  = 5 * time.Second
)

// run returns true when nothing has moved for the window, and false when done is closed first.
func (w *stallWatch) run(done <-chan struct{}) bool {
	look := time.NewTicker(min(max(w.window/20, quickestLook), slowestLook))
	defer look.Stop()
	since, moved := time.Now(), w.moved()
	select {
	case <-done:
		return false // most commands are over before the first look, which costs a walk through all processes
	case <-look.C:
	}
	cpu := w.used()
	last := cpu
	for {
		select {
		case <-done:
			return false
		case <-look.C:
		}
		// A sum that fell has lost a process: that is movement too.
		now, used := w.moved(), w.used()
		moves := now != moved || used < last || used >= cpu+idleCPU
		last = used
		if moves {
			since, moved, cpu = time.Now(), now, used
			continue
		}
		if time.Since(since) < w.window {
			continue
		}
		// Only now, for it is the only look that costs something.
		changed, found := w.changedAfter(since, done)
		if !found {
			return !isClosed(done)
		}
		since, cpu = changed, used
	}
}

// used returns the CPU time of the tree. Where it cannot be known it counts as unused.
func (w *stallWatch) used() time.Duration {
	used, err := w.cpu()
	if err != nil {
		return 0
	}
	return used
}

// changedAfter looks for a file below dir that changed after start, and returns when. Times to come do not count: a
// file that claims one would be news for ever. What vanishes or cannot be read meanwhile is passed over.
func (w *stallWatch) changedAfter(start time.Time, done <-chan struct{}) (when time.Time, found bool) {
	if w.dir == "" {
		return when, false
	}
	_ = filepath.WalkDir(w.dir, func(_ string, entry fs.DirEntry, err error) error {
		switch {
		case isClosed(done):
			return fs.SkipAll
		case entry == nil:
			return nil
		case entry.Name() == ".git" && entry.IsDir():
			return fs.SkipDir
		case err != nil || entry.Name() == ".git":
			return nil
		}
		info, err := entry.Info()
		if err != nil {
			return nil
		}
		if at := changeTime(info); at.After(start) && !at.After(time.Now()) {
			when, found = at, true
			return fs.SkipAll
		}
		return nil
	})
	return when, found
}

func isClosed(done <-chan struct{}) bool {
	select {
	case <-done:
		return true
	default:
		return false
	}
}
