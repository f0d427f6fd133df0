package main

import (
	"context"
	"errors"
	"os"

	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/lines"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// lastOutput is how many bytes of what the agent has printed already are read of each of its streams.
const lastOutput = 4 << 20

// longestComplaint is how many bytes of a line on standard error are shown.
const longestComplaint = 8 << 10

// output hands on what the agent prints in an iteration: both streams as they come; of one that is over, standard output first.
func (w *watched) output(ctx context.Context, n int, ended <-chan struct{}, line func(string)) error {
	show := func(text string) {
		for _, l := range paragraphs(text) {
			line(l)
		}
	}
	select {
	case <-ended:
		if !w.hasOutput(n) {
			return w.plain(outputGone(*w.view.Load(), n))
		}
		err := w.printed(ctx, n, ended, show)
		return errors.Join(err, w.complained(ctx, n, ended, show))
	default:
		complaints := make(chan error, 1)
		go func() { complaints <- w.complained(ctx, n, ended, show) }()
		err := w.printed(ctx, n, ended, show)
		return errors.Join(err, <-complaints)
	}
}

// hasOutput reports whether anything is here that the agent printed in an iteration.
func (w *watched) hasOutput(n int) bool {
	for _, stream := range []string{"out", "err"} {
		if _, err := os.Stat(outputFile(w.pages, w.name, n, stream)); err == nil {
			return true
		}
	}
	return false
}

// printed hands on the agent's standard output, as a person reads it.
func (w *watched) printed(ctx context.Context, n int, ended <-chan struct{}, show func(string)) error {
	output := proc.FollowEnd(ctx, outputFile(w.pages, w.name, n, "out"), lastOutput, ended)
	defer output.Close()
	return runner.Readable(w.view.Load().Config, output, show)
}

// complained hands on the agent's standard error.
func (w *watched) complained(ctx context.Context, n int, ended <-chan struct{}, show func(string)) error {
	output := proc.FollowEnd(ctx, outputFile(w.pages, w.name, n, "err"), lastOutput, ended)
	defer output.Close()
	scanner := lines.NewScanner(output, longestComplaint)
	for scanner.Scan() {
		show(scanner.Text())
	}
	return scanner.Err()
}
