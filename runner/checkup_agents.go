package runner

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// How long an agent may take to say its version, and to answer one prompt.
const (
	versionTime = 10 * time.Second
	probeTime   = 2 * time.Minute
)

// probePrompt is a prompt that costs as little as one can.
const probePrompt = "Reply with the single word OK and nothing else. Do not use any tool."

// agents looks for the known agents: each that is there with its version and path.
func (c Checkup) agents(ctx context.Context) []Check {
	installed, paths := Installed(c.Env)
	var checks []Check
	var missing []string
	for _, d := range c.Described {
		if len(d.Command) > 0 {
			checks = append(checks, c.described(ctx, d)...)
		}
	}
	for _, probe := range agent.Probes() {
		if c.changed(probe.Agent) {
			continue
		}
		if !slices.Contains(installed, probe.Agent) {
			missing = append(missing, probe.Agent)
			continue
		}
		found := c.version(ctx, probe, paths[probe.Agent])
		checks = append(checks, found)
		if c.Probe && found.State == CheckFine {
			checks = append(checks, c.ask(ctx, probe, found.Path))
		}
	}
	if len(checks) == 0 {
		none := note("agents", "none that git-ralph knows is installed (%s): any program can be given with --command", strings.Join(missing, ", "))
		none.Hints = []string{`git ralph start "make the tests pass" --command "PROGRAM ARGS"`}
		return []Check{none}
	}
	if len(missing) > 0 {
		checks = append(checks, note("agents", "not installed: %s", strings.Join(missing, ", ")))
	}
	return checks
}

// version asks an agent's program for its version.
func (c Checkup) version(ctx context.Context, probe agent.Probe, path string) Check {
	name := "agent " + probe.Agent
	result, output, err := c.try(ctx, trial{argv: append([]string{path}, probe.Args...), timeout: versionTime})
	found := Check{Name: name, Path: path}
	switch version := probe.Version(output.out); {
	case err != nil:
		found.State, found.Text = CheckWrong, fmt.Sprintf("%s: %v", path, err)
	case result.End == proc.TimedOut:
		found.State, found.Text = CheckWrong, fmt.Sprintf("%s does not say its version within %v", path, versionTime)
	case result.ExitCode != 0:
		found.State, found.Text = CheckWrong, fmt.Sprintf("%s does not run: exit %d%s", path, result.ExitCode, because(output))
	case version == "":
		found.State, found.Text = CheckNote, fmt.Sprintf("%s does not say a version that %s would say: it may be another program", path, probe.Agent)
	default:
		found.State, found.Text, found.Version = CheckFine, fmt.Sprintf("%s at %s", version, path), version
	}
	if found.State != CheckFine {
		found.Hints = []string{strings.Join(append([]string{shellQuoted(path)}, probe.Args...), " ")}
	}
	return found
}

// asked is an agent that is to answer.
type asked struct {
	preset  agent.Preset
	path    string   // of its program
	scratch []string // variables ("K=V") that make it work in an empty folder
}

// ask lets a known agent answer one prompt.
func (c Checkup) ask(ctx context.Context, probe agent.Probe, path string) Check {
	preset, err := agent.Find(probe.Agent)
	if err != nil {
		return wrong("probe "+probe.Agent, "git ralph doctor", "%v", err)
	}
	return c.answer(ctx, asked{preset: preset, path: path, scratch: probe.Scratch})
}

// answer lets an agent answer one prompt, in an empty folder, with its own safe permissions.
func (c Checkup) answer(ctx context.Context, a asked) Check {
	check, preset, path := "probe "+a.preset.Name(), a.preset, a.path
	dir, err := os.MkdirTemp("", "git-ralph-probe-")
	if err != nil {
		return wrong(check, "df -h "+os.TempDir(), "make a scratch folder: %v", err)
	}
	defer os.RemoveAll(dir)
	work := filepath.Join(dir, "work") // some agents work in repositories only, as those of loops do
	if err := os.Mkdir(work, 0o700); err != nil {
		return wrong(check, "df -h "+os.TempDir(), "make a scratch folder: %v", err)
	}
	scratch, err := gitstate.Init(ctx, gitstate.OpenRequest{Dir: work, Env: c.Env}, "main", nil)
	if err != nil {
		return wrong(check, "git init", "%v", err)
	}
	defer scratch.Close()
	request := agent.Request{Program: path, Prompt: probePrompt, PromptFile: filepath.Join(dir, "prompt")}
	if err := os.WriteFile(request.PromptFile, []byte(probePrompt), 0o600); err != nil {
		return wrong(check, "df -h "+os.TempDir(), "write the prompt: %v", err)
	}
	invocation, err := preset.Invoke(request)
	if err != nil {
		return wrong(check, "git ralph doctor", "%v", err)
	}
	began := c.Now()
	result, output, err := c.try(ctx, trial{
		argv: invocation.Argv, stdin: invocation.Stdin, env: append(invocation.Env, a.scratch...), unset: invocation.Unset, timeout: probeTime, dir: work,
	})
	if err != nil {
		return wrong(check, shellQuoted(path), "%v", err)
	}
	reader := preset.Reader(request)
	if err := reader.Read(strings.NewReader(output.out), func(agent.Activity) {}); err != nil {
		return wrong(check, shellQuoted(path), "read its answer: %v", err)
	}
	verdict := reader.Verdict(exitOf(result, output.err, c.Now()))
	switch {
	case result.End == proc.TimedOut:
		return wrong(check, "does it answer there? "+shellQuoted(path), "no answer within %v", probeTime)
	case verdict.Class != agent.Completed:
		why := cmp.Or(verdict.Error, strings.TrimPrefix(because(output), ": "), fmt.Sprintf("exit %d", result.ExitCode))
		return wrong(check, "does it answer there? "+shellQuoted(path), "%s: %s", verdict.Class, why)
	}
	return fine(check, "answered within %v", max(c.Now().Sub(began).Round(tenth), tenth))
}

// trial is one run of an agent's program.
type trial struct {
	argv, env, unset []string
	stdin            string
	dir              string // empty: an empty one
	timeout          time.Duration
}

// printed is what a program printed, the last of it.
type printed struct{ out, err string }

// try runs a program under the supervisor, where it leaves nothing behind.
func (c Checkup) try(ctx context.Context, a trial) (proc.Result, printed, error) {
	logs, err := os.MkdirTemp("", "git-ralph-doctor-")
	if err != nil {
		return proc.Result{}, printed{}, fmt.Errorf("make a scratch folder: %w", err)
	}
	defer os.RemoveAll(logs)
	if a.dir == "" {
		a.dir = logs
	}
	env := slices.DeleteFunc(slices.Clone(c.Env), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return slices.Contains(a.unset, name) || strings.HasPrefix(name, "GIT_DIR") || strings.HasPrefix(name, "GIT_WORK_TREE")
	})
	out, errs := filepath.Join(logs, "out"), filepath.Join(logs, "err")
	result, err := c.Supervisor.Run(ctx, proc.Command{
		Argv: a.argv, Dir: a.dir, Env: append(env, a.env...), Stdin: a.stdin, Stdout: out, Stderr: errs,
		Marker: "doctor:" + filepath.Base(logs), Timeout: a.timeout, OutputLimit: 1 << 20, Grace: time.Second,
	})
	if errors.Is(err, context.Canceled) {
		err = context.Cause(ctx)
	}
	text, _ := os.ReadFile(out) // the file is ours, and empty when it cannot be read
	return result, printed{out: string(text), err: readTail(errs, stderrLength)}, err
}

// because is the last line of what a program complained of.
func because(output printed) string {
	for _, text := range []string{output.err, output.out} {
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if last := strings.TrimSpace(lines[len(lines)-1]); last != "" {
			return ": " + last
		}
	}
	return ""
}
