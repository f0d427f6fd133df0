package main

import (
	"context"
	"fmt"

	"github.com/git-ralph/git-ralph/runner"
)

// rewindCmd makes an earlier iteration the last one again.
type rewindCmd struct {
	answer
	Iteration *int   `arg:"" optional:"" needed:"" name:"n" help:"Number of the iteration that is to be the last one; 0 is the start."`
	Loop      string `placeholder:"NAME" help:"The loop (default: the branch's, or the only one)."`
}

// takenBackJSON is the answer of rewind and undo.
type takenBackJSON struct {
	Schema    int     `json:"schema"`
	Loop      string  `json:"loop"`
	Branch    string  `json:"branch"`    // short name
	Iteration int     `json:"iteration"` // the last one from now on
	From      int     `json:"from"`      // the last one until now
	Undone    *string `json:"undone"`    // of undo: the event that was taken back
	Kept      *string `json:"kept"`      // ref that holds what was moved away from; null: nothing had to move
	Work      bool    `json:"work"`      // what was uncommitted is kept there, too
	Worktree  *string `json:"worktree"`  // the other work tree that followed
}

// Run takes the loop back.
func (c *rewindCmd) Run(ctx context.Context, a *app) error {
	if c.Iteration == nil {
		return usage("git ralph rewind 3", "which iteration is to be the last one?")
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return err
	}
	t, err := during(a, "going back", func() (runner.TakenBack, error) { return r.Rewind(ctx, l.Name, *c.Iteration) })
	if err != nil {
		return err
	}
	words := fmt.Sprintf("%s is the last one again", lastOne(t.Iteration))
	if t.From > t.Iteration {
		words += ", " + keptIterations(t)
	}
	return a.answerTakenBack(t, words, "take it back: git ralph undo "+shellWord(l.Name))
}

// lastOne names an iteration as the subject of a sentence.
func lastOne(n int) string {
	if n == 0 {
		return "the start"
	}
	return fmt.Sprintf("iteration %d", n)
}

// keptIterations says what was moved away from.
func keptIterations(t runner.TakenBack) string {
	first, last := t.Iteration+1, t.From
	if first == last {
		return fmt.Sprintf("iteration %d is kept", last)
	}
	return fmt.Sprintf("iterations %d to %d are kept", first, last)
}

// answerTakenBack says what a loop was taken back to, and what to type next.
func (a *app) answerTakenBack(t runner.TakenBack, words string, hints ...string) error {
	if a.json {
		return a.printJSON(takenBackJSON{
			Schema: jsonSchema, Loop: t.Loop, Branch: t.Branch, Iteration: t.Iteration, From: t.From, Undone: some(t.Event),
			Kept: some(t.Kept.String()), Work: t.Work, Worktree: some(t.Worktree),
		})
	}
	if t.Kept == "" {
		return a.print("%s: %s is the last one already", t.Loop, lastOne(t.Iteration))
	}
	if t.Work {
		words += "; what was uncommitted is kept, too"
	}
	if err := a.print("%s: %s", t.Loop, words); err != nil {
		return err
	}
	a.say("kept: %s", t.Kept)
	for _, h := range append(a.goOnHints(t.Loop), hints...) {
		a.say("hint: %s", h)
	}
	return nil
}

// goOnHints says how a loop that was taken back goes on, unless it is done there.
func (a *app) goOnHints(loop string) []string {
	if v := a.viewAfter(runner.Outcome{Loop: loop}); v.Totals.Exit.Done() {
		return doneHints(outcomeOf(v), v)
	}
	return []string{"go on from there: git ralph resume " + shellWord(loop)}
}
