package runner

import (
	"context"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// take adds what a record of the loop tells of tasks.
func (p *plan) take(r gitstate.Record) {
	switch {
	case r.Kind == gitstate.Wave && r.Wave != nil:
		p.closed[*r.Wave] = true
	case r.Kind == gitstate.Event && r.Event == gitstate.EventRetry:
		if r.Wave != nil {
			delete(p.closed, *r.Wave)
		}
		p.tasks[r.Task] = taskPast{retried: true}
	case r.Kind == gitstate.Event && r.Event == gitstate.EventResume:
		for id, past := range p.tasks { // its configuration says how far they were
			past.retried, past.undone = false, false
			p.tasks[id] = past
		}
	case r.Kind == gitstate.Iteration && r.Task != "":
		p.takeIteration(r)
	}
}

func (p *plan) takeIteration(r gitstate.Record) {
	if r.Wave != nil {
		p.fix([]scud.Wave{{Number: *r.Wave, Tasks: []string{r.Task}}})
		delete(p.closed, *r.Wave) // what its task waited for was done elsewhere meanwhile: the wave is closed anew
	}
	past := p.tasks[r.Task]
	if n := len(past.spans); n > 0 && past.spans[n-1].From == r.Previous { // the commit is tried again
		past.spans = past.spans[:n-1]
	}
	past.spans = append(past.spans[:len(past.spans):len(past.spans)], gitstate.Span{From: r.Previous, To: r.Tree})
	if r.Attempt != nil && used(r) {
		past.attempts = max(past.attempts, *r.Attempt)
	}
	past.done = r.Verify != nil && r.Verify.Passed
	past.blocked = r.Blocked
	p.tasks[r.Task], p.last = past, r.Task
}

// remember reads the past of all tasks out of the loop's history.
func (p *plan) remember(ctx context.Context, repo *gitstate.Repository, l gitstate.Loop) error {
	var records []gitstate.Record
	on := map[plumbing.Hash]bool{}
	for record, err := range repo.Records(ctx, l) {
		if err != nil {
			return err
		}
		on[record.Commit] = true
		if record.Task != "" || record.Kind != gitstate.Iteration {
			records = append(records, record)
		}
	}
	for _, record := range slices.Backward(records) {
		p.take(record)
		switch {
		case !record.From.IsZero():
			p.takeOff(ctx, repo, gitstate.Loop{Name: l.Name, Tip: record.From}, on)
		case record.Kind == gitstate.Opening && len(record.Parents) > 0:
			p.leaveOther(ctx, repo, record.Parents[0])
		}
	}
	return nil
}

// takeOff notes the tasks of iterations that a loop was taken back from: where the task file is in no commit it still has their marks. What cannot be read
// any more is passed over.
func (p *plan) takeOff(ctx context.Context, repo *gitstate.Repository, from gitstate.Loop, on map[plumbing.Hash]bool) {
	for record, err := range repo.Records(ctx, from) {
		if err != nil || on[record.Commit] {
			return
		}
		if past := p.tasks[record.Task]; record.Kind == gitstate.Iteration && record.Task != "" && !past.settled() {
			past.undone = true
			p.tasks[record.Task] = past
		}
	}
}

// leaveOther notes the tasks that another loop did after the commit on which this one began, as a fork does.
func (p *plan) leaveOther(ctx context.Context, repo *gitstate.Repository, began plumbing.Hash) {
	record, err := repo.Record(began)
	if err != nil {
		return // none of ours: an ordinary start
	}
	other, err := repo.FindLoop(ctx, record.Loop)
	if err != nil {
		return
	}
	p.takeOff(ctx, repo, other, map[plumbing.Hash]bool{began: true})
}
