package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// stages is a loop that is acted out: every look at which iteration runs takes the next stage, the last one stays.
type stages struct {
	dir   string
	text  strings.Builder
	acts  []func() (n int, running bool)
	looks int
}

func (s *stages) follower() follower {
	return follower{
		out:  &s.text,
		path: func(n int) string { return filepath.Join(s.dir, fmt.Sprintf("%04d.out", n)) },
		poll: time.Nanosecond,
		current: func() (int, bool) {
			act := s.acts[min(s.looks, len(s.acts)-1)]
			s.looks++
			return act()
		},
	}
}

// at is a stage in which iteration n runs (0: not known) and nothing happens.
func at(n int) func() (int, bool) { return func() (int, bool) { return n, true } }

// over is the stage after the last one.
func over() (int, bool) { return 0, false }

// printing is a stage in which iteration n prints.
func (s *stages) printing(t *testing.T, n int, text string) func() (int, bool) {
	return func() (int, bool) {
		f, err := os.OpenFile(s.follower().path(n), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
		if err == nil {
			_, err = f.WriteString(text)
			err = errors.Join(err, f.Close())
		}
		if err != nil {
			t.Error(err)
		}
		return n, true
	}
}

func TestFollowCopiesWhatComesUntilTheIterationEnds(t *testing.T) {
	s := &stages{dir: t.TempDir()}
	s.acts = []func() (int, bool){at(1), s.printing(t, 1, "one "), at(0), s.printing(t, 1, "two "), func() (int, bool) {
		s.printing(t, 1, "last")() // after the loop was told to run, before it is found that it does not
		return over()
	}}
	if err := s.follower().follow(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if got := s.text.String(); got != "one two last" {
		t.Errorf("got %q", got)
	}
}

func TestFollowEndsWithItsIteration(t *testing.T) {
	s := &stages{dir: t.TempDir()}
	s.acts = []func() (int, bool){s.printing(t, 1, "one"), s.printing(t, 2, "two"), at(2)}
	if err := s.follower().follow(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if got := s.text.String(); got != "one" {
		t.Errorf("got %q", got)
	}
}

func TestFollowGoesOnInTheFileOfTheNextTry(t *testing.T) {
	s := &stages{dir: t.TempDir()}
	s.acts = []func() (int, bool){s.printing(t, 1, "rate"), func() (int, bool) {
		s.printing(t, 1, " limited\n")() // after the last look at this file
		if err := os.Rename(s.follower().path(1), s.follower().path(99)); err != nil {
			t.Error(err)
		}
		return s.printing(t, 1, "again\n")()
	}, over}
	if err := s.follower().follow(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if got := s.text.String(); got != "rate limited\nagain\n" {
		t.Errorf("got %q", got)
	}
}

func TestFollowLoopGoesThroughTheIterations(t *testing.T) {
	s := &stages{dir: t.TempDir()}
	s.acts = []func() (int, bool){s.printing(t, 1, "one "), at(0), s.printing(t, 2, "two "), at(2), at(3), s.printing(t, 4, "four "), at(4), s.printing(t, 5, "five"), over}
	if err := s.follower().followLoop(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if got := s.text.String(); got != "one two four five" {
		t.Errorf("got %q", got)
	}
}

func TestFollowSaysThatThereIsNoFile(t *testing.T) {
	s := &stages{dir: t.TempDir(), acts: []func() (int, bool){over}}
	if err := s.follower().follow(t.Context(), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("follow: %v", err)
	}
	if err := s.follower().followLoop(t.Context(), 1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("followLoop: %v", err)
	}
	if err := s.follower().copyOnce(1); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("copyOnce: %v", err)
	}
}

func TestFollowEndsWhenItIsCancelled(t *testing.T) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	s := &stages{dir: t.TempDir(), acts: []func() (int, bool){func() (int, bool) { cancel(stop); return 1, true }}}
	if err := s.follower().followLoop(ctx, 1); !errors.Is(err, stop) {
		t.Errorf("got %v", err)
	}
}
