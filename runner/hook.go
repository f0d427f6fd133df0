package runner

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// hookTimeout is how long a hook of ours may take where nothing else is said.
const hookTimeout = 10 * time.Minute

// The hooks of ours.
const (
	preIterationHook  = "ralph-pre-iteration"
	postIterationHook = "ralph-post-iteration"
	waveHook          = "ralph-wave"
	endHook           = "ralph-end"
)

// HookNames returns the names of the hooks that a loop runs. What one prints is in the loop's directory, in a file named NNNN.<hook>.
func HookNames() []string { return []string{preIterationHook, postIterationHook, waveHook, endHook} }

// hookCall is a hook of ours and what it is told in its environment.
type hookCall struct {
	name   string
	phase  Phase
	number int             // of the iteration
	status gitstate.Status // of the iteration; empty: it has none yet
	commit gitstate.Record // that it follows; without a commit: none is told
	exit   string          // why the loop ended; empty: it goes on, or may be resumed
}

// hook runs a hook of ours if there is one, in a phase of its own. It tells and returns what went wrong, empty when nothing did. Once the loop is to
// stop now no hook is run any more.
func (l *loop) hook(ctx context.Context, h hookCall) string {
	if l.control.now.Err() != nil {
		return ""
	}
	trouble := l.runHook(ctx, h)
	if trouble != "" {
		l.tell("%s", trouble)
	}
	return trouble
}

func (l *loop) runHook(ctx context.Context, h hookCall) string {
	path, err := l.repo.Hook(ctx, h.name)
	if err != nil {
		return err.Error()
	}
	if path == "" {
		return ""
	}
	l.phase(h.phase)
	command := l.command(h.number, []string{path})
	command.Dir = l.repo.TopLevel
	command.Env = append(command.Env, h.env()...)
	command.Stdout, command.Timeout = l.outputPath(h.number, h.name), cmp.Or(l.HookLimit, hookTimeout)
	result, err := l.supervisor.Run(l.control.now, command)
	switch {
	case err != nil:
		return fmt.Sprintf("hook %s: %v", h.name, err)
	case result.End == proc.TimedOut:
		return fmt.Sprintf("hook %s: ended after %s, its time limit", h.name, Duration(command.Timeout))
	case result.End != proc.Exited:
		return fmt.Sprintf("hook %s: %s", h.name, result.End)
	case result.ExitCode != 0:
		return fmt.Sprintf("hook %s: exit %d", h.name, result.ExitCode)
	}
	return ""
}

// env is what a hook is told, beside what every program of the loop is. A variable of that name that the user has means nothing here.
func (h hookCall) env() []string {
	commit := ""
	if !h.commit.Commit.IsZero() {
		commit = h.commit.Commit.String()
	}
	return []string{"GIT_RALPH_STATUS=" + string(h.status), "GIT_RALPH_COMMIT=" + commit, "GIT_RALPH_EXIT=" + h.exit}
}

// hooksAfter runs the hooks that follow an iteration's commit.
func (l *loop) hooksAfter(ctx context.Context, it *iteration, exit gitstate.Exit) {
	h := hookCall{name: postIterationHook, phase: PostHooks, number: it.number, status: it.status, commit: *l.last, exit: string(exit)}
	l.hook(ctx, h)
	if l.state.Last.Kind == gitstate.Wave {
		h.name, h.commit = waveHook, l.state.Last
		l.hook(ctx, h)
	}
}

// What GIT_RALPH_EXIT says where the loop stops and has not ended.
const (
	exitPaused = "paused"
	exitError  = string(gitstate.ExitError)
)

// hookAtEnd runs the hook that tells somebody that the loop stops.
func (l *loop) hookAtEnd(ctx context.Context, exit string) {
	h := hookCall{name: endHook, phase: PostHooks, number: l.state.Totals.Iteration, commit: l.state.Last, exit: exit}
	if l.last != nil {
		h.status = l.last.Status
	}
	if l.live.Pid == 0 { // no iteration ran in this process
		l.live = Live{Iteration: h.number, Pid: os.Getpid(), Started: l.Now(), Worktree: l.repo.TopLevel}
	}
	l.hook(ctx, h)
}
