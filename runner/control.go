package runner

import (
	"context"
	"errors"
	"sync"
)

// Control lets the caller of a running loop stop it. Its methods may be called from any goroutine.
type Control struct {
	mu     sync.Mutex
	level  stopLevel
	pause  bool
	now    context.Context
	cancel context.CancelCauseFunc
	kill   chan struct{}
	killed bool
}

// stopLevel is how a loop is to stop; a higher one wins.
type stopLevel int

const (
	goOn      stopLevel = iota
	finish              // after the iteration, cancelled
	interrupt           // now, cancelled
	terminate           // now, to be resumed
)

// errStopped is the cause with which a running iteration is cancelled.
var errStopped = errors.New("stopped")

// NewControl returns a control for one loop.
func NewControl() *Control {
	c := &Control{kill: make(chan struct{})}
	c.now, c.cancel = context.WithCancelCause(context.Background())
	return c
}

// Finish ends the loop after the iteration at hand (a first Ctrl-C): it is cancelled.
func (c *Control) Finish() { c.raise(finish) }

// Interrupt ends it now (a second Ctrl-C): the iteration is interrupted, the loop cancelled. Called again it ends the grace.
func (c *Control) Interrupt() { c.raise(interrupt) }

// Terminate ends it now without an end of the loop (TERM, HUP): the iteration is interrupted, resume goes on.
func (c *Control) Terminate() { c.raise(terminate) }

// Pause stops the loop after the iteration at hand without an end.
func (c *Control) Pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pause = true
}

func (c *Control) raise(level stopLevel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if level >= interrupt {
		if c.level >= interrupt && !c.killed {
			c.killed = true
			close(c.kill)
		}
		c.cancel(errStopped)
	}
	c.level = max(c.level, level)
}

func (c *Control) wants() (level stopLevel, pause bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.level, c.pause
}
