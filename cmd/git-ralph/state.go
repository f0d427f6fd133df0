package main

import (
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// loopState says whether a loop goes on.
type loopState string

// The states of a loop.
const (
	stateRunning     loopState = "running"     // a process on this machine holds its lock
	stateInterrupted loopState = "interrupted" // it has not ended, and nobody here runs it
	statePaused      loopState = "paused"
	stateStopped     loopState = "stopped" // it ended and its work is not done
	stateDone        loopState = "done"
	stateUnreadable  loopState = "unreadable"
)

// stateOf tells the state of a loop: what the lock says goes before what git says.
func stateOf(v runner.View) loopState {
	switch {
	case v.Running != nil:
		return stateRunning
	case v.Totals.Exit.Done():
		return stateDone
	case v.Totals.Exit != "":
		return stateStopped
	case v.Totals.Paused:
		return statePaused
	}
	return stateInterrupted
}

// paintState colours a state; the word stays the same.
func (l look) paintState(s loopState, text string) string {
	switch s {
	case stateRunning:
		return l.loud(text)
	case stateDone:
		return l.good(text)
	case stateStopped, stateUnreadable:
		return l.bad(text)
	}
	return l.wait(text)
}

// currentIteration is the number of the running iteration, else of the last one.
func currentIteration(v runner.View) int {
	if v.Running != nil && v.Live != nil && v.Live.Iteration > 0 {
		return v.Live.Iteration
	}
	return v.Totals.Iteration
}

// elapsed is the time of the loop's iterations, with what the running one has used so far.
func elapsed(v runner.View, now time.Time) time.Duration {
	d := v.Totals.Elapsed
	if v.Running != nil && v.Live != nil && v.Live.Iteration > v.Totals.Iteration && v.Live.Started.Before(now) {
		d += now.Sub(v.Live.Started)
	}
	return d
}

// waitsUntil is the end of the wait that the running iteration is in; zero: it does not wait.
func waitsUntil(v runner.View, now time.Time) time.Time {
	if v.Running == nil || v.Live == nil || !v.Live.Until.After(now) {
		return time.Time{}
	}
	return v.Live.Until
}

// shownBranch is the branch that the loop's commits are reached by from here: its own, or in another clone the remote's.
func shownBranch(l gitstate.Loop) string {
	if l.Found.IsRemote() {
		return l.Found.Short()
	}
	return l.Branch.Short()
}

// nextStep is a command to type next and what it does.
type nextStep struct{ command, does string }

// nextSteps says what a person may want to type, the most likely first.
func nextSteps(v runner.View) []nextStep {
	name := shellWord(v.Loop.Name)
	resume := nextStep{"git ralph resume " + name, "goes on"}
	tell := nextStep{`git ralph tell --loop ` + name + ` "..."`, "adds guidance for the next iteration"}
	diff := nextStep{"git ralph diff --loop " + name, "shows all that it changed"}
	last := nextStep{"git ralph show --loop " + name, "shows the last iteration"}
	switch stateOf(v) {
	case stateRunning:
		return []nextStep{
			{"git ralph watch " + name, "follows it on the whole screen"},
			{"git ralph cancel " + name, "ends it after this iteration"},
		}
	case stateDone:
		return append([]nextStep{diff}, landing(v)...)
	case stateInterrupted, statePaused:
		if v.Totals.Iteration == 0 {
			last = nextStep{"git ralph show 0 --loop " + name, "shows what it was told"}
		}
		return []nextStep{resume, last}
	}
	switch v.Totals.Exit {
	case gitstate.MaxIterations, gitstate.LimitReached:
		resume.command += raised(v.Config, v.Totals)
		return []nextStep{resume, diff}
	case gitstate.Blocked, gitstate.TasksBlocked, gitstate.NoProgress:
		return []nextStep{last, tell, resume}
	}
	return []nextStep{last, resume}
}

// landing is how the work gets onto the branch that the loop began on.
func landing(v runner.View) []nextStep {
	if v.Base == nil || v.Base.Branch == "" || v.Base.Branch == "HEAD" {
		return nil
	}
	base := shellWord(v.Base.Branch)
	if v.Totals.Verify != nil && v.Totals.Verify.Passed {
		return []nextStep{{"git ralph land " + shellWord(v.Loop.Name), "brings it to " + flat(v.Base.Branch)}}
	}
	return []nextStep{{"git switch " + base + " && git merge " + shellWord(shownBranch(v.Loop)), "brings it to " + flat(v.Base.Branch)}}
}
