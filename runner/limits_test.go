package runner

import (
	"fmt"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestReachedLimitsSayHowToRaiseThem(t *testing.T) {
	limits := Config{MaxIterations: 5, MaxDuration: Duration(time.Hour), MaxCost: 0.1, MaxTokens: 100}
	for want, totals := range map[string]gitstate.Totals{
		"[]":                                     {Iteration: 4, Elapsed: time.Hour - 1, CostUSD: new(0.0999), Tokens: &gitstate.Tokens{Input: 50, Output: 49, Cached: 1000}},
		"[{max_iterations --max-iterations 10}]": {Iteration: 5},
		"[{max_duration --max-duration 2h}]":     {Elapsed: time.Hour + time.Second},
		"[{max_duration --max-duration 20h} {max_iterations --max-iterations 20}]": {Elapsed: 10 * time.Hour, Iteration: 10},
		"[{max_cost --max-cost 0.2}]":                                {CostUSD: new(0.1)},
		"[{max_cost --max-cost 0.25} {max_tokens --max-tokens 240}]": {CostUSD: new(0.121), Tokens: &gitstate.Tokens{Input: 100, Output: 20}},
	} {
		if got := fmt.Sprint(ReachedLimits(limits, totals)); got != want {
			t.Errorf("%+v: %s, want %s", totals, got, want)
		}
	}
	if got := ReachedLimits(Config{}, gitstate.Totals{Iteration: 9, Elapsed: time.Hour, CostUSD: new(9.0), Tokens: &gitstate.Tokens{Input: 9}}); got != nil {
		t.Errorf("no limits, and reached are %v", got)
	}
	short := Config{MaxDuration: Duration(5 * time.Second)}
	if got := fmt.Sprint(ReachedLimits(short, gitstate.Totals{Elapsed: 5200 * time.Millisecond})); got != "[{max_duration --max-duration 10s}]" {
		t.Errorf("a short limit: %s", got)
	}
}
