package main

import (
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestShortDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second:                 "0.0s",
		0:                            "0.0s",
		420 * time.Millisecond:       "0.4s",
		9940 * time.Millisecond:      "9.9s",
		9960 * time.Millisecond:      "10s",
		59400 * time.Millisecond:     "59s",
		59600 * time.Millisecond:     "1m",
		133400 * time.Millisecond:    "2m13s",
		10 * time.Minute:             "10m",
		time.Hour - time.Millisecond: "1h",
		65 * time.Minute:             "1h05m",
		24*time.Hour - time.Second:   "1d",
		76 * time.Hour:               "3d04h",
	} {
		if got := shortDuration(d); got != want {
			t.Errorf("shortDuration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestRoughDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Hour: "0s", 59 * time.Second: "59s", 119 * time.Second: "1m", 47 * time.Hour: "47h", 49 * time.Hour: "2d",
	} {
		if got := roughDuration(d); got != want {
			t.Errorf("roughDuration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestAgo(t *testing.T) {
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for then, want := range map[time.Time]string{
		now.Add(-4 * time.Second):  "just now",
		now.Add(time.Hour):         "just now",
		now.Add(-12 * time.Minute): "12m ago",
	} {
		if got := ago(then, now); got != want {
			t.Errorf("ago(%v) = %q, want %q", then, got, want)
		}
	}
}

func TestClockUsesTheReadersZone(t *testing.T) {
	now := time.Date(2026, 1, 2, 0, 30, 0, 0, time.FixedZone("", 3600))
	for then, want := range map[time.Time]string{
		time.Date(2026, 1, 1, 23, 10, 0, 0, time.UTC): "00:10:00",
		time.Date(2026, 1, 1, 22, 10, 0, 0, time.UTC): "2026-01-01 23:10:00",
	} {
		if got := clock(then, now); got != want {
			t.Errorf("clock(%v) = %q, want %q", then, got, want)
		}
	}
}

func TestAmounts(t *testing.T) {
	for _, c := range []struct{ got, want string }{
		{grouped(0), "0"},
		{grouped(999), "999"},
		{grouped(1000), "1,000"},
		{grouped(12034567), "12,034,567"},
		{grouped(-1234), "-1,234"},
		{grouped(-123), "-123"},
		{counted(1, "commit"), "1 commit"},
		{counted(0, "commit"), "0 commits"},
		{counted(1200, "commit"), "1,200 commits"},
		{costWords(0), "0.00 USD"},
		{costWords(0.004), "0.0040 USD"},
		{costWords(0.42), "0.42 USD"},
		{costWords(12.345), "12.35 USD"},
		{tokenWords(gitstate.Tokens{Input: 12034, Output: 843, Cached: 9000}), "12,034 in, 843 out, 9,000 cached"},
		{fileWords(gitstate.FileCounts{}), "no files changed"},
		{fileWords(gitstate.FileCounts{Created: 2, Deleted: 1}), "2 created, 1 deleted"},
		{fileWords(gitstate.FileCounts{Modified: 3, Renamed: 4}), "3 modified, 4 renamed"},
		{testWords(gitstate.TestCounts{}), "no tests ran"},
		{testWords(gitstate.TestCounts{Passed: 41, Failed: 1, Skipped: 2}), "41 passed, 1 failed, 2 skipped"},
		{verifyWords(gitstate.Verify{Passed: true}), "passed"},
		{verifyWords(gitstate.Verify{Passed: true, Command: "make test"}), "passed: make test"},
		{verifyWords(gitstate.Verify{ExitCode: 2, Command: "make\ntest"}), "failed (exit 2): make test"},
		{iterationOf(3, 20), "iteration 3 of 20"},
		{iterationOf(3, 0), "iteration 3"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestEveryExitHasWords(t *testing.T) {
	for _, e := range []gitstate.Exit{
		gitstate.PromiseDetected, gitstate.ProcessSuccess, gitstate.AllTasksDone, gitstate.TasksBlocked, gitstate.Blocked, gitstate.MaxIterations,
		gitstate.LimitReached, gitstate.NoProgress, gitstate.Failing, gitstate.UserCancelled, gitstate.ExitError,
	} {
		if words := exitWords(e); words == string(e) || words == "" {
			t.Errorf("exitWords(%q) = %q", e, words)
		}
	}
	if got := exitWords("from-a-later-version"); got != "from-a-later-version" {
		t.Errorf("an exit that is not known is shown as %q", got)
	}
}
