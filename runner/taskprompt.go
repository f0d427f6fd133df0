package runner

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/spec"
	"github.com/git-ralph/git-ralph/scud"
)

// TaskPromptRequest says whose prompt is asked for.
type TaskPromptRequest struct {
	Task   string              // required: id of a task without subtasks
	Loop   string              // the loop that would run it next; empty: one that is yet to be started
	Change func(*Config) error // applied to the recorded configuration of that loop; nil: nothing changes
	Config Config              // of a loop that is yet to be started; its ScudTag and Plan may be empty, as for a start
}

// TaskPrompt is what the agent of a task would be given.
type TaskPrompt struct {
	Tag     string
	Task    string // its id as the plan writes it
	Attempt int    // that it would be, from 1
	Prompt  string // all of it
	Tokens  int    // an estimate: four bytes are counted as one
}

// TaskPrompt returns what the agent of a task would be given if the task were the next one in hand. Nothing is changed and nothing runs. The error is a
// *[StateError] when there is no such task, or a file is missing.
func (r *Runner) TaskPrompt(ctx context.Context, q TaskPromptRequest) (TaskPrompt, error) {
	l, err := r.toPrompt(ctx, q)
	if err != nil {
		return TaskPrompt{}, err
	}
	defer l.release()
	b, err := l.plan.look(ctx)
	if err != nil {
		return TaskPrompt{}, err
	}
	task, err := leafOf(b.tag, q.Task)
	if err != nil {
		return TaskPrompt{}, err
	}
	run := &taskRun{id: task.ID, attempt: b.tasks[task.ID].attempts + 1}
	it := &iteration{number: l.state.Totals.Iteration + 1, task: run}
	prompt, err := l.prompt(ctx, it)
	return TaskPrompt{Tag: b.tag.Name, Task: task.ID, Attempt: run.attempt, Prompt: prompt, Tokens: spec.Tokens(prompt)}, err
}

// toPrompt puts a loop together as far as prompts need it.
func (r *Runner) toPrompt(ctx context.Context, q TaskPromptRequest) (*loop, error) {
	var l *loop
	var ready func(context.Context) error
	if q.Loop == "" {
		q.Config.Env, q.Config.SkipBroken = nil, true
		fresh, err := r.newLoop(ctx, r.Repo, q.Config, nil)
		if err != nil {
			return nil, err
		}
		l, ready = fresh, fresh.beforeStart
	} else {
		rest, err := r.atRest(ctx, q.Loop)
		if err != nil {
			return nil, err
		}
		l, ready = rest.loop, rest.betweenIterations
		l.oldHandoff = l.config.Handoff
		if q.Change != nil {
			if err := q.Change(&l.config); err != nil {
				l.release()
				return nil, err
			}
		}
	}
	if err := ready(ctx); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

// beforeStart reads what the first prompt of a loop with a plan needs.
func (l *loop) beforeStart(ctx context.Context) error {
	plan, err := newPlan(ctx, l.repo, &l.config)
	if err != nil {
		return err
	}
	l.plan, l.state = plan, gitstate.State{Loop: gitstate.Loop{Name: plan.tag}, Prompt: plan.ownPrompt()}
	return l.checkSources("")
}

// betweenIterations reads what the next prompt of a loop with a plan needs.
func (l *loop) betweenIterations(ctx context.Context) error {
	if !l.config.hasPlan() {
		return &StateError{Fact: fmt.Sprintf("loop %q has no plan", l.state.Loop.Name), Hints: []string{"name the tag: --tag TAG"}}
	}
	if err := l.readLast(ctx); err != nil {
		return err
	}
	if err := l.reopenPlan(ctx); err != nil {
		return err
	}
	outlook, err := l.repo.Outlook(ctx, l.state.Loop)
	if err != nil {
		return err
	}
	held, err := l.repo.Running(l.state.Loop.Name)
	if err != nil {
		return err
	}
	l.waiting, l.handedOver = outlook.Tells, held != nil // of one that runs the first prompt had it
	return l.checkSources(l.oldHandoff)
}

// leafOf finds a task that can be run.
func leafOf(tag *scud.Tag, id string) (scud.Task, error) {
	task, known := tag.Task(id)
	switch {
	case !known:
		return task, &StateError{Fact: fmt.Sprintf("tag %q has no task %q", tag.Name, id), Hints: []string{"see its tasks: git ralph scud tasks " + shellQuoted(tag.Name)}}
	case !task.Leaf():
		return task, &StateError{
			Fact:  fmt.Sprintf("task %s is not run itself: it has subtasks %s", task.ID, strings.Join(task.Subtasks, " ")),
			Hints: []string{"git ralph scud spec " + shellQuoted(task.Subtasks[0])},
		}
	}
	return task, nil
}
