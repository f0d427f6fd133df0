package main

import (
	"context"
	"fmt"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// undoCmd takes a change of a loop's history back.
type undoCmd struct {
	answer
	Loop string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	List bool   `help:"Show what is kept of the loop, the last first, and do nothing."`
}

// keptListJSON is the answer of undo --list.
type keptListJSON struct {
	Schema int        `json:"schema"`
	Loop   string     `json:"loop"`
	Kept   []keptJSON `json:"kept"` // the last first
}

// keptJSON is something that is kept.
type keptJSON struct {
	Ref         string  `json:"ref"`
	Commit      string  `json:"commit"`
	CommittedAt *string `json:"committed_at"`
	Subject     string  `json:"subject"`
}

// Run takes the last change back, or lists what is kept.
func (c *undoCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return err
	}
	if c.List {
		return a.listKept(ctx, r, l.Name)
	}
	t, err := during(a, "going back", func() (runner.TakenBack, error) { return r.Undo(ctx, l.Name) })
	if err != nil {
		return err
	}
	words := fmt.Sprintf("the last %s is taken back, %s is the last one", t.Event, lastOne(t.Iteration))
	return a.answerTakenBack(t, words, "take that back, too: git ralph undo "+shellWord(l.Name))
}

// listKept shows what is kept.
func (a *app) listKept(ctx context.Context, r *runner.Runner, loop string) error {
	kept, err := r.Kept(ctx, loop)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(keptListJSON{Schema: jsonSchema, Loop: loop, Kept: keptRefs(kept)})
	}
	if len(kept) == 0 {
		err := a.print("%s: nothing is kept", loop)
		if names, _ := a.opened.Remotes(ctx); len(names) > 0 {
			a.say("hint: what a remote keeps: git ralph fetch --loop %s", shellWord(loop))
		}
		return err
	}
	for _, k := range kept {
		if err := a.print("%s", keptLine(k, a)); err != nil {
			return err
		}
	}
	last := kept[0].Ref.String()
	a.say("hint: look at one: git log %s", shellWord(last))
	a.say("hint: make a branch of it: git branch NAME %s", shellWord(last))
	return nil
}

// keptRefs is what is kept, for a program.
func keptRefs(kept []gitstate.Kept) []keptJSON {
	refs := []keptJSON{}
	for _, k := range kept {
		refs = append(refs, keptJSON{Ref: k.Ref.String(), Commit: k.Commit.String(), CommittedAt: utc(k.Time), Subject: k.Subject})
	}
	return refs
}

// keptLine is one line of the list.
func keptLine(k gitstate.Kept, a *app) string {
	return fmt.Sprintf("%s  %s  %s  %s", k.Ref, shortHash(k.Commit.String()), left(ago(k.Time, a.now()), 8), oneLine(k.Subject))
}
