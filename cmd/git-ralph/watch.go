package main

import (
	"context"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/watch"
	"github.com/git-ralph/git-ralph/runner"
)

// watchCmd shows a loop on the whole screen.
type watchCmd struct {
	Loop string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
}

// Run shows the loop until the user leaves. The loop itself is not touched.
func (c *watchCmd) Run(ctx context.Context, a *app) error {
	if err := a.canWatch(); err != nil {
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
	return a.watch(ctx, v)
}

// canWatch says why there can be no screen.
func (a *app) canWatch() error {
	hints := []string{"one look: git ralph status", "what the agent prints: git ralph logs -f"}
	switch {
	case !isTerminal(a.stdin) || !a.outTerm.is:
		return &problem{status: 1, text: "the screen needs a terminal, and standard input or output is none", hints: hints}
	case a.getenv("TERM") == "dumb":
		return &problem{status: 1, text: "the screen needs a terminal that can move its cursor, and this one is dumb (TERM)", hints: hints}
	}
	return nil
}

// watch shows a loop until the user leaves or ctx ends.
func (a *app) watch(ctx context.Context, v runner.View) error {
	w := newWatched(a, v)
	defer w.close()
	if err := watch.Run(ctx, watch.Terminal{In: a.stdin, Out: a.stdout, Env: a.env, Colour: a.outTerm.colour}, w.source()); err != nil {
		return err
	}
	return context.Cause(ctx)
}
