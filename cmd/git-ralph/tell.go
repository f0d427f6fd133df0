package main

import (
	"context"
	"strings"
	"unicode/utf8"
)

// tellCmd adds guidance.
type tellCmd struct {
	answer
	Text string `arg:"" optional:"" needed:"" help:"What the agent shall know."`
	Loop string `placeholder:"NAME" help:"The loop (default: the branch's, or the only one)."`
}

// tellJSON is the answer of tell.
type tellJSON struct {
	Schema int    `json:"schema"`
	Loop   string `json:"loop"`
	Text   string `json:"text"`
}

// Run leaves guidance for the loop's next iteration.
func (c *tellCmd) Run(ctx context.Context, a *app) error {
	const hint = `git ralph tell "use the table tests"`
	switch {
	case strings.TrimSpace(c.Text) == "":
		return usage(hint, "there is nothing to tell")
	case !utf8.ValidString(c.Text) || strings.ContainsRune(c.Text, 0):
		return usage(hint, "the text is not plain UTF-8")
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return err
	}
	if err := r.Tell(ctx, l.Name, c.Text); err != nil {
		return err
	}
	if a.json {
		return a.printJSON(tellJSON{Schema: jsonSchema, Loop: l.Name, Text: c.Text})
	}
	return a.print("%s: the next iteration is told", l.Name)
}
