package main

import (
	"context"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// retryJSON is the answer of scud retry.
type retryJSON struct {
	Schema int     `json:"schema"`
	Task   string  `json:"task_id"`
	Loop   *string `json:"loop"` // that tries it again; null: only the task file was changed
}

// retry makes a blocked task pending again: in the history of the loop that gave it up, else in the task file.
func (c *scudCmd) retry(ctx context.Context, a *app, repo *gitstate.Repository) error {
	if c.Tag == "" {
		return usage("git ralph scud retry 2.1", "the id of the task is missing")
	}
	answer := retryJSON{Schema: jsonSchema, Task: c.Tag}
	loops, err := repo.Loops(ctx)
	if err != nil {
		return err
	}
	if c.Loop == "" && len(loops) == 0 {
		all, err := runner.ReadPlan(ctx, repo, a.path("."))
		if err == nil {
			err = runner.Unblock(ctx, repo, all, "", c.Tag)
		}
		if err != nil {
			return err
		}
		return a.answerRetry(answer)
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	r, err := a.runner(repo, nil)
	if err != nil {
		return err
	}
	recorded, err := r.Retry(ctx, l.Name, c.Tag)
	if err != nil {
		return err
	}
	if recorded {
		answer.Loop = &l.Name
	}
	return a.answerRetry(answer)
}

func (a *app) answerRetry(answer retryJSON) error {
	if a.json {
		return a.printJSON(answer)
	}
	if err := a.print("task %s is pending again", flat(answer.Task)); err != nil {
		return err
	}
	if answer.Loop != nil {
		a.say("hint: go on with it: git ralph resume %s", shellWord(*answer.Loop))
	}
	return nil
}
