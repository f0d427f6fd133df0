package main

import (
	"sync"
	"time"
)

// workPause is how long something may take before it is said what it is.
const workPause = time.Second

// work is something that may take its time: then a line on the terminal says what it is and for how long. Its methods may be called from any goroutine,
// and of none.
type work struct {
	a     *app
	what  string
	begun time.Time
	done  chan struct{}
	ended sync.WaitGroup
	once  sync.Once

	mu   sync.Mutex // held while somebody else has the terminal
	line lastLine
	said bool // once, where lines are not drawn again
}

// showsWork tells whether somebody sees what takes its time.
func (a *app) showsWork() bool { return a.errTerm.is && !a.json && !a.quiet }

// during does something and says what it is when that takes more than a second.
func during[T any](a *app, what string, do func() (T, error)) (T, error) {
	w := a.begin(what)
	defer w.end()
	return do()
}

// begin says from the next second on what takes so long, until the work ends. Within another work it says nothing, and returns none.
func (a *app) begin(what string) *work {
	if !a.showsWork() || a.work != nil {
		return nil
	}
	w := &work{a: a, what: what, begun: a.now(), done: make(chan struct{}), line: lastLine{w: a.stderr, term: a.errTerm}}
	a.work = w
	w.ended.Go(w.tick)
	return w
}

// tick draws the line again each second.
func (w *work) tick() {
	ticker := time.NewTicker(workPause)
	defer ticker.Stop()
	for {
		select {
		case <-w.done:
			return
		case <-ticker.C:
			w.draw()
		}
	}
}

// draw says what it is. On a terminal where lines are not drawn again it is said once.
func (w *work) draw() {
	w.mu.Lock()
	defer w.mu.Unlock()
	switch {
	case w.a.errTerm.colour:
		w.line.show(w.what + "  " + roughDuration(w.a.now().Sub(w.begun)))
	case !w.said:
		w.said = true
		_, _ = w.line.w.Write([]byte(w.what + "\n")) // nobody reads any more
	}
}

// end says no more. Another work may begin.
func (w *work) end() {
	if w != nil {
		w.stop()
		w.a.work = nil
	}
}

// stop takes the line away for good.
func (w *work) stop() {
	if w == nil {
		return
	}
	w.once.Do(func() {
		close(w.done)
		w.ended.Wait()
		w.line.erase()
	})
}

// hold takes the line away and leaves the terminal to somebody else, until the function that it returns is called.
func (w *work) hold() (goOn func()) {
	if w == nil {
		return func() {}
	}
	w.mu.Lock()
	w.line.erase()
	return w.mu.Unlock
}
