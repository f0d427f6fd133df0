package gitstate

import (
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// iterations builds totals from an opening and one iteration a status; a tree of 0 is that of the one before.
func iterations(records ...Record) Totals {
	totals := Totals{}.Add(Record{Kind: Opening, Tree: plumbing.NewHash("01"), Config: []string{`verify_when = "promise"`}})
	tree := plumbing.NewHash("01")
	for i, record := range records {
		if record.Kind == "" {
			record.Kind, record.Iteration = Iteration, i+1
		}
		if record.Tree.IsZero() {
			record.Tree = tree
		}
		tree = record.Tree
		totals = totals.Add(record)
	}
	return totals
}

func TestFailureStreak(t *testing.T) {
	tests := []struct {
		statuses []Status
		want     int
	}{
		{[]Status{Failed, TimedOut, Stalled, Skipped}, 4},
		{[]Status{Failed, Completed, Failed}, 1},
		{[]Status{Failed, Interrupted, Failed}, 2},
	}
	for _, test := range tests {
		var records []Record
		for _, status := range test.statuses {
			records = append(records, Record{Status: status})
		}
		if got := iterations(records...).FailureStreak; got != test.want {
			t.Errorf("%v: %d, want %d", test.statuses, got, test.want)
		}
	}
}

func TestIdleStreak(t *testing.T) {
	changed := plumbing.NewHash("02")
	idle := Record{Status: Completed}
	tests := []struct {
		name    string
		records []Record
		want    int
	}{
		{"nothing changes", []Record{idle, idle}, 2},
		{"a changed tree is progress", []Record{idle, {Status: Completed, Tree: changed}}, 0},
		{"more tests passed is progress", []Record{{Status: Completed, Tests: &TestCounts{Passed: 1}}, {Status: Completed, Tests: &TestCounts{Passed: 2}}}, 0},
		{"as many tests passed is none", []Record{{Status: Completed, Tests: &TestCounts{Passed: 2}}, {Status: Completed, Tests: &TestCounts{Passed: 2}}}, 1},
		{"a promise that verify refused is progress", []Record{idle, {Status: Completed, Verify: &Verify{}}}, 0},
		{"a failure is neither", []Record{idle, {Status: Failed}, idle}, 2},
		{"an end and a resume begin anew", []Record{idle, {Status: Completed, Exit: NoProgress}, {Kind: Event, Event: EventResume}}, 0},
		{"a crash and a resume do not", []Record{idle, {Kind: Event, Event: EventResume}, idle}, 2},
	}
	for _, test := range tests {
		if got := iterations(test.records...).IdleStreak; got != test.want {
			t.Errorf("%s: %d, want %d", test.name, got, test.want)
		}
	}
}

func TestUnknownIsNotZero(t *testing.T) {
	totals := iterations(Record{Status: Completed}, Record{Status: Completed})
	if totals.Tokens != nil || totals.CostUSD != nil || totals.Tests != nil || totals.TokensUnknown != 2 {
		t.Errorf("unknown figures became known: %+v", totals)
	}
	cost, lasted := 0.25, time.Second
	totals = iterations(Record{Status: Completed, CostUSD: &cost, Duration: &lasted, Tokens: &Tokens{1, 2, 3}}, Record{Status: Failed, CostUSD: &cost, Duration: &lasted})
	if *totals.CostUSD != 0.5 || *totals.Tokens != (Tokens{1, 2, 3}) || totals.TokensUnknown != 1 || totals.Elapsed != 2*time.Second {
		t.Errorf("sums are wrong: %+v", totals)
	}
}
