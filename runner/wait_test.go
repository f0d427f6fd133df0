package runner

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
)

func TestBackoff(t *testing.T) {
	for n, want := range map[int]time.Duration{1: 30 * time.Second, 2: time.Minute, 3: 2 * time.Minute, 6: 16 * time.Minute, 7: 30 * time.Minute, 1000: 30 * time.Minute} {
		if got := backoff(limitPause, limitPauseMost, n); got != want {
			t.Errorf("the %dth pause is %s, want %s", n, got, want)
		}
	}
}

func TestPauseAfter(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	tests := []struct {
		name        string
		verdict     agent.Verdict
		tries       int
		least, most time.Duration
		again       bool
	}{
		{"the agent says when", agent.Verdict{Class: agent.RateLimited, ResetAt: now.Add(time.Hour)}, 1, time.Hour, time.Hour + 30*time.Second, true},
		{"a short while is believed once", agent.Verdict{Class: agent.RateLimited, ResetAt: now.Add(2 * time.Second)}, 1, 2 * time.Second, 3 * time.Second, true},
		{"not twice", agent.Verdict{Class: agent.RateLimited, ResetAt: now.Add(2 * time.Second)}, 2, time.Minute, 66 * time.Second, true},
		{"and less and less", agent.Verdict{Class: agent.RateLimited, ResetAt: now.Add(2 * time.Second)}, 9, 30 * time.Minute, 31 * time.Minute, true},
		{"a long while always is", agent.Verdict{Class: agent.RateLimited, ResetAt: now.Add(5 * time.Hour)}, 9, 5 * time.Hour, 5*time.Hour + 30*time.Second, true},
		{"it does not say", agent.Verdict{Class: agent.RateLimited}, 2, time.Minute, 66 * time.Second, true},
		{"it says a time that is over", agent.Verdict{Class: agent.RateLimited, ResetAt: now.Add(-time.Hour)}, 1, 30 * time.Second, 33 * time.Second, true},
		{"a passing failure", agent.Verdict{Class: agent.Transient}, 1, 5 * time.Second, 6 * time.Second, true},
		{"the last passing failure", agent.Verdict{Class: agent.Transient}, 3, 20 * time.Second, 22 * time.Second, true},
		{"one passing failure too many", agent.Verdict{Class: agent.Transient}, 4, 0, time.Hour, false},
		{"an ordinary failure", agent.Verdict{Class: agent.Failed}, 1, 0, 0, false},
		{"a refusal", agent.Verdict{Class: agent.Refused}, 1, 0, 0, false},
	}
	for _, test := range tests {
		pause, _, again := pauseAfter(test.verdict, test.tries, 3, now)
		if again != test.again || pause < test.least || pause > test.most {
			t.Errorf("%s: %s, %t; want %s to %s, %t", test.name, pause, again, test.least, test.most, test.again)
		}
	}
}

// Loops that were stopped together do not go on together.
func TestJitter(t *testing.T) {
	for _, pause := range []time.Duration{time.Second, 30 * time.Second, 5 * time.Hour} {
		seen := map[time.Duration]bool{}
		for range 100 {
			got := jitter(pause)
			if got < pause || got > pause+min(pause/10, 30*time.Second) {
				t.Fatalf("%s becomes %s", pause, got)
			}
			seen[got] = true
		}
		if len(seen) < 50 {
			t.Errorf("%s: only %d different pauses of 100", pause, len(seen))
		}
	}
}

// An agent that meets a limit again and again waits longer and longer, whatever comes between; a limit ends a row of passing failures.
func TestTries(t *testing.T) {
	var tried tries
	for i, c := range []struct {
		class agent.Class
		want  int
	}{
		{agent.Transient, 1}, {agent.Transient, 2}, {agent.RateLimited, 1}, {agent.Transient, 1}, {agent.RateLimited, 2}, {agent.RateLimited, 3}, {agent.Transient, 1},
	} {
		if got := tried.count(c.class); got != c.want {
			t.Errorf("run %d (%s) is number %d, want %d", i, c.class, got, c.want)
		}
	}
}

// A wait is over at its time by the clock on the wall: a machine that slept meanwhile does not wait for as long again.
func TestSleepGoesByTheWall(t *testing.T) {
	for name, c := range map[string]struct{ slept, want time.Duration }{
		"awake":             {0, time.Hour},
		"asleep for a part": {20 * time.Minute, 40 * time.Minute},
		"asleep beyond it":  {5 * time.Hour, requestPause},
	} {
		synctest.Test(t, func(t *testing.T) {
			began := time.Now()
			l := &loop{control: NewControl(), Runner: &Runner{Now: func() time.Time {
				if time.Since(began) == 0 {
					return began
				}
				return time.Now().Add(c.slept)
			}}}
			if !l.sleep(time.Hour) || time.Since(began) != c.want {
				t.Errorf("%s: woke after %v, want %v", name, time.Since(began), c.want)
			}
		})
	}
}

// What earlier tries and waits of an iteration took counts against the loop's time.
func TestAgentTimeout(t *testing.T) {
	now := time.Now()
	for name, c := range map[string]struct {
		timeout, most, before, already, want time.Duration
	}{
		"no limit":             {0, 0, time.Hour, time.Hour, 0},
		"the iteration's":      {time.Hour, 0, 0, time.Hour, time.Hour},
		"the loop's is longer": {time.Hour, 3 * time.Hour, time.Hour, 0, time.Hour},
		"the loop's is less":   {time.Hour, 2 * time.Hour, 90 * time.Minute, 0, 30 * time.Minute},
		"after a wait":         {time.Hour, 2 * time.Hour, 0, 110 * time.Minute, 10 * time.Minute},
		"alone":                {0, 2 * time.Hour, time.Hour, 10 * time.Minute, 50 * time.Minute},
		"nothing is left":      {time.Hour, time.Hour, 0, 2 * time.Hour, time.Second},
	} {
		l := &loop{
			Runner: &Runner{Now: func() time.Time { return now }}, state: gitstate.State{Totals: gitstate.Totals{Elapsed: c.before}},
			config: Config{Timeout: Duration(c.timeout), MaxDuration: Duration(c.most)},
		}
		if got := l.agentTimeout(&iteration{started: now.Add(-c.already)}); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestOverBudget(t *testing.T) {
	half, tokens := 0.5, &gitstate.Tokens{Input: 60, Output: 40, Cached: 1000}
	tests := []struct {
		name   string
		config Config
		totals gitstate.Totals
		cost   *float64
		want   bool
	}{
		{"no budget", Config{}, gitstate.Totals{CostUSD: &half, Tokens: tokens}, &half, false},
		{"below", Config{MaxCost: 1.01}, gitstate.Totals{CostUSD: &half}, &half, false},
		{"reached by both together", Config{MaxCost: 1}, gitstate.Totals{CostUSD: &half}, &half, true},
		{"a sum that the machine has a little too low", Config{MaxCost: 0.9}, gitstate.Totals{CostUSD: new(0.3 + 0.3)}, new(0.3), true},
		{"tokens reached", Config{MaxTokens: 100}, gitstate.Totals{Tokens: tokens}, nil, true},
		{"cached tokens do not count", Config{MaxTokens: 101}, gitstate.Totals{Tokens: tokens}, nil, false},
		{"unknown is not zero, and not too much", Config{MaxCost: 1}, gitstate.Totals{}, nil, false},
	}
	for _, test := range tests {
		if got := overBudget(test.config, test.totals, nil, test.cost); got != test.want {
			t.Errorf("%s: %t", test.name, got)
		}
	}
}
