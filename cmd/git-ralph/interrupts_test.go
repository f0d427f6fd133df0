package main

import (
	"context"
	"os"
	"slices"
	"syscall"
	"testing"
	"time"
)

func TestWhatSignalsMeanToARunningLoop(t *testing.T) {
	ctrlC, term, hup := os.Signal(os.Interrupt), os.Signal(syscall.SIGTERM), os.Signal(syscall.SIGHUP)
	type press struct {
		after  time.Duration // since the one before
		signal os.Signal
	}
	tests := []struct {
		name    string
		presses []press
		want    []stopping
	}{
		{"one, which git hands on a second time", []press{{0, ctrlC}, {time.Millisecond, ctrlC}}, []stopping{finish, repeated}},
		{"three", []press{{0, ctrlC}, {1100 * time.Millisecond, ctrlC}, {2 * time.Second, ctrlC}}, []stopping{finish, interrupt, interrupt}},
		{"hammering counts in the end", []press{{0, ctrlC}, {700 * time.Millisecond, ctrlC}, {700 * time.Millisecond, ctrlC}}, []stopping{finish, repeated, interrupt}},
		{"exactly a second is a repeat", []press{{0, ctrlC}, {time.Second, ctrlC}}, []stopping{finish, repeated}},
		{"TERM", []press{{0, term}, {time.Millisecond, term}, {2 * time.Second, term}}, []stopping{terminate, repeated, terminate}},
		{"TERM right after Ctrl-C", []press{{0, ctrlC}, {time.Millisecond, term}}, []stopping{finish, terminate}},
		{"HUP", []press{{0, hup}}, []stopping{terminate}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
			p := &presses{now: func() time.Time { return now }}
			var got []stopping
			for _, press := range test.presses {
				now = now.Add(press.after)
				got = append(got, p.meaning(press.signal))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got %v, want %v", got, test.want)
			}
		})
	}
}

func TestSignalsGoToWhoTookThemOverLast(t *testing.T) {
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	i := &interrupts{}
	i.to(cancelWith(cancel))
	signals, heard := make(chan os.Signal), make(chan os.Signal, 1)
	go i.follow(signals, ctx.Done())
	back := i.to(func(s os.Signal) { heard <- s })
	signals <- syscall.SIGHUP
	if got := <-heard; got != syscall.SIGHUP || ctx.Err() != nil {
		t.Errorf("heard %v, context %v", got, ctx.Err())
	}
	back()
	signals <- os.Interrupt
	<-ctx.Done()
	if got := context.Cause(ctx); got != (signalError{os.Interrupt}) {
		t.Errorf("cause %v", got)
	}
}
