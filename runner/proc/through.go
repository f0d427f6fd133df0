package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"runtime"
	"syscall"
	"time"
)

// Through is a program that takes our place for a while: it has our terminal, our process group and the streams that it is given, as if whoever started us
// had started it.
type Through struct {
	Argv           []string  // required; a script is run by sh where the system knows no scripts
	Dir            string    // required: working directory
	Env            []string  // whole environment
	Stdin          io.Reader // nil: nothing
	Stdout, Stderr io.Writer // required
}

// Run runs the program to its end and returns its exit code. When ctx is cancelled it gets TERM, and KILL after five seconds. The error says that it could
// not be run, and wraps [ErrNotStarted].
func (t Through) Run(ctx context.Context) (int, error) {
	argv := t.Argv
	if runtime.GOOS == "windows" {
		argv = append([]string{"sh"}, argv...)
	}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = t.Dir, t.Env
	cmd.Stdin, cmd.Stdout, cmd.Stderr = t.Stdin, t.Stdout, t.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	err := cmd.Run()
	if ctx.Err() != nil {
		return -1, context.Cause(ctx)
	}
	if _, ended := errors.AsType[*exec.ExitError](err); ended || errors.Is(err, exec.ErrWaitDelay) || errors.Is(err, syscall.EPIPE) {
		return cmd.ProcessState.ExitCode(), nil
	}
	if err != nil {
		return -1, fmt.Errorf("%w: %w", ErrNotStarted, err)
	}
	return 0, nil
}
