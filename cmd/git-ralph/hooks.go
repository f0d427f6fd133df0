package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"

	"github.com/git-ralph/git-ralph/gitstate"
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
	State   string  `json:"state"`   // "installed", "by-hand" (another one that starts us), "foreign" (only another one), "absent"
	Path    *string `json:"path"`    // of the script, or of the file that starts us; null: it is in git's configuration
	Earlier *string `json:"earlier"` // that runs first
	Changed bool    `json:"changed"` // by this command
	Edited  *string `json:"edited"`  // where ours is kept that was changed by hand, when it was taken out
}

// Run installs, removes or shows the hooks.
func (c *hooksCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	i, err := hookInstaller(repo)
	if err != nil {
		return err
	}
	act := i.Look
	switch c.What {
	case "install":
		act = i.Install
	case "uninstall":
		act = i.Uninstall
	}
	found, err := act(ctx)
	if err != nil {
		return hooksProblem(err)
	}
	if a.json {
		return a.printJSON(hooksJSON{Schema: jsonSchema, Hooks: hooksOf(found)})
	}
	if err := a.printHooks(found, c.What); err != nil {
		return err
	}
	if c.What == "install" && slices.ContainsFunc(found, func(h hooks.Hook) bool { return h.State == hooks.Installed }) {
		a.say("hint: take them out again: git ralph hooks uninstall")
	}
	return nil
}

// hookInstaller puts hooks into a repository that start this program.
func hookInstaller(repo *gitstate.Repository) (hooks.Installer, error) {
	program, err := os.Executable()
	return hooks.Installer{Repo: repo, Program: program}, err
}

// hooksProblem says what to add where somebody else manages the hooks.
func hooksProblem(err error) error {
	m, ok := errors.AsType[*hooks.ManagedError](err)
	if !ok {
		return err
	}
	hints := append([]string(nil), m.Hints...)
	return &problem{
		status: 1, text: m.Error() + ": nothing was changed; add to " + m.File, list: m.Add, hints: append(hints, "then look: git ralph hooks list"), cause: err,
	}
}

// hooksOf are hooks as JSON.
func hooksOf(found []hooks.Hook) []hookJSON {
	list := []hookJSON{}
	for _, h := range found {
		list = append(list, hookJSON{h.Name, string(h.State), some(h.Path), some(h.Earlier), h.Changed, some(h.Edited)})
	}
	return list
}

// printHooks writes a line for each hook; what says what was done.
func (a *app) printHooks(found []hooks.Hook, what string) error {
	var rows [][]string
	for _, h := range found {
		rows = append(rows, []string{h.Name, hookWords(h, what), hookPlace(h)})
	}
	for _, line := range columns(rows) {
		if err := a.print("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// hookWords say how a hook stands.
func hookWords(h hooks.Hook, what string) string {
	switch {
	case h.Edited != "":
		return "removed; it was changed by hand, and is kept: " + shownPath(filepath.Base(h.Edited))
	case h.Changed && what == "uninstall":
		return "removed"
	case h.Changed:
		return "installed"
	case h.State == hooks.Installed && what == "install":
		return "installed before"
	case h.State == hooks.Installed:
		return "installed"
	case h.State == hooks.ByHand && what == "uninstall":
		return "left: it was added by hand"
	case h.State == hooks.ByHand:
		return "added by hand"
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
