package main

import (
	"encoding/json"
	"testing"
	"time"
)

// What is no name and no time of a branch stays: only the right part of it is filled in again.
func TestBranchTemplateOfALoop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ branch, loop, want string }{
		{"ralph/a", "a", "ralph/{loop}"},
		{"ralph/ralph", "ralph", "{loop}/{loop}"},
		{"a", "a", "{loop}"},
		{"work-a", "a", "work-{loop}"},
		{"a-ralph/x-a", "a", "a-ralph/x-{loop}"},
		{"ralph/20260102-030405", "add-auth", "ralph/{timestamp}"},
		{"loops/20260102-030405-add-auth", "add-auth", "loops/{timestamp}-{loop}"},
		{"elsewhere", "add-auth", "elsewhere"},
	} {
		if got := branchTemplate(c.branch, c.loop); got != c.want {
			t.Errorf("%s of loop %s: %s, want %s", c.branch, c.loop, got, c.want)
		}
	}
}

// The times of an exported loop are those of its commits and iterations.
func TestExportedTimes(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("agent", "*: write file $N\n2: promise COMPLETE\n")
	l.ralph(0, "start", "Do it", "--name", "a", "--command", "fake-agent ../agent")
	var state stateFile
	if err := json.Unmarshal([]byte(l.ralph(0, "export", "a")), &state); err != nil {
		t.Fatal(err)
	}
	committed := func(revision string) time.Time {
		at, err := time.Parse(time.RFC3339, l.git("log", "-1", "--format=%cI", revision))
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if state.StartedAt == nil || state.LastIterationAt == nil || state.CompletionAt == nil || len(state.IterationSummaries) != 2 {
		t.Fatalf("something is missing: %+v", state)
	}
	if want := committed("ralph/a~2"); !state.StartedAt.Equal(want) {
		t.Errorf("started at %s, the opening says %s", state.StartedAt, want)
	}
	if want := committed("ralph/a"); !state.CompletionAt.Equal(want) {
		t.Errorf("the promise stood at %s, its commit says %s", state.CompletionAt, want)
	}
	first, last := state.IterationSummaries[0], state.IterationSummaries[1]
	if !state.LastIterationAt.Equal(last.CompletedAt) || !last.CompletedAt.After(last.StartedAt) || !last.StartedAt.After(first.StartedAt) || last.StartedAt.Before(first.CompletedAt) {
		t.Errorf("last at %s; %+v", state.LastIterationAt, state.IterationSummaries)
	}
}
