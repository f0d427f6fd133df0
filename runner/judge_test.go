package runner

import (
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestJudge(t *testing.T) {
	limits := Config{MaxIterations: 5, MaxFailures: 3, NoProgress: 2, MaxDuration: Duration(time.Hour)}
	everything := gitstate.Totals{Iteration: 5, FailureStreak: 3, IdleStreak: 2, Elapsed: time.Hour}
	tests := []struct {
		name   string
		config Config
		after  gitstate.Totals
		end    ending
		want   gitstate.Exit
	}{
		{"nothing is reached", limits, gitstate.Totals{Iteration: 4, FailureStreak: 2, IdleStreak: 1, Elapsed: time.Hour - 1}, ending{}, ""},
		{"done comes before all", limits, everything, ending{done: gitstate.PromiseDetected, blocked: true, cancelled: true}, gitstate.PromiseDetected},
		{"done counts when the program is told to go", limits, everything, ending{done: gitstate.PromiseDetected, terminated: true}, gitstate.PromiseDetected},
		{"the rest is judged later then", limits, everything, ending{blocked: true, hopeless: true, terminated: true}, ""},
		{"then blocked", limits, everything, ending{blocked: true, cancelled: true}, gitstate.Blocked},
		{"then cancelled", limits, everything, ending{cancelled: true}, gitstate.UserCancelled},
		{"then failing", limits, everything, ending{}, gitstate.Failing},
		{"then no progress", limits, gitstate.Totals{Iteration: 5, IdleStreak: 2, Elapsed: time.Hour}, ending{}, gitstate.NoProgress},
		{"then time", limits, gitstate.Totals{Iteration: 5, Elapsed: time.Hour}, ending{}, gitstate.LimitReached},
		{"then iterations", limits, gitstate.Totals{Iteration: 5}, ending{}, gitstate.MaxIterations},
		{"0 switches every limit off", Config{}, gitstate.Totals{Iteration: 1000, FailureStreak: 99, IdleStreak: 99, Elapsed: 99 * time.Hour}, ending{}, ""},
	}
	for _, test := range tests {
		if got := judge(test.config, test.after, test.end); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestDoneBy(t *testing.T) {
	passed, failed := &verifyResult{passed: true}, &verifyResult{}
	checked, promise, none := Config{Promise: "X", Verify: []string{"true"}}, Config{Promise: "X"}, Config{}
	tests := []struct {
		name                string
		config              Config
		completed, promised bool
		verify              *verifyResult
		want                gitstate.Exit
	}{
		{"promise and verify", checked, true, true, passed, gitstate.PromiseDetected},
		{"verify failed", checked, true, true, failed, ""},
		{"verify did not run", checked, true, true, nil, ""},
		{"verify passed without a promise", checked, true, false, passed, ""},
		{"promise alone, nothing to verify", promise, true, true, nil, gitstate.PromiseDetected},
		{"promise of a run that failed", promise, false, true, nil, ""},
		{"no promise asked for: the exit code decides", none, true, false, nil, gitstate.ProcessSuccess},
		{"no promise asked for, failed", none, false, false, nil, ""},
	}
	for _, test := range tests {
		if got := doneBy(test.config, test.completed, test.promised, test.verify); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
