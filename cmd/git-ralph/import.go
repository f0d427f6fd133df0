package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/git-ralph/git-ralph/runner"
)

// importCmd starts a loop from a loop-state.json.
type importCmd struct {
	File     string     `arg:"" placeholder:"FILE" help:"A loop-state.json, as export or another tool writes it; - reads standard input."`
	Settings loopFlags  `embed:""`
	Place    placeFlags `embed:""`
	Name     string     `more:"" group:"Where it works" placeholder:"NAME" help:"The loop's name (default: the prompt's first words)."`
	DryRun   bool       `group:"This command" help:"Show what would be done, and do nothing."`
	Yes      bool       `group:"This command" help:"Say yes to what FILE wants to run."`
	Talk     talkFlags  `embed:""`
}

// Run starts the loop as if what FILE says had been typed, but for the yes: FILE came from elsewhere. What is typed counts more.
func (c *importCmd) Run(ctx context.Context, a *app) error {
	state, keys, err := c.read(a)
	if err != nil {
		return err
	}
	if c.Place.WorkingDir != "" {
		a.openAt = a.path(c.Place.WorkingDir)
	}
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	i := stateImport{name: c.name(), top: repo.TopLevel, state: state, keys: keys, typed: c.Settings.given}
	if err := i.run(); err != nil {
		return err
	}
	if !a.quiet && !a.json {
		for _, line := range i.told {
			a.say("%s", line)
		}
	}
	c.Settings.given = append(i.entries, c.Settings.given...)
	start := startCmd{
		Prompt: state.Config.Prompt, promptFrom: i.name, Settings: c.Settings, Place: c.Place, Name: c.Name, DryRun: c.DryRun, Yes: c.Yes, Talk: c.Talk,
	}
	return start.Run(ctx, a)
}

// name is how the user knows the file.
func (c *importCmd) name() string {
	if c.File == "-" {
		return "standard input"
	}
	return shownPath(c.File)
}

// read reads the file.
func (c *importCmd) read(a *app) (state stateFile, keys stateFileKeys, err error) {
	var text []byte
	if c.File == "-" {
		text, err = io.ReadAll(a.stdin)
	} else {
		text, err = os.ReadFile(a.path(c.File))
	}
	if err != nil {
		return state, nil, fmt.Errorf("read the loop's state: %w", err)
	}
	broken := func(why string) error {
		return &problem{status: 1, text: c.name() + ": " + why, hints: []string{"see how one looks: git ralph export"}}
	}
	state, keys, err = parseStateFile(text)
	wrong, isType := errors.AsType[*json.UnmarshalTypeError](err)
	switch {
	case isType && wrong.Field != "":
		return state, nil, broken(fmt.Sprintf("no state of a loop: %s cannot be a %s", flat(wrong.Field), wrong.Value))
	case err != nil:
		return state, nil, broken("no state of a loop: " + flat(err.Error()))
	case state.Version != "" && state.Version != stateFileVersion:
		return state, nil, broken(fmt.Sprintf("version %q of a loop's state cannot be read", state.Version))
	case state.Config.Prompt == "" && state.Config.Tag == "":
		return state, nil, broken("no state of a loop: there is neither a prompt nor a tag in its config")
	}
	return state, keys, nil
}

// promptClaim asks for a yes to a prompt that was not typed.
func (c *startCmd) promptClaim(prompt string) []runner.Claim {
	if c.promptFrom == "" || prompt == "" {
		return nil
	}
	return []runner.Claim{{Kind: "prompt", Value: prompt, Source: c.promptFrom}}
}
