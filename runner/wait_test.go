package runner

import (
	"testing"
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
		{"a short while stays short", agent.Verdict{Class: agent.RateLimited, ResetAt: now.Add(2 * time.Second)}, 9, 2 * time.Second, 3 * time.Second, true},
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
