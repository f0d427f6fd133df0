package main

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// cancelCmd ends a loop.
type cancelCmd struct {
	answer
	Loop string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	Now  bool   `help:"Do not wait for the iteration at hand to end."`
}

// Run asks the process that runs the loop to end it, or ends a loop that nobody runs.
func (c *cancelCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	ask := runner.AskCancel
	if c.Now {
		ask = runner.AskCancelNow
	}
	running, err := a.askRunning(l, ask)
	if err != nil {
		return err
	}
	if running == nil {
		r, err := a.runner(a.opened, nil)
		if err != nil {
			return err
		}
		outcome, err := during(a, "cancelling", func() (runner.Outcome, error) { return r.Cancel(ctx, l.Name) })
		if err != nil {
			return err
		}
		if outcome.Already {
			return a.answerOver(l.Name, outcome)
		}
		return a.answerAsked(l.Name, "cancelled", "cancelled after "+counted(outcome.Totals.Iteration, "iteration"))
	}
	if !c.Now {
		return a.answerAsked(l.Name, "asked", "it ends after this iteration", "end it at once: git ralph cancel --now "+shellWord(l.Name))
	}
	if err := a.awaitEnd(ctx, l, running); err != nil {
		return err
	}
	return a.answerAsked(l.Name, "cancelled", "cancelled")
}

// pauseCmd pauses a loop.
type pauseCmd struct {
	answer
	Loop string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
}

// Run asks the process that runs the loop to pause it, or marks a loop that nobody runs as paused.
func (c *pauseCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	resume := "go on later: git ralph resume " + shellWord(l.Name)
	running, err := a.askRunning(l, runner.AskPause)
	if err != nil {
		return err
	}
	if running != nil {
		return a.answerAsked(l.Name, "asked", "it pauses after this iteration", resume)
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return err
	}
	outcome, err := during(a, "pausing", func() (runner.Outcome, error) { return r.Pause(ctx, l.Name) })
	if err != nil {
		return err
	}
	if outcome.Already {
		return a.answerOver(l.Name, outcome)
	}
	return a.answerAsked(l.Name, "paused", "paused after "+counted(outcome.Totals.Iteration, "iteration"), resume)
}

// askRunning leaves the request if a process on this machine runs the loop, and returns who does; nil: nobody.
func (a *app) askRunning(l gitstate.Loop, what runner.Request) (*gitstate.HeldError, error) {
	running, err := a.opened.Running(l.Name)
	if err != nil || running == nil {
		return nil, err
	}
	return running, runner.Ask(a.opened, l.Name, what)
}

// askedJSON is the answer of cancel and pause.
type askedJSON struct {
	Schema int    `json:"schema"`
	Loop   string `json:"loop"`
	Result string `json:"result"` // "asked": a running loop will do it; "cancelled", "paused": it is done; "over": it stands still already
}

// answerOver says that there was nothing to do: the loop has ended or is paused already.
func (a *app) answerOver(loop string, o runner.Outcome) error {
	words := "it is paused already"
	if o.Exit != "" {
		words = fmt.Sprintf("it has ended already (%s)", o.Exit)
	}
	return a.answerAsked(loop, "over", words)
}

func (a *app) answerAsked(loop, result, words string, hints ...string) error {
	if a.json {
		return a.printJSON(askedJSON{Schema: jsonSchema, Loop: loop, Result: result})
	}
	if err := a.print("%s: %s", loop, words); err != nil {
		return err
	}
	for _, h := range hints {
		a.say("hint: %s", h)
	}
	return nil
}

// afterGrace is what a loop gets to write its end, after the grace that its agent gets.
const afterGrace = 30 * time.Second

// awaitEnd waits until nobody runs the loop any more, as long as that can reasonably take.
func (a *app) awaitEnd(ctx context.Context, l gitstate.Loop, running *gitstate.HeldError) error {
	grace := time.Duration(runner.DefaultConfig().Grace)
	if v, err := runner.Read(ctx, a.opened, l); err == nil {
		grace = time.Duration(v.Config.Grace)
	}
	w := a.begin("waiting for the loop to end")
	defer w.end()
	deadline := time.NewTimer(grace + afterGrace)
	defer deadline.Stop()
	look := time.NewTicker(100 * time.Millisecond)
	defer look.Stop()
	for {
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-deadline.C:
			return &problem{status: 1, text: fmt.Sprintf("loop %q was asked to end and has not yet (pid %d)", l.Name, running.Pid),
				hints: []string{"look again: git ralph status " + shellWord(l.Name)}}
		case <-look.C:
			if still, err := a.opened.Running(l.Name); err != nil || still == nil {
				return err
			}
		}
	}
}
