package main

import (
	"context"
	"os"

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
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	w := newWatched(a, v)
	defer w.close()
	if err := a.watch(ctx, w.source()); err != nil {
		return err
	}
	return context.Cause(ctx)
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
func (a *app) watch(ctx context.Context, source watch.Source) error {
	return watch.Run(ctx, watch.Terminal{In: a.stdin, Out: a.stdout, Env: a.env}, source)
}

// overlay is the screen over a loop that runs in this process.
type overlay struct {
	a      *app
	p      *progress
	obey   func(os.Signal) // what a signal means to the loop
	screen context.Context // ends when the screen has to go
	leave  func()          // ends it
}

// over shows a loop on the screen from its first commit on, until the user leaves it; then the loop goes on as without. When the loop has ended the
// screen stays, unless there is an error to be told.
func (o overlay) over(run func(context.Context, *runner.Runner) (runner.Outcome, error)) func(context.Context, *runner.Runner) (runner.Outcome, error) {
	return func(ctx context.Context, r *runner.Runner) (outcome runner.Outcome, err error) {
		begun, done, emit := make(chan string, 1), make(chan struct{}), r.Emit
		r.Emit = func(e runner.Event) {
			emit(e)
			if e.Type == runner.LoopStarted || e.Type == runner.LoopResumed {
				begun <- e.Loop
			}
		}
		go func() {
			defer close(done)
			if outcome, err = run(ctx, r); err != nil {
				o.leave()
			}
		}()
		select {
		case <-done:
		case loop := <-begun:
			if trouble := o.show(loop); trouble != nil {
				o.p.say("no screen: " + o.a.explain(trouble).text)
			}
			<-done
		}
		return outcome, err
	}
}

// show shows the loop until the screen is left.
func (o overlay) show(loop string) error {
	repo := o.a.opened.Beside()
	defer repo.Close()
	l, err := repo.FindLoop(o.screen, loop)
	if err != nil {
		return err
	}
	v, err := runner.Read(o.screen, repo, l)
	if err != nil {
		return err
	}
	w := newWatched(o.a, v)
	defer w.close()
	source := w.source()
	source.Notices = o.p.hide()
	defer o.p.reveal()
	source.Interrupt = func() { o.obey(os.Interrupt) }
	return o.a.watch(o.screen, source)
}
