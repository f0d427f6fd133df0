package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/hooks"
)

// initCmd sets git up for loops.
type initCmd struct {
	answer
	Remote   string   `arg:"" optional:"" help:"Whose notes git fetch shall bring (default: as git push chooses)."`
	Config   bool     `help:"Write .ralph.toml, too, with all that can be set in comments."`
	Hooks    bool     `help:"Install the hooks, too (git ralph hooks install)."`
	Commands []string `placeholder:"AGENT,..." words:"claude opencode" help:"Write the slash commands of claude, opencode, too."`
	Undo     bool     `help:"Take back what init has set and installed, and nothing else."`
}

// initJSON is the answer of init.
type initJSON struct {
	Schema   int              `json:"schema"`
	Settings []gitSettingJSON `json:"settings"`
	Hooks    []hookJSON       `json:"hooks"` // those that were to be installed or taken away; empty: none
	Files    []placedFileJSON `json:"files"` // those that were to be written or taken away; empty: none
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
		if c.Hooks || c.Config || len(c.Commands) > 0 {
			return usage("git ralph init --undo", "--undo takes away all that init has installed and written: nothing else is named")
		}
		return a.undoInit(ctx, repo)
	}
	if err := c.checkCommands(); err != nil {
		return err
	}
	remote, err := c.notesRemote(ctx, a, repo)
	if err != nil {
		return err
	}
	if err := c.pick(ctx, a, repo); err != nil {
		return err
	}
	var done initDone
	if done.settings, err = repo.SetUp(ctx, remote); err != nil {
		return err
	}
	if done.files, err = c.place(ctx, repo); err != nil {
		return err
	}
	if c.Hooks {
		done.hooks, err = installNoted(ctx, repo)
	}
	var managed error // the rest stands all the same
	if _, ok := errors.AsType[*hooks.ManagedError](err); ok {
		managed, done.hooks = hooksProblem(err), nil
	} else if err != nil {
		return err
	}
	return errors.Join(a.answerInit(done, "set"), managed)
}

// notesRemote is the remote whose notes shall be fetched; empty: there is none at all.
func (c *initCmd) notesRemote(ctx context.Context, a *app, repo *gitstate.Repository) (string, error) {
	remote, err := repo.Remote(ctx, c.Remote, "")
	if none, ok := errors.AsType[*gitstate.NoRemoteError](err); ok && c.Remote == "" && len(none.Names) == 0 {
		a.say("there is no remote whose notes git fetch could bring")
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return remote.Name, nil
}

// initDone is what init looked at.
type initDone struct {
	settings []gitstate.Setting
	hooks    []hooks.Hook
	files    []hooks.PlacedFile
}

// installNoted installs the hooks and writes down that they are init's, unless they were there before.
func installNoted(ctx context.Context, repo *gitstate.Repository) ([]hooks.Hook, error) {
	i, err := hookInstaller(repo)
	if err != nil {
		return nil, err
	}
	before, err := i.Look(ctx)
	if err != nil {
		return nil, err
	}
	found, err := i.Install(ctx)
	if err != nil || slices.ContainsFunc(before, func(h hooks.Hook) bool { return h.State == hooks.Installed }) {
		return found, err
	}
	return found, repo.NoteHooks(ctx, true)
}

// undoInit takes back what init has done.
func (a *app) undoInit(ctx context.Context, repo *gitstate.Repository) error {
	noted, err := repo.HooksNoted(ctx)
	if err != nil {
		return err
	}
	var removed []hooks.Hook
	if noted {
		i, err := hookInstaller(repo)
		if err != nil {
			return err
		}
		if removed, err = i.Uninstall(ctx); err != nil {
			return err
		}
		if err := repo.NoteHooks(ctx, false); err != nil {
			return err
		}
	}
	files, err := hooks.Placer{Repo: repo}.TakeBack(ctx)
	if err != nil {
		return err
	}
	settings, err := repo.UndoSetUp(ctx)
	if err != nil {
		return err
	}
	return a.answerInit(initDone{settings, removed, files}, "removed")
}

// answerInit prints each setting, hook and file and what was done with it: it was "set" or "removed".
func (a *app) answerInit(done initDone, changed string) error {
	same, hookVerb := "there", "install"
	if changed == "removed" {
		same, hookVerb = "gone", "uninstall"
	}
	result := func(s gitstate.Setting) string {
		if s.Changed {
			return changed
		}
		return same
	}
	if a.json {
		answer := initJSON{Schema: jsonSchema, Settings: []gitSettingJSON{}, Hooks: hooksOf(done.hooks), Files: placedOf(done.files)}
		for _, s := range done.settings {
			answer.Settings = append(answer.Settings, gitSettingJSON{Key: s.Key, Value: s.Value, Result: result(s)})
		}
		return a.printJSON(answer)
	}
	var rows [][]string
	for _, s := range done.settings {
		rows = append(rows, []string{result(s), s.Key + " = " + s.Value, settingWords(s.Key)})
	}
	for _, line := range columns(rows) {
		if err := a.print("%s", line); err != nil {
			return err
		}
	}
	if err := a.printHooks(done.hooks, hookVerb); err != nil {
		return err
	}
	if err := a.printPlaced(done.files); err != nil {
		return err
	}
	a.hintAtCommit(done.files)
	switch {
	case len(done.settings)+len(done.hooks)+len(done.files) == 0:
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
