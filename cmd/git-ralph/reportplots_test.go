package main

import (
	"fmt"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/report"
	"github.com/git-ralph/git-ralph/gitstate"
)

func TestPlots(t *testing.T) {
	t.Parallel()
	plots := plotsOf([]iterationView{
		{record: gitstate.Record{Iteration: 1, Duration: new(90 * time.Second), CostUSD: new(0.5), Tokens: &gitstate.Tokens{Input: 1000, Output: 20, Cached: 7},
			Files: &gitstate.FileCounts{Created: 1, Modified: 2, Deleted: 3, Renamed: 4}, Tests: &gitstate.TestCounts{Passed: 5, Failed: 2, Skipped: 9}}},
		{record: gitstate.Record{Iteration: 2, Duration: new(30 * time.Second), CostUSD: new(0.25), Tests: &gitstate.TestCounts{Passed: 8}}},
	})
	want := []report.Plot{
		{Title: "Duration", Words: "2m in all", Most: "1m30s", Parts: []report.Part{{}}, Columns: []report.Column{
			{Words: "iteration 1: 1m30s", Values: []float64{90e9}}, {Words: "iteration 2: 30s", Values: []float64{30e9}},
		}},
		{Title: "Tokens", Words: "at least 1,020 in all, not told by 1", Most: "1,020", Parts: []report.Part{{Name: "in"}, {Name: "out"}}, Columns: []report.Column{
			{Words: "iteration 1: 1,000 in, 20 out", Values: []float64{1000, 20}}, {Words: "iteration 2: not told"},
		}},
		{Title: "Cost", Words: "0.75 USD in all", Most: "0.50 USD", Parts: []report.Part{{}}, Columns: []report.Column{
			{Words: "iteration 1: 0.50 USD", Values: []float64{0.5}}, {Words: "iteration 2: 0.25 USD", Values: []float64{0.25}},
		}},
		{Title: "Files changed", Words: "not told by 1", Most: "10", Parts: []report.Part{{Name: "created"}, {Name: "modified"}, {Name: "deleted"}, {Name: "renamed"}},
			Columns: []report.Column{{Words: "iteration 1: 1 created, 2 modified, 3 deleted, 4 renamed", Values: []float64{1, 2, 3, 4}}, {Words: "iteration 2: not told"}}},
		{Title: "Tests", Most: "8", Parts: []report.Part{{Name: "passed", Mood: report.Good}, {Name: "failed", Mood: report.Bad}}, Columns: []report.Column{
			{Words: "iteration 1: 5 passed, 2 failed", Values: []float64{5, 2}}, {Words: "iteration 2: 8 passed, 0 failed", Values: []float64{8, 0}},
		}},
	}
	for i := range max(len(plots), len(want)) {
		if i >= len(plots) || i >= len(want) || fmt.Sprintf("%+v", plots[i]) != fmt.Sprintf("%+v", want[i]) {
			t.Errorf("plot %d: got\n%+v\nwant\n%+v", i, plots[min(i, len(plots)-1)], want[min(i, len(want)-1)])
		}
	}
	if plots := plotsOf([]iterationView{{record: gitstate.Record{Iteration: 1}}}); plots != nil {
		t.Errorf("of what is not known there are plots: %+v", plots)
	}
}
