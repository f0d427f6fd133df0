package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// conclude says what a loop came to, what to type next and how to go back. Done is an answer; whatever is unfinished is
// a problem with a status.
func (a *app) conclude(o runner.Outcome) error {
	v := a.viewAfter(o)
	text, hints := outcomeWords(o, v), outcomeHints(o, v)
	if status := outcomeStatus(o); status != 0 {
		return &problem{status: status, text: text, hints: hints}
	}
	if a.quiet || a.json {
		return nil
	}
	if err := a.print("%s", text); err != nil {
		return err
	}
	for _, h := range hints {
		a.say("hint: %s", oneLine(h))
	}
	return nil
}

// viewAfter reads the loop once more. When that does not work the outcome alone has to do.
func (a *app) viewAfter(o runner.Outcome) runner.View {
	ctx := context.Background()
	v := runner.View{State: gitstate.State{Totals: o.Totals, Base: o.Base}}
	if l, err := a.opened.FindLoop(ctx, o.Loop); err == nil {
		if read, err := runner.Read(ctx, a.opened, l); err == nil {
			v = read
		}
	}
	return v
}

// outcomeOf is what a loop came to, as the command that ran it got it.
func outcomeOf(v runner.View) runner.Outcome {
	t := v.Totals
	return runner.Outcome{Loop: v.Loop.Name, Branch: v.Loop.Branch.Short(), Exit: t.Exit, Paused: t.Paused, Totals: t, Base: v.Base}
}

// outcomeStatus is the exit status that tells of an outcome.
func outcomeStatus(o runner.Outcome) int {
	switch {
	case o.Exit.Done():
		return 0
	case o.Exit == gitstate.UserCancelled:
		return 130
	case o.Exit == gitstate.Failing || o.Exit == gitstate.ExitError:
		return 1
	}
	return 3
}

// outcomeWords says it in one line.
func outcomeWords(o runner.Outcome, v runner.View) string {
	n := counted(o.Totals.Iteration, "iteration")
	switch {
	case o.Already:
		return fmt.Sprintf("already done after %s: nothing was run", n)
	case o.Exit.Done():
		return fmt.Sprintf("done after %s: %s", n, doneWords(o))
	case o.Exit == gitstate.UserCancelled:
		return "cancelled after " + n
	case o.Paused:
		return "paused after " + n
	case o.Exit == "":
		return fmt.Sprintf("interrupted after %s: all of it is in git", n)
	}
	return fmt.Sprintf("stopped after %s: %s", n, stopWords(o, v))
}

// doneWords says what proves that it is done.
func doneWords(o runner.Outcome) string {
	words := "promise kept"
	switch o.Exit {
	case gitstate.ProcessSuccess:
		words = "the program ended well"
	case gitstate.AllTasksDone:
		words = "all tasks done"
	}
	if o.Totals.Verify != nil && o.Totals.Verify.Passed {
		words += ", verify passed"
	}
	return words
}

// stopWords says why it stopped before it was done.
func stopWords(o runner.Outcome, v runner.View) string {
	switch o.Exit {
	case gitstate.MaxIterations:
		return "that is the limit"
	case gitstate.LimitReached:
		return reachedWords(v.Config, o.Totals)
	case gitstate.NoProgress:
		return fmt.Sprintf("the last %d changed nothing", max(1, o.Totals.IdleStreak))
	case gitstate.Failing:
		return fmt.Sprintf("the last %d failed", max(1, o.Totals.FailureStreak))
	case gitstate.Blocked:
		if v.Last.Blocked != "" {
			return "the agent is blocked: " + flat(v.Last.Blocked)
		}
	case gitstate.ExitError:
		if v.Note != nil && v.Note.Error != "" {
			return firstLine(v.Note.Error)
		}
	}
	return exitWords(o.Exit)
}

// reachedWords names the limit that is reached.
func reachedWords(c runner.Config, t gitstate.Totals) string {
	for _, limit := range runner.ReachedLimits(c, t) {
		switch limit.Setting {
		case "max_duration":
			return "the limit of " + c.MaxDuration.String() + " is reached"
		case "max_cost":
			return "the limit of " + costWords(c.MaxCost) + " is reached"
		case "max_tokens":
			return "the limit of " + counted(c.MaxTokens, "token") + " is reached"
		}
	}
	return exitWords(gitstate.LimitReached)
}

// raised are the flags that raise the limits that are reached, behind a blank.
func raised(c runner.Config, t gitstate.Totals) string {
	var flags strings.Builder
	for _, limit := range runner.ReachedLimits(c, t) {
		flags.WriteString(" " + limit.Raise)
	}
	return flags.String()
}

// outcomeHints says what to type next, and how to go back.
func outcomeHints(o runner.Outcome, v runner.View) []string {
	name := shellWord(o.Loop)
	resume := "go on: git ralph resume " + name
	var hints []string
	switch {
	case o.Exit.Done():
		hints = doneHints(o, v)
	case o.Exit == gitstate.MaxIterations, o.Exit == gitstate.LimitReached:
		hints = append(hints, resume+raised(v.Config, o.Totals))
	case o.Exit == gitstate.Failing, o.Exit == gitstate.ExitError:
		hints = append(hints, "see why: git ralph show "+loopArgument(name), resume)
	case o.Exit == gitstate.Blocked, o.Exit == gitstate.NoProgress:
		hints = append(hints, "help it: git ralph tell "+loopArgument(name)+` "..."`, resume)
	default:
		hints = append(hints, resume)
	}
	return append(hints, wayBack(o)...)
}

// doneHints says what to type when a loop is done.
func doneHints(o runner.Outcome, v runner.View) []string {
	name := shellWord(o.Loop)
	hints := []string{"see what changed: git ralph diff " + loopArgument(name)}
	if len(landing(v)) > 0 && o.Totals.Verify != nil && o.Totals.Verify.Passed {
		hints = append(hints, "bring it home: git ralph land "+name)
	}
	return hints
}

func loopArgument(name string) string { return "--loop " + name }

// wayBack says where the work is and how to leave the loop branch.
func wayBack(o runner.Outcome) []string {
	switch {
	case o.Worktree != "":
		return []string{"its work tree: cd " + shellWord(o.Worktree)}
	case o.Base == nil || o.Base.Branch == "":
		return nil
	case o.Base.Branch != "HEAD":
		return []string{"go back: git switch " + shellWord(o.Base.Branch)}
	case !o.Base.Commit.IsZero():
		return []string{"go back: git switch --detach " + shortHash(o.Base.Commit.String())}
	}
	return nil
}
