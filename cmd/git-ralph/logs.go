package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// logsCmd prints what the agent printed, as it is.
type logsCmd struct {
	Iteration *int   `arg:"" optional:"" name:"n" help:"Number of the iteration (default: the running one, else the last)."`
	Loop      string `placeholder:"NAME" help:"The loop (default: the branch's, or the only one)."`
	Follow    bool   `short:"f" help:"Go on printing while the loop runs; without a number, through all iterations to come."`
	Readable  bool   `short:"r" help:"Print what the agent says and does, a line each, instead of its stream of JSON."`
	Stderr    bool   `help:"Print standard error instead of standard output."`
	Hook      string `placeholder:"HOOK" help:"Print what that hook printed, such as ralph-end, instead of the agent."`
}

// Run copies the file. It says so when the file is not here: it is kept outside git and may be gone.
func (c *logsCmd) Run(ctx context.Context, a *app) error {
	if c.Hook != "" && !slices.Contains(runner.HookNames(), c.Hook) {
		return usage("one of "+strings.Join(runner.HookNames(), ", "), "--hook: a loop runs no hook %q", c.Hook)
	}
	if c.Readable && (c.Stderr || c.Hook != "") {
		return usage("leave --readable out", "--readable is for what the agent prints on standard output")
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	n := currentIteration(v)
	if c.Iteration != nil {
		n = *c.Iteration
	}
	if n < 1 || n > max(v.Totals.Iteration, currentIteration(v)) {
		return noIteration(v, n)
	}
	f := follower{
		out: a.rawOut(), path: c.path(a.opened, v.Loop.Name), poll: 200 * time.Millisecond,
		current: func() (int, bool) { return runningIteration(a.opened, v.Loop.Name) },
	}
	if c.Readable {
		err = c.copyReadable(ctx, f, v.Config, n)
	} else {
		err = c.copy(ctx, f, n)
	}
	if errors.Is(err, fs.ErrNotExist) {
		if c.Hook != "" {
			return &problem{status: 1, text: fmt.Sprintf("no output of hook %s at iteration %d is here", c.Hook, n), hints: []string{"whether the hook is there: git ralph doctor"}}
		}
		return outputGone(v, n)
	}
	return err
}

// copy copies the files that are asked for.
func (c *logsCmd) copy(ctx context.Context, f follower, n int) error {
	switch {
	case !c.Follow:
		return f.copyOnce(n)
	case c.Iteration != nil:
		return f.follow(ctx, n)
	}
	return f.followLoop(ctx, n)
}

// copyReadable copies them as a person reads them.
func (c *logsCmd) copyReadable(ctx context.Context, f follower, config runner.Config, n int) error {
	out := f.out
	from, to := io.Pipe()
	f.out = to
	read := make(chan error, 1)
	go func() {
		err := runner.Readable(config, from, func(line string) { fmt.Fprintln(out, line) })
		_ = from.CloseWithError(err) // who copies learns of it
		read <- err
	}()
	err := c.copy(ctx, f, n)
	_ = to.Close()
	return errors.Join(err, <-read)
}

// path returns where the raw output of an iteration is.
func (c *logsCmd) path(repo *gitstate.Repository, loop string) func(n int) string {
	stream := "out"
	switch {
	case c.Hook != "":
		stream = c.Hook
	case c.Stderr:
		stream = "err"
	}
	return func(n int) string { return outputFile(repo, loop, n, stream) }
}

// outputFile is where the raw output of an iteration is: its stream "out" or "err".
func outputFile(repo *gitstate.Repository, loop string, n int, stream string) string {
	return filepath.Join(repo.LoopDir(loop), fmt.Sprintf("%04d.%s", n, stream))
}

// runningIteration tells whether the loop runs, and the number of the iteration that does; 0: not known.
func runningIteration(repo *gitstate.Repository, loop string) (n int, running bool) {
	if held, err := repo.Running(loop); err != nil || held == nil {
		return 0, false
	}
	if live := runner.ReadLive(repo, loop); live != nil {
		n = live.Iteration
	}
	return n, true
}

// outputGone says why there is no output and what is left of it.
func outputGone(v runner.View, n int) error {
	name := shellWord(v.Loop.Name)
	if v.Running != nil && n == currentIteration(v) {
		return &problem{status: 1, text: fmt.Sprintf("iteration %d has printed nothing yet", n), hints: []string{"wait for it: git ralph logs -f --loop " + name}}
	}
	return &problem{
		status: 1,
		text:   fmt.Sprintf("the raw output of iteration %d is not here: it was removed, or the iteration ran in another clone", n),
		hints:  []string{fmt.Sprintf("what is in git: git ralph show %d --loop %s", n, name)},
	}
}
