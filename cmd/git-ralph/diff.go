package main

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// diffCmd shows what an iteration, or the whole loop, changed. Paths that it is asked for follow "--".
type diffCmd struct {
	Iteration *int   `arg:"" optional:"" name:"n" help:"Number of the iteration (default: the whole loop)."`
	Loop      string `placeholder:"NAME" help:"The loop (default: the branch's, or the only one)."`
	Stat      bool   `help:"Show counts for each file, not the changes."`
}

// Run finds the two commits. The rest is git's: pager, colours, configuration.
func (c *diffCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	q := gitstate.DiffRequest{Dir: a.path("."), Paths: a.argv, Stdin: a.stdin, Stdout: a.stdout, Stderr: a.stderr}
	looking := a.begin(lookingForIteration)
	q.Base, q.To, err = c.between(ctx, a.opened, v)
	looking.end()
	if err != nil {
		return err
	}
	if c.Stat {
		q.Options = append(q.Options, "--stat")
	}
	if !a.outTerm.colour {
		q.Options = append(q.Options, "--no-color")
	}
	return a.opened.ShowDiff(ctx, q)
}

// between returns what to compare: an iteration with our commit before it, or the tip with the loop's base.
func (c *diffCmd) between(ctx context.Context, repo *gitstate.Repository, v runner.View) (base, to plumbing.Hash, err error) {
	if c.Iteration == nil {
		if v.Base != nil {
			base = v.Base.Commit
		}
		return base, v.Loop.Tip, nil
	}
	r, err := iterationRecord(ctx, repo, v, c.Iteration)
	if err != nil {
		return base, to, err
	}
	if r.Kind == gitstate.Opening && r.Base != nil {
		return r.Base.Commit, r.Commit, nil
	}
	return r.Previous, r.Commit, nil
}
