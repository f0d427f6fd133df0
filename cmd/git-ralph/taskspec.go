package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// taskSpecFlags say whose spec is meant, and what it is made of.
type taskSpecFlags struct {
	OfTag  string    `name:"tag" placeholder:"TAG" help:"Spec: the tag (default: the loop's, the active or the only one)."`
	Verify []string  `more:"" sep:"none" group:"SCUD plans" placeholder:"COMMAND" help:"Spec: what decides about the task; again for more."`
	Spec   specFlags `embed:""`

	given []entry
}

// AfterApply notes which settings were typed.
func (f *taskSpecFlags) AfterApply(k *kong.Context) error {
	f.given = givenIn(k)
	return nil
}

// showSpec prints what the agent of a task would be given.
func (c *scudCmd) showSpec(ctx context.Context, a *app, repo *gitstate.Repository) error {
	if c.Tag == "" {
		return usage("git ralph scud spec 2.1", "spec of which task?")
	}
	request, err := c.specRequest(ctx, a, repo)
	if err != nil {
		return a.withTagFlag(err)
	}
	r, err := a.runner(repo, nil)
	if err != nil {
		return err
	}
	request.Task = c.Tag
	told, err := r.TaskPrompt(ctx, request)
	if err != nil {
		return a.withTagFlag(err)
	}
	if a.json {
		return a.printJSON(taskPromptJSON{
			Schema: jsonSchema, Tag: told.Tag, Task: told.Task, Loop: some(request.Loop), Attempt: told.Attempt, Prompt: told.Prompt, Tokens: told.Tokens,
		})
	}
	_, err = fmt.Fprint(a.rawOut(), told.Prompt)
	return err
}

// withTagFlag puts the name that the flag has here into the hints of an error.
func (a *app) withTagFlag(err error) error {
	p := a.explain(err)
	for i, hint := range p.hints {
		p.hints[i] = strings.Replace(hint, "--scud-tag", "--tag", 1)
	}
	return p
}

// specRequest says whose prompt is meant: that of a loop which is there and works on the tag, else that of one which would be started now.
func (c *scudCmd) specRequest(ctx context.Context, a *app, repo *gitstate.Repository) (runner.TaskPromptRequest, error) {
	loop, err := c.specLoop(ctx, a, repo)
	if err != nil {
		return runner.TaskPromptRequest{}, err
	}
	change := func(recorded *runner.Config) error {
		now := newChoices()
		now.Config = *recorded
		err := now.apply(c.Of.given)
		a.settleFiles(repo.TopLevel, &now)
		*recorded = now.Config
		return err
	}
	if loop != "" {
		return runner.TaskPromptRequest{Loop: loop, Change: change}, nil
	}
	chosen, err := a.choose(repo, &loopFlags{given: c.Of.given})
	if err != nil {
		return runner.TaskPromptRequest{}, err
	}
	a.settleFiles(repo.TopLevel, &chosen)
	if c.Of.OfTag != "" {
		chosen.ScudTag = c.Of.OfTag
	}
	if chosen.ScudTag == "" {
		if chosen.ScudTag, _, err = a.meantTag(ctx, repo, a.path(".")); err != nil {
			return runner.TaskPromptRequest{}, err
		}
	}
	_, err = a.settlePlan(ctx, repo, &chosen, a.path("."), false)
	return runner.TaskPromptRequest{Config: chosen.Config}, err
}

// specLoop returns the loop that is meant; empty: one that is yet to be started.
func (c *scudCmd) specLoop(ctx context.Context, a *app, repo *gitstate.Repository) (string, error) {
	l, err := a.loop(ctx, c.Loop)
	if errors.Is(err, gitstate.ErrNoLoop) && c.Loop == "" {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	v, err := runner.Read(ctx, repo, l)
	if err != nil {
		return "", err
	}
	if c.Loop != "" && c.Of.OfTag != "" && c.Of.OfTag != v.Config.ScudTag {
		return "", &problem{status: 1, text: fmt.Sprintf("loop %q works on tag %q", l.Name, v.Config.ScudTag), hints: []string{"leave one of them out: --loop or --tag"}}
	}
	if c.Loop == "" && (v.Config.ScudTag == "" || v.Totals.Exit.Done() || c.Of.OfTag != "" && c.Of.OfTag != v.Config.ScudTag) {
		return "", nil
	}
	return l.Name, nil
}

// taskPromptJSON is the answer of scud spec.
type taskPromptJSON struct {
	Schema  int     `json:"schema"`
	Tag     string  `json:"tag"`
	Task    string  `json:"task"`
	Loop    *string `json:"loop"`    // null: one that would be started now
	Attempt int     `json:"attempt"` // that it would be, from 1
	Prompt  string  `json:"prompt"`
	Tokens  int     `json:"tokens"` // an estimate
}
