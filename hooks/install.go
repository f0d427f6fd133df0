package hooks

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// The hooks of git's that have something of ours.
const (
	PrePushHook        = "pre-push"
	PrepareMessageHook = "prepare-commit-msg"
)

// Names returns them.
func Names() []string { return []string{PrePushHook, PrepareMessageHook} }

// keptSuffix is what the hook that was there before is called, beside ours.
const keptSuffix = ".before-ralph"

// marker is the line by which a script of ours is known.
const marker = "# Written by `git ralph hooks install`; `git ralph hooks uninstall` takes it away again."

// State says how a hook stands.
type State string

// The states of a hook.
const (
	Absent    State = "absent"    // neither ours nor another one
	Foreign   State = "foreign"   // another one only
	Installed State = "installed" // ours
	ByHand    State = "by-hand"   // another one, which starts our program: neither Install nor Uninstall touches it
)

// Hook is one of git's hooks.
type Hook struct {
	Name    string
	State   State  // after the call
	Path    string // of the script, or of the file with the lines that start us; empty: it is in git's configuration
	Earlier string // path of the one that was there before, which ours runs first; empty: there was none
	Changed bool   // by this call
	Edited  string // path of what Uninstall found in the place of our script: ours, with something changed in it by hand; empty: it was as we wrote it
}

// Installer puts hooks into one repository and takes them out.
type Installer struct {
	Repo    *gitstate.Repository // required
	Program string               // required: absolute path of our program
}

// Look tells how the hooks stand.
func (i Installer) Look(ctx context.Context) ([]Hook, error) {
	dir, _, err := i.Repo.HookFiles(ctx)
	if err != nil {
		return nil, err
	}
	configured, err := i.Repo.ConfigHooks(ctx)
	if err != nil {
		return nil, err
	}
	m, err := managed(ctx, i.Repo, dir)
	if err != nil {
		return nil, err
	}
	var found []Hook
	for _, name := range Names() {
		h := Hook{Name: name, Path: filepath.Join(dir, name)}
		if configured[configName(name)] {
			h.State, h.Path = Installed, ""
		} else if err := h.look(m); err != nil {
			return nil, err
		}
		found = append(found, h)
	}
	return found, nil
}

// look finds out how a hook stands that is not in git's configuration. m says who manages the hooks; nil: nobody.
func (h *Hook) look(m *ManagedError) error {
	text, err := os.ReadFile(h.Path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		h.State = Absent
	case err != nil:
		return fmt.Errorf("look at hook %s: %w", h.Name, err)
	case strings.Contains(string(text), marker):
		h.State = Installed
		if _, err := os.Lstat(h.Path + keptSuffix); err == nil {
			h.Earlier = h.Path + keptSuffix
		}
	case m != nil && m.has(filepath.Dir(h.Path), h.Name):
		h.State, h.Path = ByHand, m.file(h.Name)
	case runsOurs(h.Path, h.Name):
		h.State = ByHand
	default:
		h.State = Foreign
	}
	return nil
}

func configName(hook string) string { return "git-ralph-" + hook }

// Install puts the hooks in that are not there yet. A hook that is there is kept beside ours, which runs it first. The error is a *[ManagedError] where
// somebody else manages the hooks; then nothing was changed. Killed at any time it may be called again: there is always a hook, the earlier one or ours.
func (i Installer) Install(ctx context.Context) ([]Hook, error) {
	found, err := i.Look(ctx)
	if err != nil {
		return nil, err
	}
	byConfig, err := i.Repo.KnowsConfigHooks(ctx)
	if err != nil {
		return nil, err
	}
	dir, _, err := i.Repo.HookFiles(ctx)
	if err != nil {
		return nil, err
	}
	missing := func(h Hook) bool { return h.State != Installed && h.State != ByHand }
	if !byConfig && slices.ContainsFunc(found, missing) {
		if m, err := managed(ctx, i.Repo, dir); err != nil || m != nil {
			return found, errors.Join(err, asError(m))
		}
	}
	for n, h := range found {
		if !missing(h) {
			continue
		}
		if byConfig {
			if err := i.Repo.AddConfigHook(ctx, configName(h.Name), h.Name, i.line(h.Name)); err != nil {
				return found, err
			}
			found[n].Path = ""
		} else if found[n].Earlier, err = i.put(filepath.Join(dir, h.Name), h.Name); err != nil {
			return found, fmt.Errorf("install hook %s: %w", h.Name, err)
		}
		found[n].State, found[n].Changed = Installed, true
	}
	return found, nil
}

// asError keeps a nil *ManagedError from being an error.
func asError(m *ManagedError) error {
	if m == nil {
		return nil
	}
	return m
}

// put writes our script in the place of the hook that may be there, and returns where that is kept.
func (i Installer) put(path, name string) (earlier string, err error) {
	dir := filepath.Dir(path)
	made := ""
	if _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) {
		made = madeFolder
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	text := i.script(name) + made
	fresh := path + ".ralph-new"
	if err := os.WriteFile(fresh, []byte(text), 0o777); err != nil {
		return "", err
	}
	defer os.Remove(fresh)
	if _, err := os.Lstat(path); err == nil {
		earlier = path + keptSuffix
		if err := keep(path, earlier); err != nil {
			return "", err
		}
	}
	return earlier, os.Rename(fresh, path)
}

// keep gives a hook a second name, which must be free.
func keep(path, earlier string) error {
	err := os.Link(path, earlier)
	if err == nil {
		return nil
	}
	there, thereErr := os.Stat(earlier)
	here, hereErr := os.Stat(path)
	switch {
	case thereErr == nil && hereErr == nil && os.SameFile(there, here):
		return nil // a call that was killed came so far
	case thereErr == nil:
		return fmt.Errorf("%s is in the way", earlier)
	}
	return os.Rename(path, earlier) // where a file cannot have two names
}

// madeFolder is the line that says that there was no folder for hooks.
const madeFolder = "# There was no folder here before.\n"

// script is ours. Where the program is gone the earlier hook does its work as before.
func (i Installer) script(name string) string {
	return fmt.Sprintf(`#!/bin/sh
%s
ralph=%s
command -v "$ralph" >/dev/null || ralph=git-ralph
if ! command -v "$ralph" >/dev/null; then
	echo "git-ralph is gone: its checks were not run; remove them: rm '$0'" >&2
	[ ! -x "$0%s" ] || exec "$0%s" "$@"
	exit 0
fi
exec "$ralph" hook %s --earlier "$0%s" -- "$@"
`, marker, shellQuoted(filepath.ToSlash(i.Program)), keptSuffix, keptSuffix, name, keptSuffix)
}

// line is what git's configuration has: git adds the hook's arguments and lets a shell run it. Where the program is gone nothing is stopped.
func (i Installer) line(name string) string {
	return fmt.Sprintf(`ralph() { command -v %[1]s >/dev/null || { echo "git-ralph is gone: its checks were not run; remove them: git config --remove-section hook.%[2]s" >&2; return 0; }; %[1]s hook %[3]s -- "$@"; }; ralph`,
		shellQuoted(filepath.ToSlash(i.Program)), configName(name), name)
}

func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// Uninstall takes our hooks out and puts the earlier ones back. A hook that somebody put in the place of ours stays.
func (i Installer) Uninstall(ctx context.Context) ([]Hook, error) {
	found, err := i.Look(ctx)
	if err != nil {
		return nil, err
	}
	for n, h := range found {
		if h.State != Installed {
			continue
		}
		found[n].State, found[n].Changed = Absent, true
		if h.Path != "" {
			if found[n].Edited, err = i.keepEdited(h); err != nil {
				return found, fmt.Errorf("uninstall hook %s: %w", h.Name, err)
			}
		}
		switch {
		case h.Path == "":
			err = i.Repo.RemoveConfigHook(ctx, configName(h.Name))
		case h.Earlier != "":
			found[n].State, found[n].Earlier = Foreign, ""
			err = os.Rename(h.Earlier, h.Path)
		default:
			err = takeAway(h.Path)
		}
		if err != nil {
			return found, fmt.Errorf("uninstall hook %s: %w", h.Name, err)
		}
	}
	return found, nil
}

// editedSuffix is what a script of ours is called that somebody has changed, when it is taken out.
const editedSuffix = ".edited"

// keepEdited gives our script a second name if it is not as we wrote it: what somebody has put into it is theirs.
func (i Installer) keepEdited(h Hook) (kept string, err error) {
	text, err := os.ReadFile(h.Path)
	if err != nil {
		return "", err
	}
	if withoutProgram(strings.TrimSuffix(string(text), madeFolder)) == withoutProgram(i.script(h.Name)) {
		return "", nil
	}
	kept = h.Path + editedSuffix
	return kept, keep(h.Path, kept)
}

// withoutProgram leaves the line out that names our program: another version of it may have written the script.
func withoutProgram(script string) string {
	var rest strings.Builder
	for line := range strings.Lines(script) {
		if !strings.HasPrefix(line, "ralph=") {
			rest.WriteString(line)
		}
	}
	return rest.String()
}

// takeAway removes a script of ours, and the folder when we made it and nothing else is in it.
func takeAway(path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.Remove(path); err != nil {
		return err
	}
	rest, err := os.ReadDir(filepath.Dir(path))
	if err != nil || !strings.Contains(string(text), madeFolder) {
		return err
	}
	if len(rest) == 0 {
		return os.Remove(filepath.Dir(path))
	}
	for _, name := range Names() { // the last of ours to go takes the folder along
		other := filepath.Join(filepath.Dir(path), name)
		if text, err := os.ReadFile(other); err == nil && strings.Contains(string(text), marker) && !strings.Contains(string(text), madeFolder) {
			return os.WriteFile(other, append(text, madeFolder...), 0o777)
		}
	}
	return nil
}
