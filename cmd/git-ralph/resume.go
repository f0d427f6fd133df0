package main

import (
	"context"
	"path/filepath"

	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// resumeCmd goes on with a loop.
type resumeCmd struct {
	Loop     string    `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	Settings loopFlags `embed:""`
	Yes      bool      `help:"Say yes to what a loop from elsewhere wants to run."`
	Talk     talkFlags `embed:""`
}

// Run goes on with the loop. What is typed changes the recorded configuration; files are not read again.
func (c *resumeCmd) Run(ctx context.Context, a *app) error {
	typed := newChoices()
	if err := c.Settings.apply(&typed, a); err != nil {
		return err
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	v, err := runner.Read(ctx, a.opened, l)
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
			*recorded = now.Config
		}
	}
	change(&v.Config)
	typed.Command = v.Config.Command
	request := runner.ResumeRequest{Loop: l.Name, Change: change, EnvValues: typed.envValues, DirtyInclude: typed.dirty == dirtyInclude}
	return a.drive(drive{repo: a.opened, yes: c.Yes, typed: typed.typedClaims(), command: v.Config.Command,
		run: func(ctx context.Context, r *runner.Runner) (runner.Outcome, error) { return r.Resume(ctx, request) }})
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
	typed.Env = c.Env
	return typed.Claims("")
}
