package main

import (
	"slices"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

func TestOutcomesInWordsHintsAndStatus(t *testing.T) {
	base := &gitstate.Base{Branch: "main", Commit: plumbing.NewHash("1f2e3d4c5b6a79880f1e2d3c4b5a69788f9e0d1c")}
	back := "go back: git switch main"
	config := runner.Config{MaxIterations: 20, MaxDuration: runner.Duration(2 * time.Hour)}
	tests := []struct {
		name    string
		outcome runner.Outcome
		blocked string
		status  int
		words   string
		hints   []string
	}{
		{"promise", runner.Outcome{Exit: gitstate.PromiseDetected, Totals: gitstate.Totals{Iteration: 3, Verify: &gitstate.Verify{Passed: true}}}, "",
			0, "done after 3 iterations: promise kept, verify passed", []string{"see what changed: git ralph diff --loop a", back}},
		{"no promise asked for", runner.Outcome{Exit: gitstate.ProcessSuccess, Totals: gitstate.Totals{Iteration: 1}}, "",
			0, "done after 1 iteration: the program ended well", []string{"see what changed: git ralph diff --loop a", back}},
		{"done before", runner.Outcome{Exit: gitstate.PromiseDetected, Already: true, Totals: gitstate.Totals{Iteration: 3}}, "",
			0, "already done after 3 iterations: nothing was run", []string{"see what changed: git ralph diff --loop a", back}},
		{"iterations", runner.Outcome{Exit: gitstate.MaxIterations, Totals: gitstate.Totals{Iteration: 20}}, "",
			3, "stopped after 20 iterations: that is the limit", []string{"go on: git ralph resume a --max-iterations 40", back}},
		{"time", runner.Outcome{Exit: gitstate.LimitReached, Totals: gitstate.Totals{Iteration: 2, Elapsed: 2 * time.Hour}}, "",
			3, "stopped after 2 iterations: the limit of 2h is reached", []string{"go on: git ralph resume a --max-duration 4h", back}},
		{"no progress", runner.Outcome{Exit: gitstate.NoProgress, Totals: gitstate.Totals{Iteration: 5, IdleStreak: 3}}, "",
			3, "stopped after 5 iterations: the last 3 changed nothing", []string{`help it: git ralph tell --loop a "..."`, "go on: git ralph resume a", back}},
		{"blocked", runner.Outcome{Exit: gitstate.Blocked, Totals: gitstate.Totals{Iteration: 5}}, "no key\x1b[2J",
			3, "stopped after 5 iterations: the agent is blocked: no key", []string{`help it: git ralph tell --loop a "..."`, "go on: git ralph resume a", back}},
		{"failing", runner.Outcome{Exit: gitstate.Failing, Totals: gitstate.Totals{Iteration: 5, FailureStreak: 3}}, "",
			1, "stopped after 5 iterations: the last 3 failed", []string{"see why: git ralph show --loop a", "go on: git ralph resume a", back}},
		{"cancelled", runner.Outcome{Exit: gitstate.UserCancelled, Totals: gitstate.Totals{Iteration: 1}}, "",
			130, "cancelled after 1 iteration", []string{"go on: git ralph resume a", back}},
		{"paused", runner.Outcome{Paused: true, Totals: gitstate.Totals{Iteration: 1}}, "",
			3, "paused after 1 iteration", []string{"go on: git ralph resume a", back}},
		{"interrupted", runner.Outcome{Totals: gitstate.Totals{Iteration: 2}}, "",
			3, "interrupted after 2 iterations: all of it is in git", []string{"go on: git ralph resume a", back}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := test.outcome
			o.Loop, o.Base = "a", base
			v := runner.View{Config: config, State: gitstate.State{Last: gitstate.Record{Blocked: test.blocked}}}
			if got := outcomeStatus(o); got != test.status {
				t.Errorf("status %d, want %d", got, test.status)
			}
			if got := outcomeWords(o, v); got != test.words {
				t.Errorf("words %q, want %q", got, test.words)
			}
			if got := outcomeHints(o, v); !slices.Equal(got, test.hints) {
				t.Errorf("hints %q, want %q", got, test.hints)
			}
		})
	}
}

func TestTheWayBack(t *testing.T) {
	commit := plumbing.NewHash("1f2e3d4c5b6a79880f1e2d3c4b5a69788f9e0d1c")
	for want, o := range map[string]runner.Outcome{
		"go back: git switch 'odd name'":           {Base: &gitstate.Base{Branch: "odd name", Commit: commit}},
		"go back: git switch --detach 1f2e3d4c5b":  {Base: &gitstate.Base{Branch: "HEAD", Commit: commit}},
		"its work tree: cd '/src/my app-add-auth'": {Base: &gitstate.Base{Branch: "main"}, Worktree: "/src/my app-add-auth"},
	} {
		if got := wayBack(o); !slices.Equal(got, []string{want}) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
	if got := wayBack(runner.Outcome{}); len(got) > 0 {
		t.Errorf("of an unknown base: %q", got)
	}
}
