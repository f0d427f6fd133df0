package runner

import (
	"context"
	"time"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// hookTimeout is how long a hook of ours may take.
const hookTimeout = 10 * time.Minute

// hook runs a hook of ours if there is one, in a phase of its own, and returns its exit code: 0 when there is none, -1 when it could not run.
func (l *loop) hook(ctx context.Context, phase Phase, number int, name string) int {
	path, err := l.repo.Hook(ctx, name)
	if err != nil {
		l.tell("%v", err)
		return -1
	}
	if path == "" {
		return 0
	}
	l.phase(phase)
	command := l.command(number, []string{path})
	command.Dir = l.repo.TopLevel
	command.Stdout, command.Timeout = l.outputPath(number, name), hookTimeout
	result, err := l.supervisor.Run(l.control.now, command)
	switch {
	case err != nil:
		l.tell("hook %s: %v", name, err)
		return -1
	case result.End != proc.Exited:
		l.tell("hook %s: %s", name, result.End)
		return -1
	case result.ExitCode != 0:
		l.tell("hook %s: exit %d", name, result.ExitCode)
	}
	return result.ExitCode
}
