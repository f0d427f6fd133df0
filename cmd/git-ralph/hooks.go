package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/git-ralph/git-ralph/hooks"
)

// hooksCmd puts git-ralph's checks into git's hooks.
type hooksCmd struct {
	answer
	What string `arg:"" enum:"install,uninstall,list" help:"install, uninstall or list."`
}

// hooksJSON is the answer of hooks.
type hooksJSON struct {
	Schema int        `json:"schema"`
	Hooks  []hookJSON `json:"hooks"`
}

// hookJSON is one of git's hooks.
type hookJSON struct {
	Name    string  `json:"name"`
	State   string  `json:"state"`   // "installed", "foreign" (only another one), "absent"
	Path    *string `json:"path"`    // of the script; null: it is in git's configuration
	Earlier *string `json:"earlier"` // that runs first
	Changed bool    `json:"changed"` // by this command
}

// Run installs, removes or shows the hooks.
func (c *hooksCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	program, err := os.Executable()
	if err != nil {
		return err
	}
	i := hooks.Installer{Repo: repo, Program: program}
	act := i.Look
	switch c.What {
	case "install":
		act = i.Install
	case "uninstall":
		act = i.Uninstall
	}
	found, err := act(ctx)
	if m, ok := errors.AsType[*hooks.ManagedError](err); ok {
		return &problem{status: 1, text: m.Error() + ": nothing was changed; add to " + m.File, list: m.Add, hints: []string{"then look: git ralph hooks list"}, cause: err}
	}
	if err != nil {
		return err
	}
	if a.json {
		answer := hooksJSON{Schema: jsonSchema, Hooks: []hookJSON{}}
		for _, h := range found {
			answer.Hooks = append(answer.Hooks, hookJSON{h.Name, string(h.State), some(h.Path), some(h.Earlier), h.Changed})
		}
		return a.printJSON(answer)
	}
	var rows [][]string
	for _, h := range found {
		rows = append(rows, []string{h.Name, hookWords(h, c.What), hookPlace(h)})
	}
	for _, line := range columns(rows) {
		if err := a.print("%s", line); err != nil {
			return err
		}
	}
	if c.What == "install" {
		a.say("hint: take them out again: git ralph hooks uninstall")
	}
	return nil
}

// hookWords say how a hook stands.
func hookWords(h hooks.Hook, what string) string {
	switch {
	case h.Changed && what == "uninstall":
		return "removed"
	case h.Changed:
		return "installed"
	case h.State == hooks.Installed && what == "install":
		return "installed before"
	case h.State == hooks.Installed:
		return "installed"
	case h.State == hooks.Foreign:
		return "not ours"
	}
	return "not installed"
}

// hookPlace says where it is, and what runs first.
func hookPlace(h hooks.Hook) string {
	switch {
	case h.Path == "":
		return "in git's configuration"
	case h.State == hooks.Absent:
		return ""
	case h.Earlier != "":
		return shownPath(h.Path) + ", runs " + shownPath(filepath.Base(h.Earlier)) + " first"
	}
	return shownPath(h.Path)
}
