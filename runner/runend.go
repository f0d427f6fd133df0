package runner

import (
	"context"
	"errors"
	"time"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// errLingers is the cause with which a run is ended whose agent has said its last and does not end.
var errLingers = errors.New("the agent lingers")

// errBudget is the cause with which a run is ended that used up the budget.
var errBudget = errors.New("budget is used up")

// How long an agent may take to end: after its last word where it is known to hang then; after its last word, which used up the budget; and after
// a word that may be its last and used up the budget.
const (
	lingerTime  = 5 * time.Second
	endTime     = 30 * time.Second
	perhapsTime = time.Minute
)

// runEnd ends one run of the agent early, for what the agent tells in mid-run. A word that may be the last one is heard to its end: the promise may stand in it,
// and what it costs is spent.
type runEnd struct {
	cancel  context.CancelCauseFunc
	over    func(agent.Activity) bool // whether what the run has used reaches the loop's budget
	reached bool                      // it did
	timer   *time.Timer               // nil: none runs
	limit   time.Duration             // of the timer
}

// take follows what the agent does.
func (r *runEnd) take(a agent.Activity) {
	switch a.Kind {
	case agent.ActivityUsage:
		if r.reached = r.reached || r.over(a); r.reached {
			r.within(perhapsTime, errBudget)
		}
	case agent.ActivityEnd:
		if r.reached {
			r.within(endTime, errLingers)
		}
	case agent.ActivityOver:
		r.within(lingerTime, errLingers)
	case agent.ActivityMore, agent.ActivityTool:
		r.stop()
		if r.reached {
			r.cancel(errBudget)
		}
	default: // it talks: what was its last word was not
		r.stop()
		if r.reached {
			r.within(perhapsTime, errBudget)
		}
	}
}

// within ends the run when it has not ended by then. What was to end it before no longer does.
func (r *runEnd) within(limit time.Duration, cause error) {
	r.stop()
	r.limit, r.timer = limit, time.AfterFunc(limit, func() { r.cancel(cause) })
}

func (r *runEnd) stop() {
	if r.timer != nil {
		r.timer.Stop()
	}
}
