//go:build unix

package proc

import (
	"errors"
	"os"
	"time"
)

// Sweep ends every process that carries the marker, except this process, those that started it and those that it
// started when it carries the marker itself, and what descends from them. It returns how many there were, and an error
// that names those that could not be ended. It is for what a dead loop left behind. Where the system does not let us
// read environments it finds none.
func Sweep(marker string, grace time.Duration) (int, error) { return sweep(marker, 0, grace, nil) }

// sweep ends what carries the marker and the members of the session; hurry, closed, ends the grace.
func sweep(marker string, session int, grace time.Duration, hurry <-chan struct{}) (int, error) {
	h := newHunt(marker)
	h.session = session
	if carries(os.Getpid(), h.entry) {
		h.spare = os.Getpid()
	}
	members, err := h.members()
	if err != nil || len(members) == 0 {
		return 0, err
	}
	if grace > 0 {
		h.term(members)
	}
	over := time.Now().Add(grace)
	for wait := shortPause; len(members) > 0 && time.Now().Before(over) && !isClosed(hurry); wait = min(2*wait, longPause) {
		select {
		case <-time.After(wait):
		case <-hurry:
		}
		members, _ = h.members()
	}
	pause := time.Duration(0)
	for stuck := time.Now().Add(killTime); len(members) > 0 && time.Now().Before(stuck); members, _ = h.members() {
		if h.kill() > 0 {
			pause, stuck = 0, time.Now().Add(killTime)
			continue
		}
		pause = min(max(2*pause, shortPause), longPause)
		<-time.After(pause)
	}
	delete(h.known, session) // the dead supervisor is not one of what it left behind
	if left := h.left(); left != "" {
		return len(h.known), errors.New("end processes: still there: " + left)
	}
	return len(h.known), nil
}
