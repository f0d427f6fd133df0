package watch

import (
	"context"
	"errors"
	"sync"
)

// tailLines is how many lines of an agent's output are kept to be looked at.
const tailLines = 5000

// tail is the end of what the agent prints in one iteration. It may be used from several goroutines.
type tail struct {
	iteration int
	ended     chan struct{} // closed when the iteration is over
	stop      context.CancelFunc

	mu      sync.Mutex
	lines   []string // up to twice as many as are shown
	dropped int      // lines that are kept no more
	version int      // counts changes
	over    bool     // nothing more comes
}

// add takes one more line.
func (t *tail) add(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.put(line)
}

func (t *tail) put(line string) {
	if len(t.lines) >= 2*tailLines {
		t.lines = append(t.lines[:0:0], t.lines[tailLines:]...) // what was handed out stays as it is
		t.dropped += tailLines
	}
	t.lines = append(t.lines, line)
	t.version++
}

// finish notes that nothing more comes. The last line says why when something is wrong.
func (t *tail) finish(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err != nil && !errors.Is(err, context.Canceled) {
		t.put(err.Error())
	}
	t.over = true
	t.version++
}

// read returns the last lines, how many there were before them, and what counts their changes.
func (t *tail) read() (lines []string, before, version int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	from := max(0, len(t.lines)-tailLines)
	return t.lines[from:len(t.lines):len(t.lines)], t.dropped + from, t.version
}

// changes counts what has changed.
func (t *tail) changes() int {
	if t == nil {
		return 0
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.version
}

// finished reports whether nothing more comes.
func (t *tail) finished() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.over
}

// isEnded reports whether the iteration is known to be over.
func (t *tail) isEnded() bool {
	select {
	case <-t.ended:
		return true
	default:
		return false
	}
}

// end says that the iteration is over: what is left is read, and that is all.
func (t *tail) end() {
	if !t.isEnded() {
		close(t.ended)
	}
}
