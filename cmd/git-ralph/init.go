package main

import (
	"context"
	"errors"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// initCmd sets git up for loops.
type initCmd struct {
	answer
	Remote string `arg:"" optional:"" help:"Whose notes git fetch shall bring (default: as git push chooses)."`
	Undo   bool   `help:"Take back what init has set, and nothing else."`
}

// initJSON is the answer of init.
type initJSON struct {
	Schema   int              `json:"schema"`
	Settings []gitSettingJSON `json:"settings"`
}

// gitSettingJSON is a setting of git's.
type gitSettingJSON struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Result string `json:"result"` // "set", "there" (already), "removed", "gone" (already)
}

// Run sets what makes git show, keep and fetch the notes of loops, or takes it back.
func (c *initCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	if c.Undo {
		if c.Remote != "" {
			return usage("git ralph init --undo", "--undo takes back all that init has set: no remote is named")
		}
		settings, err := repo.UndoSetUp(ctx)
		if err != nil {
			return err
		}
		return a.answerSettings(settings, "removed", "gone")
	}
	remote, err := repo.Remote(ctx, c.Remote, "")
	name := ""
	if none, ok := errors.AsType[*gitstate.NoRemoteError](err); ok && c.Remote == "" && len(none.Names) == 0 {
		a.say("there is no remote whose notes git fetch could bring")
	} else if err != nil {
		return err
	} else {
		name = remote.Name
	}
	settings, err := repo.SetUp(ctx, name)
	if err != nil {
		return err
	}
	return a.answerSettings(settings, "set", "there")
}

// answerSettings prints each setting and what was done with it.
func (a *app) answerSettings(settings []gitstate.Setting, changed, same string) error {
	result := func(s gitstate.Setting) string {
		if s.Changed {
			return changed
		}
		return same
	}
	if a.json {
		answer := initJSON{Schema: jsonSchema, Settings: []gitSettingJSON{}}
		for _, s := range settings {
			answer.Settings = append(answer.Settings, gitSettingJSON{Key: s.Key, Value: s.Value, Result: result(s)})
		}
		return a.printJSON(answer)
	}
	var rows [][]string
	for _, s := range settings {
		rows = append(rows, []string{result(s), s.Key + " = " + s.Value, settingWords(s.Key)})
	}
	for _, line := range columns(rows) {
		if err := a.print("%s", line); err != nil {
			return err
		}
	}
	switch {
	case len(settings) == 0:
		a.say("init has set nothing here")
	case changed == "set":
		a.say("hint: take it back: git ralph init --undo")
	}
	return nil
}

// settingWords says what a setting is good for.
func settingWords(key string) string {
	switch {
	case key == "notes.displayRef":
		return "git log shows the notes of loops"
	case key == "notes.rewriteRef":
		return "they follow amend and rebase"
	case strings.HasPrefix(key, "remote."):
		return "git fetch brings the remote's"
	}
	return ""
}
