package main

import (
	"context"

	"github.com/git-ralph/git-ralph/runner"
)

// forkCmd begins another loop where an iteration was.
type forkCmd struct {
	answer
	Iteration    *int   `arg:"" optional:"" needed:"" name:"n" help:"Number of the iteration to begin from; 0 is the start."`
	Loop         string `placeholder:"NAME" help:"The loop (default: the branch's, or the only one)."`
	Name         string `placeholder:"NAME" help:"The new loop's name (default: made from the other's)."`
	Worktree     bool   `help:"Make a linked worktree for it."`
	WorktreePath string `placeholder:"DIR" help:"Make it there (default: ../REPOSITORY-LOOP)."`
}

// forkJSON is the answer of fork.
type forkJSON struct {
	Schema    int     `json:"schema"`
	Loop      string  `json:"loop"` // the new one
	Branch    string  `json:"branch"`
	From      string  `json:"from"`      // the loop that was there
	Iteration int     `json:"iteration"` // of that
	Worktree  *string `json:"worktree"`
}

// Run makes the new loop. Nothing runs.
func (c *forkCmd) Run(ctx context.Context, a *app) error {
	if c.Iteration == nil {
		return usage("git ralph fork 3 --name other-way", "which iteration is the new loop to begin from?")
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return err
	}
	q := runner.ForkRequest{Loop: l.Name, Iteration: *c.Iteration, Name: c.Name}
	switch {
	case c.WorktreePath != "":
		q.Worktree = a.path(c.WorktreePath)
	case c.Worktree:
		q.Worktree = defaultWorktree(a.opened)
	}
	f, err := during(a, "making the other loop", func() (runner.Forked, error) { return r.Fork(ctx, q) })
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(forkJSON{Schema: jsonSchema, Loop: f.Loop, Branch: f.Branch, From: l.Name, Iteration: q.Iteration, Worktree: some(f.Worktree)})
	}
	if err := a.print("%s: begins on branch %s where %s of %s was", f.Loop, f.Branch, lastOne(q.Iteration), l.Name); err != nil {
		return err
	}
	run := "git ralph resume " + shellWord(f.Loop)
	if f.Worktree != "" {
		run = "cd " + shellWord(f.Worktree) + " && " + run
	}
	a.say("hint: run it: %s", run)
	a.say("hint: tell it what to do otherwise: git ralph tell --loop %s \"...\"", shellWord(f.Loop))
	return nil
}
