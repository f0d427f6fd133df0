package gitstate

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"slices"
)

// readyCalls are git processes that were started before their input was known: starting one takes longer than its work. A process that
// is not used ends when its input ends, ours or with us.
type readyCalls struct{ waiting []*readyCall }

// readyCall is one such process.
type readyCall struct {
	args    []string
	started chan struct{} // closed when the fields below are set
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	stdout  *awaited
	stderr  bytes.Buffer
	err     error // it could not be started
}

// start starts a process for each of the calls; those that still wait from before are dropped. It does not wait until they run.
func (r *readyCalls) start(ctx context.Context, g *git, calls ...[]string) {
	r.drop()
	for _, args := range calls {
		r.waiting = append(r.waiting, &readyCall{args: args, started: make(chan struct{})})
	}
	go func(all []*readyCall) {
		for _, c := range all {
			c.start(ctx, g)
		}
	}(slices.Clone(r.waiting))
}

func (c *readyCall) start(ctx context.Context, g *git) {
	defer close(c.started)
	c.cmd = g.command(ctx, call{args: c.args})
	c.stdout = newAwaited()
	c.cmd.Stdout, c.cmd.Stderr = c.stdout, &c.stderr
	if c.stdin, c.err = c.cmd.StdinPipe(); c.err == nil {
		c.err = c.cmd.Start()
	}
}

// run does what a call with that input does, in the process that waits for it if there is one.
func (r *readyCalls) run(ctx context.Context, g *git, args []string, input io.Reader) ([]byte, error) {
	at := slices.IndexFunc(r.waiting, func(c *readyCall) bool { return slices.Equal(c.args, args) })
	if at < 0 {
		return g.do(ctx, call{args: args, stdin: input})
	}
	c := r.waiting[at]
	r.waiting = slices.Delete(r.waiting, at, at+1)
	<-c.started
	text, err := io.ReadAll(input)
	if err != nil || c.err != nil {
		c.drop()
		return g.do(ctx, call{args: args, stdin: bytes.NewReader(text)})
	}
	// One that was ended while it waited has read nothing, and a new one does the work. The first bytes alone would be of no use to it.
	if n, err := c.stdin.Write(text[:1]); n == 0 || err != nil {
		c.drop()
		return g.do(ctx, call{args: args, stdin: bytes.NewReader(text)})
	}
	_, _ = c.stdin.Write(text[1:]) // what it did not want it complains of itself
	_ = c.stdin.Close()
	c.stdout.await(ctx)
	err = c.cmd.Wait()
	return c.stdout.text.Bytes(), gitFailure(ctx, args, err, c.stderr.String())
}

// drop ends the processes that still wait.
func (r *readyCalls) drop() {
	for _, c := range r.waiting {
		<-c.started
		c.drop()
	}
	r.waiting = nil
}

// drop ends a process that was not used.
func (c *readyCall) drop() {
	if c.err != nil {
		return
	}
	_ = c.stdin.Close()
	_ = c.cmd.Wait() // it complains that nothing came
}
