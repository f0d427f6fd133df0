package main

import (
	"context"
	"os"
	"sync"
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
