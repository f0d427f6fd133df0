package gitstate

import (
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Totals is what a loop has come to at one of our commits. It follows from the trailers of the chain alone
// ([Totals.Add]); a note holds it so that nobody has to walk.
type Totals struct {
	Opening       plumbing.Hash  // the loop's opening commit
	Config        plumbing.Hash  // our last commit that holds the configuration: the opening or a resume
	StartedAt     time.Time      // of the opening
	Iteration     int            // last number
	Iterations    map[Status]int // iterations by status
	Elapsed       time.Duration  // sum of the iterations' durations
	Tokens        *Tokens        // nil: no iteration told any
	CostUSD       *float64       // nil: no iteration told any
	TokensUnknown int            // iterations that told no tokens
	CostUnknown   int            // iterations that told no cost

	FailureStreak int // iterations in a row that failed, as the limit counts them
	IdleStreak    int // completed iterations in a row without progress
	BestPassed    int // most tests passed in any iteration; -1: none told

	LastIteration plumbing.Hash // our last commit with a status; zero: none
	LastTree      plumbing.Hash // tree of our last commit
	LastStatus    Status        // of the last iteration; empty: none
	Files         *FileCounts   // of the last iteration
	Tests         *TestCounts   // last known
	Verify        *Verify       // last known
	Context       *int          // percent, of the last iteration
	Exit          Exit          // why the loop ended; empty while it goes on
	Paused        bool          // nothing came after the last pause, rewind or undo

	Tasks *TaskTotals // nil: the loop has no plan, or has not begun with its tasks

	verifyAlways bool // of the configuration in force: a verify says nothing of a promise
}

// Add returns the totals after r, the record that follows.
func (t Totals) Add(r Record) Totals {
	switch r.Kind {
	case Opening:
		t = Totals{Opening: r.Commit, StartedAt: r.Time, BestPassed: -1}
	case Iteration:
		t = t.addIteration(r)
	case Event:
		t = t.addEvent(r)
	}
	if len(r.Config) > 0 {
		t.Config = r.Commit
		t.verifyAlways = verifiesAlways(r.Config)
	}
	if r.Exit != "" {
		t.Exit = r.Exit
	}
	t.LastTree = r.Tree
	t.Tasks = t.Tasks.addTask(r)
	return t
}

// addEvent follows the events that change what a loop may do. Streaks start anew after an end, not after a crash.
func (t Totals) addEvent(r Record) Totals {
	switch r.Event {
	case EventPause:
		t = t.addSpent(r)
		t.Paused = true
	case EventCancel:
		t = t.addSpent(r)
	case EventResume:
		if t.Exit != "" {
			t.FailureStreak, t.IdleStreak = 0, 0
		}
		t.Exit, t.Paused = "", false
	case EventRewind, EventUndo:
		t = t.addSpent(r)
		t.Paused = true // what is uncommitted from here on is the user's
	}
	return t
}

func (t Totals) addIteration(r Record) Totals {
	t.Iteration, t.LastIteration, t.LastStatus = r.Iteration, r.Commit, r.Status
	counts := make(map[Status]int, len(t.Iterations)+1)
	for status, n := range t.Iterations {
		counts[status] = n
	}
	counts[r.Status]++
	t.Iterations = counts
	if r.Duration != nil {
		t.Elapsed += *r.Duration
	}
	t = t.addUsage(r)
	t = t.addStreaks(r)
	t.Files, t.Context = r.Files, r.Context
	if r.Tests != nil {
		t.Tests = r.Tests
		t.BestPassed = max(t.BestPassed, r.Tests.Passed)
	}
	if r.Verify != nil {
		t.Verify = r.Verify
	}
	return t
}

func (t Totals) addUsage(r Record) Totals {
	if r.Tokens == nil {
		t.TokensUnknown++
	}
	if r.CostUSD == nil {
		t.CostUnknown++
	}
	return t.addKnown(r)
}

// addKnown adds the tokens and the cost that a record tells.
func (t Totals) addKnown(r Record) Totals {
	if r.Tokens != nil {
		sum := *r.Tokens
		if t.Tokens != nil {
			sum = Tokens{sum.Input + t.Tokens.Input, sum.Output + t.Tokens.Output, sum.Cached + t.Tokens.Cached}
		}
		t.Tokens = &sum
	}
	if r.CostUSD != nil {
		sum := *r.CostUSD
		if t.CostUSD != nil {
			sum += *t.CostUSD
		}
		t.CostUSD = &sum
	}
	return t
}

// addStreaks counts failures and idle iterations in a row. An interrupted iteration says nothing of either; a failed verify is no failure.
func (t Totals) addStreaks(r Record) Totals {
	if r.Task != "" && (r.Verify != nil && r.Verify.Passed || r.Blocked != "") { // a task that is settled, one way or the other, is progress
		t.FailureStreak, t.IdleStreak = 0, 0
		return t
	}
	switch r.Status {
	case Failed, TimedOut, Stalled, Skipped:
		t.FailureStreak++
	case Completed:
		t.FailureStreak = 0
		better := r.Tests != nil && r.Tests.Passed > t.BestPassed
		promised := r.Verify != nil && !t.verifyAlways
		changed := r.Tree != t.LastTree
		if r.Task != "" { // the loop marks its task in the tree itself; verify runs when anything else changed
			changed = r.Verify != nil
		}
		if changed || better || promised {
			t.IdleStreak = 0
		} else {
			t.IdleStreak++
		}
	}
	return t
}

// verifiesAlways reports whether a configuration lets verify run without a promise.
func verifiesAlways(config []string) bool { return slices.Contains(config, `verify_when = "always"`) }
