package runner

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/runner/spec"
)

// withFiles adds the spec files to the prompt of a loop without a plan.
func (l *loop) withFiles(request *spec.Request) {
	if len(l.config.SpecFiles) == 0 {
		return
	}
	request.Files = l.specFiles()
	total := spec.Tokens(request.Prompt)
	weights := []spec.Weight{{Name: "the prompt", Tokens: total}}
	for _, file := range request.Files {
		weights = append(weights, spec.Weight{Name: file.Name, Tokens: spec.Tokens(file.Text)})
		total += spec.Tokens(file.Text)
	}
	l.warnOfLength("the prompt with its files has", total, weights)
}

// aboutTask makes the prompt that of one task.
func (l *loop) aboutTask(ctx context.Context, run *taskRun, request *spec.Request) error {
	told, err := l.taskOf(ctx, run)
	if err != nil {
		return err
	}
	if request.Prompt != l.plan.ownPrompt() {
		typed := spec.Request{Prompt: request.Prompt, Template: request.Template, Loop: request.Loop, Context: request.Context, NoContext: true}
		if told.Asked, err = spec.Prompt(typed); err != nil {
			return err
		}
	}
	text, weights := spec.TaskText(told)
	l.warnOfLength(fmt.Sprintf("the spec of task %s has", run.id), spec.Tokens(text), weights)
	request.Prompt, request.Template, request.Promise = text, false, spec.Promise{}
	request.NoContext = request.NoContext || !l.goesOn(run)
	return nil
}

// goesOn reports whether an attempt goes on from what an iteration did: the last one was at the same task, and its work was not set aside, or an attempt failed before.
func (l *loop) goesOn(run *taskRun) bool {
	return run.attempt > 1 || l.last != nil && l.last.Task == run.id && (l.last.Blocked == "" || l.config.OnBlocked != SetAside)
}

// warnOfLength says that a spec is longer than the user wants one to be. It is not cut: nobody but the user knows what may be left out.
func (l *loop) warnOfLength(what string, total int, weights []spec.Weight) {
	if limit := l.config.MaxSpecTokens; limit > 0 && total > limit {
		most := spec.Heaviest(weights)
		l.tellOnce("%s about %d tokens, more than %d; the biggest part is %s with %d", what, total, limit, most.Name, most.Tokens)
	}
}

// taskOf collects what there is to say of a task.
func (l *loop) taskOf(ctx context.Context, run *taskRun) (spec.Task, error) {
	b, err := l.plan.look(ctx)
	if err != nil {
		return spec.Task{}, err
	}
	task, known := b.tag.Task(run.id)
	if !known {
		return spec.Task{}, &StateError{Fact: fmt.Sprintf("task %s is gone from the plan", run.id), Hints: []string{"go on with the others: git ralph resume " + l.state.Loop.Name}}
	}
	told := spec.Task{
		ID: task.ID, Title: task.Title, Complexity: task.Complexity, Description: task.Description, Details: task.Details, TestStrategy: task.TestStrategy,
		Verify: l.config.Verify, PlanIDs: []string{task.ID}, Attempt: run.attempt, MaxAttempts: l.config.MaxAttempts,
		Template: l.sourceText("spec template", l.config.SpecTemplate), TitleOnly: !l.config.IncludeTask,
	}
	if l.config.IncludePlan {
		told.Plan = l.sourceText("plan", l.config.Plan)
	}
	guidance, err := l.guidance(b.root)
	if err != nil {
		return spec.Task{}, err
	}
	told.Files = append(l.specFiles(), guidance...)
	for parent := task.Parent; parent != "" && len(told.PlanIDs) < 10; {
		told.PlanIDs = append(told.PlanIDs, parent)
		above, _ := b.tag.Task(parent)
		parent = above.Parent
	}
	for _, need := range b.graph.Needs(run.id) {
		other, _, _ := b.all.Task(b.tag, need)
		told.Needs = append(told.Needs, fmt.Sprintf("%s %s (%s)", need, strings.Join(strings.Fields(other.Title), " "), b.status(need)))
	}
	return told, nil
}
