package main

import (
	"context"
	"errors"
	"path/filepath"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// resumeCmd goes on with a loop.
type resumeCmd struct {
	Loop     string    `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	Settings loopFlags `embed:""`
	TakeOver bool      `group:"Other clones" help:"Go on although another clone does: it stops."`
	Yes      bool      `group:"This command" help:"Say yes to what a loop from elsewhere wants to run."`
	Talk     talkFlags `embed:""`
}

// Run goes on with the loop. What is typed changes the recorded configuration; files are not read again.
func (c *resumeCmd) Run(ctx context.Context, a *app) error {
	typed := newChoices()
	if err := c.Settings.apply(&typed, a); err != nil {
		return err
	}
	caught, err := a.catchUp(ctx, c.Loop, typed.Remote)
	if err != nil {
		return err
	}
	l := caught.Loop
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	change := func(recorded *runner.Config) {
		now := newChoices()
		now.Config = *recorded
		if err := c.Settings.apply(&now, a); err == nil { // the same flags were fine above
			if now.from["agent"].origin == fromFlag {
				now.Custom = agent.Custom{}
				if now.from["command"].origin != fromFlag {
					now.Command = nil
				}
			}
			if now.from["command"].origin == fromFlag {
				now.Command = a.fromHere(now.Command, filepath.Join(a.opened.TopLevel, filepath.FromSlash(now.Dir)))
			}
			a.settleFiles(a.opened.TopLevel, &now)
			now.raiseStreaks(*recorded)
			*recorded = now.Config
		}
	}
	change(&v.Config)
	typed.Command = v.Config.Command
	a.settleFiles(a.opened.TopLevel, &typed)
	request := runner.ResumeRequest{
		Loop: l.Name, Change: change, EnvValues: typed.envValues, DirtyInclude: typed.dirty == dirtyInclude, On: caught, TakeOver: c.TakeOver,
	}
	return a.drive(drive{repo: a.opened, yes: c.Yes, typed: typed.typedClaims(),
		run: func(ctx context.Context, r *runner.Runner) (runner.Outcome, error) { return r.Resume(ctx, request) }})
}

// catchUp finds the loop here, else on a remote, and fetches what is not here yet.
func (a *app) catchUp(ctx context.Context, name, remote string) (runner.CaughtUp, error) {
	l, missing := a.loop(ctx, name)
	if missing != nil && (!errors.Is(missing, gitstate.ErrNoLoop) || name == "" && a.anyLoop(ctx)) {
		return runner.CaughtUp{}, missing
	}
	if missing == nil {
		name = l.Name
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return runner.CaughtUp{}, err
	}
	caught, err := r.CatchUp(ctx, runner.CatchUpRequest{Loop: name, Remote: remote, Ask: a.canAsk()})
	if errors.Is(err, gitstate.ErrNoLoop) {
		if p, ok := errors.AsType[*problem](missing); ok && caught.Remote != "" {
			p.text += ", nor on remote " + caught.Remote
		}
		return caught, missing
	}
	if err != nil {
		return caught, err
	}
	for _, line := range caught.Told {
		a.say("%s", oneLine(line))
	}
	a.chosen = caught.Loop.Name
	return caught, nil
}

// anyLoop reports whether there is any loop here.
func (a *app) anyLoop(ctx context.Context) bool {
	loops, err := a.opened.Loops(ctx)
	return err == nil && len(loops) > 0
}

// typedClaims are what the user typed that is to be run.
func (c *choices) typedClaims() []runner.Claim {
	var typed runner.Config
	if c.from["command"].origin == fromFlag {
		typed.Command = c.Command
	}
	if c.from["agent"].origin == fromFlag {
		typed.Agent = c.Agent
	}
	if c.from["verify"].origin == fromFlag {
		typed.Verify = c.Verify
	}
	if c.from["permissions"].origin == fromFlag {
		typed.Permissions = c.Permissions
	}
	if c.from["push"].origin == fromFlag {
		typed.Push = c.Push
	}
	c.takeFiles(&typed, func(key string) bool { return c.from[key].origin == fromFlag })
	typed.Env = c.Env
	return typed.Claims("")
}
