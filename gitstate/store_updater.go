package gitstate

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"
)

// updater runs transactions of refs in one `git update-ref --stdin`. The process that ran one is kept for a moment: where iterations follow each
// other at once, starting it takes longer than its work. It is not kept longer, and not where the repository's configuration has changed: what
// it knows of the repository must be what is there.
type updater struct {
	mu    sync.Mutex
	call  *updateCall // nil: none is kept
	spare *time.Timer // ends it
}

// updaterKept is how long a process that has nothing to do is kept.
const updaterKept = time.Second

// updateAnswers is how many lines git answers to a transaction: to start, prepare and commit.
const updateAnswers = 3

// updateCall is one such process.
type updateCall struct {
	args   []string
	config fs.FileInfo // of the repository's configuration when it was started; nil: there was none
	end    context.CancelFunc
	cmd    *exec.Cmd
	stdin  io.WriteCloser
	stdout *bufio.Reader
	stderr bytes.Buffer
	err    error         // it could not be started
	ready  chan struct{} // closed when the fields above are set
}

// prepare starts a process for a transaction that is to come soon, unless one is kept. It does not wait until it runs.
func (u *updater) prepare(ctx context.Context, g *git, args []string, config string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.fits(args, config) {
		u.replace(ctx, g, args, config)
	}
}

// run runs a transaction. Nothing has happened after an error, as far as git can tell.
func (u *updater) run(ctx context.Context, g *git, args []string, config string, script []byte) error {
	u.mu.Lock()
	defer u.mu.Unlock()
	kept := u.fits(args, config)
	if !kept {
		u.replace(ctx, g, args, config)
	}
	answered, err := u.call.run(ctx, script)
	if err != nil && kept && !answered && ctx.Err() == nil { // it was ended while it waited
		u.replace(ctx, g, args, config)
		_, err = u.call.run(ctx, script)
	}
	if err != nil {
		u.call = nil // it has ended
		return err
	}
	u.spare = time.AfterFunc(updaterKept, u.close)
	return nil
}

// fits reports whether there is a process for these arguments that knows the repository as it is, and drops another one.
func (u *updater) fits(args []string, config string) bool {
	if u.spare != nil {
		u.spare.Stop()
		u.spare = nil
	}
	if u.call == nil {
		return false
	}
	<-u.call.ready
	now, _ := os.Stat(config)
	was := u.call.config
	same := now == nil && was == nil || now != nil && was != nil && os.SameFile(now, was) && now.ModTime().Equal(was.ModTime()) && now.Size() == was.Size()
	if u.call.err != nil || !same || !slices.Equal(u.call.args, args) {
		u.drop()
		return false
	}
	return true
}

// replace starts a process.
func (u *updater) replace(ctx context.Context, g *git, args []string, config string) {
	c := &updateCall{args: args, ready: make(chan struct{})}
	c.config, _ = os.Stat(config)
	u.call = c
	go c.start(ctx, g)
}

// close ends the process that is kept, if there is one.
func (u *updater) close() {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.drop()
}

func (u *updater) drop() {
	if u.call != nil {
		_ = u.call.wait(context.Background())
		u.call = nil
	}
}

func (c *updateCall) start(ctx context.Context, g *git) {
	defer close(c.ready)
	own, end := context.WithCancel(context.WithoutCancel(ctx))
	c.end = end
	c.cmd = g.command(own, call{args: c.args})
	c.cmd.Stderr = &c.stderr
	var stdout io.Reader
	if c.stdin, c.err = c.cmd.StdinPipe(); c.err == nil {
		stdout, c.err = c.cmd.StdoutPipe()
	}
	if c.err == nil {
		c.stdout = bufio.NewReader(stdout)
		c.err = c.cmd.Start()
	}
}

// run lets the process run a script, and says whether it began to. After an error the process has ended.
func (c *updateCall) run(ctx context.Context, script []byte) (answered bool, err error) {
	<-c.ready
	if c.err != nil {
		return false, c.wait(ctx)
	}
	defer context.AfterFunc(ctx, c.end)()
	if _, err := c.stdin.Write(script); err != nil {
		return false, c.wait(ctx)
	}
	for range updateAnswers {
		line, err := c.stdout.ReadString('\n')
		if err != nil {
			return answered, c.wait(ctx)
		}
		answered = answered || line != ""
	}
	return true, nil
}

// wait ends the process and returns what it says of its end; nil when it ended well.
func (c *updateCall) wait(ctx context.Context) error {
	<-c.ready
	if c.err != nil {
		c.end()
		return fmt.Errorf("run git: %w", c.err)
	}
	_ = c.stdin.Close()
	_, _ = io.Copy(io.Discard, c.stdout)
	err := c.cmd.Wait()
	c.end()
	return gitFailure(ctx, c.args, err, c.stderr.String())
}
