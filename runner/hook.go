package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// hookTimeout is how long a hook of ours may take.
const hookTimeout = 10 * time.Minute

// The hooks of ours.
const (
	preIterationHook  = "ralph-pre-iteration"
	postIterationHook = "ralph-post-iteration"
	waveHook          = "ralph-wave"
	endHook           = "ralph-end"
)

func hookNames() []string { return []string{preIterationHook, postIterationHook, waveHook, endHook} }

// hook runs a hook of ours if there is one, in a phase of its own. It tells and returns what went wrong, empty when nothing did. Once the loop is to
// stop now no hook is run any more.
func (l *loop) hook(ctx context.Context, phase Phase, number int, name string) string {
	if l.control.now.Err() != nil {
		return ""
	}
	trouble := l.runHook(ctx, phase, number, name)
	if trouble != "" {
		l.tell("%s", trouble)
	}
	return trouble
}

func (l *loop) runHook(ctx context.Context, phase Phase, number int, name string) string {
	path, err := l.repo.Hook(ctx, name)
	if err != nil {
		return err.Error()
	}
	if path == "" {
		return ""
	}
	l.phase(phase)
	command := l.command(number, []string{path})
	command.Dir = l.repo.TopLevel
	command.Stdout, command.Timeout = l.outputPath(number, name), hookTimeout
	result, err := l.supervisor.Run(l.control.now, command)
	switch {
	case err != nil:
		return fmt.Sprintf("hook %s: %v", name, err)
	case result.End != proc.Exited:
		return fmt.Sprintf("hook %s: %s", name, result.End)
	case result.ExitCode != 0:
		return fmt.Sprintf("hook %s: exit %d", name, result.ExitCode)
	}
	return ""
}
