package main

import (
	"context"
	"errors"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// pushCmd pushes a loop.
type pushCmd struct {
	answer
	Remote string `arg:"" optional:"" help:"Where to (default: as git push chooses)."`
	Loop   string `placeholder:"NAME" help:"The loop (default: the branch's, or the only one)."`
}

// pushJSON is the answer of push.
type pushJSON struct {
	Schema int      `json:"schema"`
	Loop   string   `json:"loop"`
	Branch string   `json:"branch"`
	Remote string   `json:"remote"`
	Commit string   `json:"commit"` // what the remote's branch is now
	Held   bool     `json:"held"`   // a process here continues the loop; else anybody may
	Told   []string `json:"told"`   // what the remote does not take
}

// Run pushes the loop's branch, its notes and its lease.
func (c *pushCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return err
	}
	o, err := r.Push(ctx, runner.PushRequest{Loop: l.Name, Remote: c.Remote, Ask: a.canAsk()})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(pushJSON{Schema: jsonSchema, Loop: o.Loop, Branch: o.Branch, Remote: o.Remote, Commit: o.Commit.String(), Held: o.Held, Told: notNil(o.Told)})
	}
	for _, line := range o.Told {
		a.say("%s", oneLine(line))
	}
	who := "any clone may continue it"
	switch {
	case o.Held:
		who = "it is continued here"
	case o.Done:
		who = "it is done"
	}
	if err := a.print("%s: pushed to %s (%s), %s", o.Loop, o.Remote, shortHash(o.Commit.String()), who); err != nil {
		return err
	}
	if !o.Held && !o.Done {
		a.say("hint: there: git ralph resume %s", shellWord(o.Loop))
	}
	return nil
}

// settlePush takes it back that a loop is pushed where there is no remote and only a file wants it.
func (a *app) settlePush(ctx context.Context, repo *gitstate.Repository, c *choices) error {
	if !c.Push || c.from["push"].origin == fromFlag {
		return nil
	}
	_, err := repo.Remote(ctx, c.Remote, "")
	if _, none := errors.AsType[*gitstate.NoRemoteError](err); none {
		c.Push = false
		a.say("%s: the loop is not pushed", oneLine(err.Error()))
		return nil
	}
	return err
}
