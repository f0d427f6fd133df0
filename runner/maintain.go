package runner

import (
	"os"

	"github.com/git-ralph/git-ralph/runner/proc"
)

// maintain lets git tidy up, under the supervisor: it must neither outlive us nor keep us when we are to stop.
func (l *loop) maintain() {
	command := l.command(l.state.Last.Iteration, l.repo.Maintenance())
	command.Dir, command.Env = l.repo.TopLevel, l.Env
	command.Stdout = l.outputPath(l.state.Last.Iteration, "maintenance")
	result, err := l.supervisor.Run(l.control.now, command)
	switch {
	case err != nil:
		l.tell("git's maintenance did not run: %v", err)
	case result.End == proc.Exited && result.ExitCode != 0:
		l.tell("git's maintenance: exit %d: %s", result.ExitCode, readTail(command.Stdout, maintenanceTail))
	default:
		_ = os.Remove(command.Stdout) // nothing that anybody asks for
	}
}

// maintenanceTail is how many bytes of what git said are told.
const maintenanceTail = 300
