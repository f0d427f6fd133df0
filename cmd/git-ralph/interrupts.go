package main

import (
	"context"
	"os"
	"sync"
	"time"

	"github.com/git-ralph/git-ralph/runner"
)

// interrupts hands each signal to whoever took the signals over last.
type interrupts struct {
	mu     sync.Mutex
	handle func(os.Signal)
}

// follow hands on what comes until the channel is closed or done is.
func (i *interrupts) follow(signals <-chan os.Signal, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case s, open := <-signals:
			if !open {
				return
			}
			i.mu.Lock()
			handle := i.handle
			i.mu.Unlock()
			handle(s)
		}
	}
}

// to makes handle get the signals from now on, until the function that it returns is called.
func (i *interrupts) to(handle func(os.Signal)) (back func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	before := i.handle
	i.handle = handle
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.handle = before
	}
}

// cancelWith ends ctx with the signal as its cause.
func cancelWith(cancel context.CancelCauseFunc) func(os.Signal) {
	return func(s os.Signal) { cancel(signalError{s}) }
}

// stopping is what a signal means to a running loop.
type stopping int

// What signals mean, the stronger the greater.
const (
	repeated  stopping = iota // the same signal once more: under git each one arrives twice
	finish                    // the iteration at hand is the last
	interrupt                 // the iteration ends now; once more: without a grace
	terminate                 // it ends now, to be resumed
)

// presses counts the signals that reach a running loop. It may be told of them from several goroutines.
type presses struct {
	now    func() time.Time // required
	mu     sync.Mutex
	last   os.Signal
	lastAt time.Time
	ctrlC  int
}

// meaning says what the signal means: the first Ctrl-C lets the iteration end, any later one does not; TERM and HUP end
// it to be resumed. A repeat within a second means nothing.
func (p *presses) meaning(s os.Signal) stopping {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.now()
	if s == p.last && at.Sub(p.lastAt) <= time.Second {
		return repeated
	}
	p.last, p.lastAt = s, at
	if s != os.Interrupt {
		return terminate
	}
	if p.ctrlC++; p.ctrlC == 1 {
		return finish
	}
	return interrupt
}

// obey hands the meaning on.
func (p *presses) obey(s os.Signal, control *runner.Control, say func(string)) {
	switch p.meaning(s) {
	case repeated:
	case finish:
		say("this iteration is the last; Ctrl-C again ends it now")
		control.Finish()
	case interrupt:
		say("ending the iteration now")
		control.Interrupt()
	case terminate:
		control.Terminate()
	}
}
