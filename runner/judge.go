package runner

import (
	"github.com/git-ralph/git-ralph/gitstate"
)

// ending is what an iteration brought that may end the loop.
type ending struct {
	done         gitstate.Exit // the promise, or what stands for it, kept and verified; empty: not done
	tasksBlocked bool          // nothing of the plan can be run any more, and not all is done
	blocked      bool          // the agent says that it cannot go on
	cancelled    bool          // the user asked for it
	hopeless     bool          // the agent was refused, or has no quota left: trying again does not help
	terminated   bool          // the program is told to go: what else may end the loop is judged when it goes on
}

// ending is what the iteration brought, with what the user wants by now.
func (it *iteration) ending(c Config, wanted stopLevel) ending {
	completed, failed := it.status == gitstate.Completed, it.status == gitstate.Failed
	return ending{
		done:       doneBy(c, completed, it.verdict.Promise, it.verify),
		blocked:    (completed || failed) && it.verdict.Blocked != "",
		cancelled:  wanted == finish || wanted == interrupt,
		hopeless:   failed && it.verdict.Class.Hopeless(),
		terminated: wanted == terminate,
	}
}

// judge says why the loop ends after an iteration, given the totals with that iteration in them; empty: it goes on. Of several
// reasons the first in the order of the design counts: completion on the last allowed iteration is completion.
func judge(c Config, after gitstate.Totals, e ending) gitstate.Exit {
	switch {
	case e.done != "":
		return e.done
	case e.terminated:
		return ""
	case e.tasksBlocked:
		return gitstate.TasksBlocked
	case e.blocked:
		return gitstate.Blocked
	case e.cancelled:
		return gitstate.UserCancelled
	case e.hopeless:
		return gitstate.ExitError
	case c.MaxFailures > 0 && after.FailureStreak >= c.MaxFailures:
		return gitstate.Failing
	case c.NoProgress > 0 && after.IdleStreak >= c.NoProgress:
		return gitstate.NoProgress
	}
	return overLimit(c, after)
}

// doneBy says whether the work is done: the promise stands, or none is asked for and the program ended well; and verify agrees.
func doneBy(c Config, completed, promised bool, verify *verifyResult) gitstate.Exit {
	switch {
	case !completed || len(c.Verify) > 0 && (verify == nil || !verify.passed):
		return ""
	case c.Promise == "":
		return gitstate.ProcessSuccess
	case promised:
		return gitstate.PromiseDetected
	}
	return ""
}
