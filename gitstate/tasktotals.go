package gitstate

import (
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// TaskTotals is what a loop over a plan has come to at one of our commits. It grows with the waves and the blocked tasks, not with the iterations.
type TaskTotals struct {
	ID      string      // task of the last attempt; empty: none yet
	Wave    int         // its wave
	Attempt int         // attempts that it has used up; one that was interrupted uses up none
	Done    []string    // tasks that the loop finished, of waves that have no commit yet, in the order of their end
	Blocked []GivenUp   // tasks that the loop gave up and nobody retried, in the order of their end
	Waves   []WaveCount // waves that have their commit, by number
}

// GivenUp is a task that cannot be finished.
type GivenUp struct {
	Task   string        // its id
	Commit plumbing.Hash // the iteration that gave it up; its record tells the reason and the attempt
}

// WaveCount is a wave that was closed.
type WaveCount struct {
	Wave   int           // its number
	Commit plumbing.Hash // its commit, which names its tasks
	Done   int           // how many of them the loop finished
}

// addTask follows a record of a loop over a plan. The totals before are not changed.
func (t *TaskTotals) addTask(r Record) *TaskTotals {
	if r.Task == "" && r.Kind != Wave {
		return t
	}
	var next TaskTotals
	if t != nil {
		next = *t
	}
	switch {
	case r.Kind == Iteration:
		next = next.addAttempt(r)
	case r.Kind == Wave && r.Wave != nil:
		next = next.close(r)
	case r.Kind == Event && r.Event == EventRetry:
		next.Blocked = slices.DeleteFunc(slices.Clone(next.Blocked), func(g GivenUp) bool { return g.Task == r.Task })
		if next.ID == r.Task {
			next.Attempt = 0
		}
	default:
		return t
	}
	if len(next.Blocked) == 0 {
		next.Blocked = nil
	}
	if len(next.Done) == 0 {
		next.Done = nil
	}
	return &next
}

// addAttempt follows an iteration.
func (t TaskTotals) addAttempt(r Record) TaskTotals {
	t.ID = r.Task
	if r.Wave != nil {
		t.Wave = *r.Wave
	}
	if t.Attempt = 0; r.Attempt != nil {
		t.Attempt = *r.Attempt
	}
	if r.Status == Interrupted || r.Status == Skipped {
		t.Attempt = max(t.Attempt-1, 0)
	}
	switch {
	case r.Blocked != "":
		t.Blocked = append(slices.Clone(t.Blocked), GivenUp{r.Task, r.Commit})
	case r.Verify != nil && r.Verify.Passed:
		t.Done = append(slices.Clone(t.Done), r.Task)
	}
	return t
}

// close follows a wave's commit. One that was closed before, and has a retried task, is closed again by the later one.
func (t TaskTotals) close(r Record) TaskTotals {
	t.Done = slices.DeleteFunc(slices.Clone(t.Done), func(id string) bool { return slices.Contains(r.WaveDone, id) })
	closed := WaveCount{*r.Wave, r.Commit, len(r.WaveDone)}
	t.Waves = slices.Clone(t.Waves)
	at, found := slices.BinarySearchFunc(t.Waves, closed.Wave, func(w WaveCount, n int) int { return w.Wave - n })
	if found {
		t.Waves[at] = closed
	} else {
		t.Waves = slices.Insert(t.Waves, at, closed)
	}
	return t
}
