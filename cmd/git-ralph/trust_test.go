package main

import (
	"errors"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/git-ralph/git-ralph/runner"
)

func TestApproveRefusesWhereNobodyCanBeAsked(t *testing.T) {
	claims := []runner.Claim{{Kind: "verify", Value: "make", Source: ".ralph.toml"}}
	a := newTestApp(t)
	e, ok := errors.AsType[*runner.UntrustedError](a.approve(claims, false))
	if !ok || len(e.Claims) != 1 {
		t.Errorf("got %v", e)
	}
	if err := a.approve(claims, true); err != nil {
		t.Errorf("with --yes: %v", err)
	}
}

func TestAskTakesOnlyAYes(t *testing.T) {
	for typed, want := range map[string]bool{"y\n": true, "YES \n": true, "n\n": false, "\n": false, "": false, "yellow\n": false, "y": true} {
		a := newTestApp(t)
		a.stdin = strings.NewReader(typed)
		if got, err := a.ask("run it? "); err != nil || got != want {
			t.Errorf("%q: %v, %v", typed, got, err)
		}
	}
}

func TestASignalIsANo(t *testing.T) {
	a := newTestApp(t)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	defer write.Close()
	a.stdin = read
	signals, done := make(chan os.Signal), make(chan struct{})
	a.interrupts.to(func(os.Signal) { t.Error("the signal went past the question") })
	go a.interrupts.follow(signals, done)
	defer close(done)
	asked := make(chan struct{})
	a.stderr = onceWritten{asked: asked, once: new(sync.Once)}
	answered := make(chan error)
	go func() {
		_, err := a.ask("run it? ")
		answered <- err
	}()
	<-asked
	signals <- os.Interrupt
	if err := <-answered; err != (signalError{os.Interrupt}) {
		t.Errorf("got %v", err)
	}
}

// onceWritten closes a channel when something is written.
type onceWritten struct {
	asked chan struct{}
	once  *sync.Once
}

func (w onceWritten) Write(b []byte) (int, error) {
	w.once.Do(func() { close(w.asked) })
	return len(b), nil
}
