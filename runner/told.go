package runner

import (
	"context"
	"fmt"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/spec"
)

// told is an iteration that a prompt tells of.
type told struct {
	record *gitstate.Record // nil: there is none
	note   *gitstate.Note   // nil: none can be read, and the trailers are enough
}

// toldIn returns the iteration that the next prompt goes on from, and the one whose check it tells of. They differ when the last iteration of a task was interrupted
// or skipped: what the attempt before it failed at still holds.
func (l *loop) toldIn(ctx context.Context, it *iteration) (last, failed told, err error) {
	last = told{l.last, l.lastNote}
	if it.task == nil || it.task.attempt < 2 || l.last != nil && l.last.Task == it.task.id && used(*l.last) {
		return last, last, nil
	}
	for record, err := range l.repo.Records(ctx, l.state.Loop) {
		if err != nil {
			return last, last, err
		}
		if record.Task != it.task.id || record.Kind != gitstate.Iteration || !used(record) {
			continue
		}
		failed.record = &record
		if failed.note, err = l.repo.Note(ctx, record.Commit); err != nil {
			failed.note = nil
		}
		break
	}
	if l.last == nil || l.last.Task != it.task.id {
		last = failed
	}
	return last, failed, nil
}

// used reports whether an iteration used up an attempt.
func used(r gitstate.Record) bool {
	return r.Status != gitstate.Interrupted && r.Status != gitstate.Skipped
}

// tell adds to what a prompt says of the last iteration how its check failed.
func (t told) tell(c *spec.Context) {
	if t.record == nil {
		return
	}
	if v := t.record.Verify; t.note == nil && v != nil && !v.Passed {
		c.Verify = fmt.Sprintf("%s (exit %d)", v.Command, v.ExitCode)
	}
	if t.note == nil {
		return
	}
	if v := t.note.Verify; v != nil && !v.Passed {
		c.Verify, c.VerifyTail = fmt.Sprintf("%s (exit %d)", v.Command, v.ExitCode), v.Tail
	}
	if t.note.Tests != nil {
		for _, failure := range t.note.Tests.Failures {
			c.FailedTests = append(c.FailedTests, failure.Name)
		}
	}
}
