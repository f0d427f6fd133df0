package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/proc"
	"github.com/git-ralph/git-ralph/runner/spec"
)

// execute builds the prompt and runs the agent until it has a verdict that is not to be waited for. An agent that fails is no error: the iteration says so.
func (l *loop) execute(ctx context.Context, it *iteration) error {
	prompt, err := l.prompt(ctx, it)
	if err != nil {
		return err
	}
	request := l.agentRequest(prompt, it.number)
	if err := replaceFile(request.PromptFile, []byte(prompt)); err != nil {
		return fmt.Errorf("write the prompt: %w", err)
	}
	invocation, err := l.preset.Invoke(request)
	if err != nil {
		return err
	}
	if invocation.Switched {
		l.tellOnce("the prompt is longer than %d KB: it goes to the agent's standard input", agent.MaxArgPrompt>>10)
	}
	for tried := (tries{}); ; {
		l.change(Event{Phase: Executing, Argv: l.shownArgv(invocation.Argv, prompt)})
		l.attempt(it, invocation, request)
		if it.status != gitstate.Failed || !it.ran {
			return nil
		}
		pause, why, again := pauseAfter(it.verdict, tried.count(it.verdict.Class), l.config.MaxRetries, l.Now())
		if !again {
			return nil
		}
		if overBudget(l.config, l.state.Totals, it.used.tokens, it.used.cost) {
			it.failure += "; it is not run again, for the loop's budget is used up"
			return nil
		}
		l.tell("%s: %s; the iteration is run again in %s", why, it.failure, Duration(pause.Round(time.Second)))
		if !l.wait(it, pause, why) {
			return nil
		}
	}
}

// shownArgv is an argument vector for people: the prompt is known, and may be long.
func (l *loop) shownArgv(argv []string, prompt string) []string {
	shown := make([]string, len(argv))
	for i, argument := range argv {
		shown[i] = l.redact.text(strings.ReplaceAll(argument, prompt, agent.PromptPlaceholder))
	}
	return shown
}

// attempt runs the agent once and takes its verdict.
func (l *loop) attempt(it *iteration, invocation agent.Invocation, request agent.Request) {
	result, reader, err := l.runAgent(invocation, request, it)
	it.head = readHead(l.outputPath(it.number, "out"), headLength)
	if err != nil {
		it.status, it.failure = gitstate.Failed, err.Error()
		return
	}
	it.ran, it.code = true, &result.ExitCode
	it.verdict = l.withRecord(reader.Verdict(exitOf(result, readTail(l.outputPath(it.number, "err"), stderrLength), l.Now())), invocation)
	it.used.add(it.verdict)
	it.status, it.failure = l.agentStatus(result, it)
	if it.verdict.Denied != "" {
		l.tell("the agent was not allowed: %s", it.verdict.Denied)
	}
	l.tellResult(result)
}

// tellResult tells what the user should know of the agent's run beside how it ended.
func (l *loop) tellResult(result proc.Result) {
	if l.scratchGone() {
		l.tell("the files below .git/ralph were removed meanwhile, the agent's output with them")
		result.Trouble = slices.DeleteFunc(result.Trouble, func(line string) bool {
			return strings.Contains(line, l.repo.LoopDir(l.state.Loop.Name)) // says no more than that
		})
	}
	for _, line := range result.Trouble {
		l.tell("%s", line)
	}
	if result.Cut > 0 {
		l.tell("%d bytes of the agent's output were cut out of the middle of the log", result.Cut)
	}
	if result.Leftovers > 0 {
		l.tell("ended %s that the agent left behind", processes(result.Leftovers))
	}
}

// emptyLog puts an empty file in the place of the log of an earlier run of the same iteration, if there is one: it would be read as this one's.
func emptyLog(path string) error {
	if _, err := os.Lstat(path); errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return replaceFile(path, nil)
}

// scratchGone reports whether somebody removed the loop's directory.
func (l *loop) scratchGone() bool {
	_, err := os.Lstat(l.repo.LoopDir(l.state.Loop.Name))
	return errors.Is(err, fs.ErrNotExist)
}

// processes writes a number of them: "1 process", "2 processes".
func processes(n int) string {
	if n == 1 {
		return "1 process"
	}
	return fmt.Sprintf("%d processes", n)
}

// agentStatus says how the agent's run ended, and why when not well.
func (l *loop) agentStatus(result proc.Result, it *iteration) (gitstate.Status, string) {
	verdict := it.verdict
	switch verdict.Class {
	case agent.TimedOut:
		return gitstate.TimedOut, "ended after its time limit"
	case agent.Stalled:
		return gitstate.Stalled, fmt.Sprintf("ended after %s without output, a changed file or work", l.config.StallTimeout)
	}
	switch result.End {
	case proc.Stopped:
		if it.overBudget {
			return gitstate.Interrupted, "ended when the loop's budget was used up"
		}
		return gitstate.Interrupted, "stopped by the user"
	case proc.Lost:
		return gitstate.Failed, "the supervisor of the agent was killed"
	}
	if verdict.Class == agent.Completed {
		return gitstate.Completed, ""
	}
	if verdict.Error != "" {
		return gitstate.Failed, verdict.Error
	}
	return gitstate.Failed, fmt.Sprintf("agent: exit %d", result.ExitCode)
}

func (l *loop) agentRequest(prompt string, number int) agent.Request {
	words := agent.TaskWords{}
	if l.plan != nil {
		words = agent.TaskWords{Complete: spec.TaskComplete, Blocked: spec.TaskBlocked}
	}
	return agent.Request{
		Command: l.config.Command, Program: l.program(), Prompt: prompt, PromptMode: l.config.PromptMode, PromptFile: l.outputPath(number, "prompt"),
		Promise: l.config.Promise, Match: l.config.Match, Model: l.config.Model, Permissions: l.config.Permissions, Task: words,
	}
}

// program is the path of the preset's own program where PATH does not have it; empty: as the preset says. What the user wrote stays as it is, plain names aside.
func (l *loop) program() string {
	name := l.config.Agent
	if own := l.config.Custom.Command; len(own) > 0 {
		if name = agent.Recognize(own); name != own[0] {
			return ""
		}
	}
	return programPath(name, l.env)
}

// runAgent runs the agent to its end while the reader reads what it prints.
func (l *loop) runAgent(invocation agent.Invocation, request agent.Request, it *iteration) (proc.Result, agent.Reader, error) {
	command := l.command(it.number, invocation.Argv)
	command.Stdin = invocation.Stdin
	command.Env = slices.DeleteFunc(command.Env, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(invocation.Unset, name)
	})
	command.Env = withoutTaskID(append(command.Env, invocation.Env...))
	command.Stdout, command.Stderr = l.outputPath(it.number, "out"), l.outputPath(it.number, "err")
	command.Timeout, command.Stall = l.agentTimeout(it), time.Duration(l.config.StallTimeout)
	for _, path := range []string{command.Stdout, command.Stderr} {
		if err := emptyLog(path); err != nil {
			return proc.Result{}, nil, fmt.Errorf("make the log: %w", err)
		}
	}
	ctx, cancel := context.WithCancelCause(l.control.now)
	defer cancel(nil)
	reader := l.preset.Reader(request)
	ended, read := make(chan struct{}), make(chan error, 1)
	early := runEnd{cancel: cancel, over: func(a agent.Activity) bool {
		tokens, cost := it.used.with(a.Tokens, a.CostUSD)
		return overBudget(l.config, l.state.Totals, tokens, cost)
	}}
	go func() {
		output := proc.Follow(context.Background(), command.Stdout, 0, ended)
		defer output.Close()
		read <- reader.Read(output, func(a agent.Activity) {
			early.take(a)
			if a.Text != "" {
				l.emit(Event{Type: AgentActivity, Iteration: it.number, Kind: a.Kind, Text: l.redact.text(a.Text)})
			}
		})
	}()
	result, err := l.supervisor.Run(ctx, command)
	close(ended)
	if readErr := <-read; err == nil && readErr != nil && !l.scratchGone() {
		l.tell("the agent's output could not be read to its end: %v", readErr)
	}
	early.stop()
	if result.End == proc.Stopped && errors.Is(context.Cause(ctx), errLingers) {
		l.tell("the agent did not end within %v after its last word: it was ended", early.limit)
		result.End, result.ExitCode = proc.Exited, 0
	}
	it.overBudget = errors.Is(context.Cause(ctx), errBudget)
	return result, reader, err
}

// timeLeft is what is left of the loop's time: earlier tries and waits of the iteration count. It may be negative.
func (l *loop) timeLeft(it *iteration) time.Duration {
	return time.Duration(l.config.MaxDuration) - l.state.Totals.Elapsed - l.Now().Sub(it.started)
}

// agentTimeout is the iteration's time limit, or what is left of the loop's when that is less.
func (l *loop) agentTimeout(it *iteration) time.Duration {
	limit := time.Duration(l.config.Timeout)
	if l.config.MaxDuration > 0 {
		left := max(l.timeLeft(it), time.Second)
		if limit == 0 || left < limit {
			limit = left
		}
	}
	return limit
}

// command is what agents, verify and hooks have in common.
func (l *loop) command(number int, argv []string) proc.Command {
	return proc.Command{
		Argv: argv, Dir: l.dir(), Env: iterationEnv(l.env, l.state.Loop.Name, number),
		Marker: marker(l.repo, l.state.Loop.Name), Redact: l.secrets, WatchDir: l.repo.TopLevel,
		Grace: time.Duration(l.config.Grace), Kill: l.control.kill,
	}
}
