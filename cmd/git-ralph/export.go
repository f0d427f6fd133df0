package main

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// exportCmd prints a loop as a loop-state.json.
type exportCmd struct {
	answer
	Loop string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
}

// Run reads the whole history of the loop.
func (c *exportCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	state, err := during(a, "reading every iteration", func() (stateFile, error) { return a.exportLoop(ctx, v) })
	if err != nil {
		return err
	}
	for _, name := range v.Config.Env {
		a.say("the value of %s is recorded nowhere: it is left out", flat(name))
	}
	if a.json {
		return a.printJSON(state)
	}
	return writeIndented(a.stdout, state, "  ")
}

// exportLoop puts a loop into the form of the file.
func (a *app) exportLoop(ctx context.Context, v runner.View) (stateFile, error) {
	records, err := readRecords(ctx, a.opened, v.Loop)
	if err != nil {
		return stateFile{}, err
	}
	t := v.Totals
	config, err := exportConfig(v)
	if err != nil {
		return stateFile{}, err
	}
	state := stateFile{
		Version: stateFileVersion, Iteration: t.Iteration, Config: config, StartedAt: someTime(t.StartedAt), Completed: t.Exit != "" && v.Running == nil,
		ExitReason: exportExit(v), IterationSummaries: []stateFilePast{},
	}
	if state.ExitReason.Type == "error" {
		state.Error = &state.ExitReason.Message
	}
	if t.Exit == gitstate.PromiseDetected {
		state.CompletionAt, state.CompletionText = someTime(v.Last.Time), some(v.Config.Promise)
	}
	for _, r := range records {
		if r.Status == "" {
			continue
		}
		i, err := readIteration(ctx, a.opened, v, r)
		if err != nil {
			return state, err
		}
		past := exportIteration(i, v.Config)
		state.IterationSummaries, state.LastIterationAt = append(state.IterationSummaries, past), &past.CompletedAt
	}
	progress, err := runner.ReadProgress(ctx, a.opened, v)
	if err == nil && progress != nil {
		state.stateFilePlan = exportPlan(v, progress)
	}
	return state, err
}

// exportConfig puts the configuration into the form of the file.
func exportConfig(v runner.View) (stateFileConfig, error) {
	c := v.Config
	argv, mode, environment, err := exportCall(c)
	if err != nil {
		return stateFileConfig{}, err
	}
	dir := c.Dir
	if dir == "" {
		dir = "."
	}
	config := stateFileConfig{
		Command: argv[0], Args: notNil(argv[1:]), Prompt: v.Prompt, CompletionPromise: some(c.Promise), MaxIterations: some(c.MaxIterations),
		WorkingDirectory: &dir, IterationContext: &c.IterationContext, TimeoutSecs: some(int64(time.Duration(c.Timeout) / time.Second)),
		VerificationCommand: some(strings.Join(c.Verify, " && ")),
		Backend:             &stateFileBackend{Type: c.Agent, PromptMode: string(mode), Environment: environment, OutputFormat: outputFormat(argv)},
		Git:                 &stateFileGit{AutoCommit: true, CommitTemplate: c.Subject, CreateBranch: true, BranchTemplate: branchTemplate(c.Branch, v.Loop.Name)},
	}
	if c.ScudTag != "" {
		config.stateFilePlanConfig = &stateFilePlanConfig{
			Tag: c.ScudTag, PlanPath: some(c.Plan), HandoffPath: some(c.Handoff), MaxIterationsPerTask: &c.MaxAttempts, MaxTotalIterations: &c.MaxIterations,
			UseSubAgents: true, AutoCommitWaves: true,
			Spec: &stateFileSpec{IncludeTask: &c.IncludeTask, IncludePlan: &c.IncludePlan, AdditionalSpecs: notNil(c.SpecFiles), MaxSpecTokens: some(c.MaxSpecTokens)},
		}
	}
	return config, nil
}

// exportCall is how the agent of a loop is called: its argument vector but for the prompt, how that reaches it, and the variables that it gets beside the loop's.
func exportCall(c runner.Config) (argv []string, mode agent.PromptMode, environment map[string]string, err error) {
	preset, err := agent.Find(c.Agent)
	if c.Custom.Name != "" {
		preset, err = c.Custom.Preset()
	}
	if err != nil {
		return nil, "", nil, err
	}
	const hole = agent.PromptPlaceholder // where the prompt would stand
	call, err := preset.Invoke(agent.Request{
		Command: c.Command, Prompt: hole, PromptFile: hole, PromptMode: c.PromptMode, Model: c.Model, Permissions: c.Permissions,
	})
	if err != nil {
		return nil, "", nil, err
	}
	environment = map[string]string{}
	mode = agent.PromptNone
	switch {
	case call.Stdin != "":
		mode = agent.PromptStdin
	case slices.Contains(call.Env, "PROMPT="+hole):
		mode = agent.PromptEnv
	case slices.Contains(call.Env, "PROMPT_FILE="+hole):
		mode = agent.PromptFile
	case c.PromptMode != agent.PromptNone:
		mode = agent.PromptArg
	}
	argv = call.Argv
	if last := len(argv) - 1; (mode == agent.PromptArg || mode == agent.PromptFile) && strings.Count(strings.Join(argv, " "), hole) == 1 && argv[last] == hole {
		argv = argv[:last]
	}
	for _, kv := range call.Env {
		if name, value, _ := strings.Cut(kv, "="); value != hole {
			environment[name] = value
		}
	}
	return argv, mode, environment, nil
}

// branchTemplate is a template that a loop's branch can have been made of: the part of it that is the loop's name, else the last place where that stands, and
// a time of start are what another loop has differently.
func branchTemplate(branch, loop string) string {
	branch = regexp.MustCompile(`\b\d{8}-\d{6}\b`).ReplaceAllString(branch, "{timestamp}")
	parts := strings.Split(branch, "/")
	if !slices.Contains(parts, loop) {
		at := strings.LastIndex(branch, loop)
		if at < 0 {
			return branch
		}
		return branch[:at] + "{loop}" + branch[at+len(loop):]
	}
	for n, part := range parts {
		if part == loop {
			parts[n] = "{loop}"
		}
	}
	return strings.Join(parts, "/")
}

// outputFormat is what an argument vector asks the agent to print.
func outputFormat(argv []string) string {
	switch {
	case slices.Contains(argv, "stream-json"), slices.Contains(argv, "--stream-json"):
		return "stream-json"
	case slices.Contains(argv, "json"), slices.Contains(argv, "--json"):
		return "json"
	}
	return "text"
}

// exportExit says why the loop ended in the words of the file, which knows fewer ends.
func exportExit(v runner.View) *stateFileExit {
	switch e := v.Totals.Exit; {
	case v.Running != nil || e == "":
		return &stateFileExit{Type: "running"}
	case e == gitstate.PromiseDetected, e == gitstate.AllTasksDone:
		return &stateFileExit{Type: "completion_promise_detected"}
	case e == gitstate.ProcessSuccess:
		return &stateFileExit{Type: "process_success"}
	case e == gitstate.MaxIterations:
		return &stateFileExit{Type: "max_iterations_reached"}
	case e == gitstate.UserCancelled:
		return &stateFileExit{Type: "user_cancelled"}
	}
	return &stateFileExit{Type: "error", Message: stopWords(outcomeOf(v), v)}
}

// exportIteration puts an iteration into the form of the file.
func exportIteration(i iterationView, c runner.Config) stateFilePast {
	r := i.record
	past := stateFilePast{Iteration: r.Iteration - 1, StartedAt: r.Time.UTC(), CompletedAt: r.Time.UTC(), ExitCode: r.ExitCode, PromiseChecked: c.Promise != ""}
	if r.Duration != nil {
		past.StartedAt = past.CompletedAt.Add(-*r.Duration)
	}
	if n := i.note; n != nil {
		past.OutputPreview = n.Output
		if !n.Started.IsZero() && !n.Ended.IsZero() {
			past.StartedAt, past.CompletedAt = n.Started.UTC(), n.Ended.UTC()
		}
	}
	return past
}

// exportPlan tells how far the plan is.
func exportPlan(v runner.View, p *runner.Progress) *stateFilePlan {
	plan := &stateFilePlan{
		CurrentWave: 1, TotalWaves: len(p.Waves), TasksCompleted: p.Done, TasksTotal: p.Total, IterationCount: v.Totals.Iteration,
		WaveCommits: []stateFileWave{}, LastActivityAt: someTime(v.Last.Time), BlockedTasks: []stateFileBlocked{},
	}
	for _, w := range p.Waves {
		if w.Commit.IsZero() {
			continue
		}
		plan.CurrentWave = min(w.Number+1, p.Waves[len(p.Waves)-1].Number)
		plan.WaveCommits = append(plan.WaveCommits, stateFileWave{
			Wave: w.Number, CommitHash: w.Commit.String(), Timestamp: w.Closed.UTC(), TasksCompleted: taskNumbers(w.Ours),
		})
	}
	for _, t := range p.Blocked {
		plan.BlockedTasks = append(plan.BlockedTasks, stateFileBlocked{
			TaskID: taskNumber(t.ID), Title: t.Title, Reason: t.Reason, Attempts: t.Attempts, BlockedAt: t.At.UTC(),
		})
	}
	return plan
}

// taskNumber is an id as a number, where it is one.
func taskNumber(id string) any {
	if n, err := strconv.ParseUint(id, 10, 32); err == nil && strconv.FormatUint(n, 10) == id {
		return n
	}
	return id
}

func taskNumbers(ids []string) []any {
	numbers := make([]any, len(ids))
	for i, id := range ids {
		numbers[i] = taskNumber(id)
	}
	return numbers
}

// someTime is a time, or nil for the zero one.
func someTime(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC())
}
