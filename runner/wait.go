package runner

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// How long is waited before the agent is tried again when it does not say so itself: the first time, and at most. Each time it is twice as long.
const (
	limitPause, limitPauseMost     = 30 * time.Second, 30 * time.Minute
	passingPause, passingPauseMost = 5 * time.Second, 5 * time.Minute
)

// backoff is the pause before the nth try again, n from 1.
func backoff(first, most time.Duration, n int) time.Duration {
	pause := first
	for ; n > 1 && pause < most; n-- {
		pause *= 2
	}
	return min(pause, most)
}

// jitter makes a pause a little longer, so that loops that were stopped together do not go on together.
func jitter(pause time.Duration) time.Duration {
	return pause + rand.N(min(pause/10, 30*time.Second)+1)
}

// tries counts how often an iteration's agent met a limit, and how often in a row a passing failure.
type tries struct{ limited, passing int }

// count counts one more run, and returns how many ended the same way.
func (t *tries) count(class agent.Class) int {
	if class == agent.Transient {
		t.passing++
		return t.passing
	}
	t.passing = 0
	t.limited++
	return t.limited
}

// pauseAfter says how long to wait before the same iteration is run again, and why; ok is false when a verdict is not to be waited for. tries counts
// the runs of this iteration that ended the same way: an agent that names a short while again and again is not believed the second time.
func pauseAfter(v agent.Verdict, tries, maxRetries int, now time.Time) (pause time.Duration, why string, ok bool) {
	switch v.Class {
	case agent.RateLimited:
		pause = backoff(limitPause, limitPauseMost, tries)
		if left := v.ResetAt.Sub(now); !v.ResetAt.IsZero() && left > 0 && (tries == 1 || left > pause) {
			pause = left
		}
		return jitter(pause), "rate limit", true
	case agent.Transient:
		return jitter(backoff(passingPause, passingPauseMost, tries)), "passing failure", maxRetries == 0 || tries <= maxRetries
	}
	return 0, "", false
}

// wait waits in the phase of that name. It returns false, and the iteration's status says why, when the user or the loop's time limit ends the wait.
func (l *loop) wait(it *iteration, pause time.Duration, why string) bool {
	now := l.Now()
	limited := false
	if l.config.MaxDuration > 0 {
		if left := l.timeLeft(it); left < pause {
			pause, limited = max(left, 0), true
		}
	}
	l.live.Phase, l.live.Since, l.live.Until = Waiting, now, now.Add(pause)
	writeLive(l.repo, l.state.Loop.Name, l.live)
	l.emit(Event{Type: PhaseChanged, Iteration: it.number, Phase: Waiting, Until: l.live.Until, Text: why})
	defer func() { l.live.Until = time.Time{} }()
	if !l.sleep(pause) {
		it.stoppedWaiting = true
		it.status, it.failure = gitstate.Interrupted, fmt.Sprintf("stopped by the user while it waited (%s)", why)
		return false
	}
	if limited {
		it.status, it.failure = gitstate.Interrupted, fmt.Sprintf("the loop's time was over while it waited (%s)", why)
	}
	return !limited
}

// sleep waits until that much time is over by the clock on the wall, which goes on while the machine sleeps; false: the user wants the loop to stop. That a
// stop after the iteration was asked for counts too: nothing runs that could be finished.
func (l *loop) sleep(pause time.Duration) bool {
	until := l.Now().Round(0).Add(pause)
	over := time.NewTimer(pause)
	defer over.Stop()
	look := time.NewTicker(requestPause)
	defer look.Stop()
	for {
		select {
		case <-over.C:
			return true
		case <-l.control.now.Done():
			return false
		case <-look.C:
			if level, paused := l.control.wants(); level > goOn || paused {
				return false
			}
			if !l.Now().Round(0).Before(until) {
				return true
			}
		}
	}
}
