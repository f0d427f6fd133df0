package runner

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// pushGrace is what git gets to remove its locks when a call that talks to a remote is cut short.
const pushGrace = 2 * time.Second

// silence is how long a remote may say nothing. git says how far it is; where a hook of the remote's is at work, it may say nothing for a while.
const silence = time.Minute

// pushMarker is what git carries while it talks to a remote beside the loop.
func pushMarker(repo *gitstate.Repository, loop string) string { return marker(repo, loop) + ":push" }

// supervised returns what runs a git call that talks to a remote in the loop's work tree, under a supervisor of its own, so that it ends with us. It may be
// called beside the loop.
func (l *loop) supervised() gitstate.Caller {
	loop, topLevel := l.state.Loop.Name, l.repo.TopLevel
	return func(ctx context.Context, argv, env []string) (gitstate.Answer, error) {
		return l.callSupervised(ctx, loop, topLevel, argv, env)
	}
}

func (r *Runner) callSupervised(ctx context.Context, loop, topLevel string, argv, env []string) (gitstate.Answer, error) {
	dir := r.Repo.LoopDir(loop)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return gitstate.Answer{}, fmt.Errorf("make the loop's directory: %w", err)
	}
	command := proc.Command{
		Argv: argv, Dir: topLevel, Env: env, Stdout: filepath.Join(dir, "push.out"), Stderr: filepath.Join(dir, "push.err"),
		Marker: pushMarker(r.Repo, loop), Grace: pushGrace, Stall: r.Silence,
	}
	if command.Stall == 0 {
		command.Stall = silence
	}
	result, err := r.Supervisor.Run(ctx, command)
	if err != nil {
		return gitstate.Answer{}, err
	}
	answer := gitstate.Answer{ExitCode: result.ExitCode}
	for path, text := range map[string]*string{command.Stdout: &answer.Stdout, command.Stderr: &answer.Stderr} {
		said, err := os.ReadFile(path)
		if err != nil {
			return answer, fmt.Errorf("read what git said: %w", err)
		}
		*text = string(said)
		_ = os.Remove(path) // nothing that anybody asks for
	}
	if result.End == proc.Stalled {
		answer = gitstate.Answer{ExitCode: -1, Stderr: fmt.Sprintf("fatal: no word for %s", Duration(command.Stall))}
	}
	return answer, nil
}
