package gitstate

import (
	"context"
	"fmt"
	"strings"
)

// setUpKey names the settings that SetUp made, as key=value: only those are taken back.
const setUpKey = "ralph.init"

// Setting is a value in the repository's own configuration of git.
type Setting struct {
	Key     string
	Value   string
	Changed bool // it was made, or taken away, now; otherwise it was as it is
}

// SetUp makes git show the notes of loops in its log, take them along when commits are rewritten, and fetch those of a remote (empty: of none) into
// refs/notes/<remote>/ralph. What is set already stays as it is. Killed at any time it may be called again.
func (r *Repository) SetUp(ctx context.Context, remote string) ([]Setting, error) {
	settings := []Setting{{Key: "notes.displayRef", Value: NotesRef}, {Key: "notes.rewriteRef", Value: NotesRef}}
	if remote != "" {
		m := Remote{Name: remote}
		if to := m.notesRef(); to != "" {
			// The star lets git fetch where the remote has no notes; without one that is an error.
			settings = append(settings, Setting{Key: "remote." + remote + ".fetch", Value: "+" + NotesRef + "*:" + to.String() + "*"})
		}
	}
	for i, s := range settings {
		there, err := r.hasSetting(ctx, s.Key, s.Value)
		if err != nil {
			return settings[:i], err
		}
		if there {
			continue
		}
		if err := r.addSetting(ctx, setUpKey, s.Key+"="+s.Value); err != nil {
			return settings[:i], err
		}
		if err := r.addSetting(ctx, s.Key, s.Value); err != nil {
			return settings[:i], err
		}
		settings[i].Changed = true
	}
	return settings, nil
}

// UndoSetUp takes the settings away that SetUp made, and no others.
func (r *Repository) UndoSetUp(ctx context.Context) ([]Setting, error) {
	out, err := r.git.run(ctx, "config", "--local", "-z", "--get-all", setUpKey)
	if err != nil && exitCode(err) != 1 {
		return nil, fmt.Errorf("read %s: %w", setUpKey, err)
	}
	var settings []Setting
	for _, entry := range splitNul(out) {
		key, value, ok := strings.Cut(entry, "=")
		if !ok || strings.HasPrefix(entry, setUpFile) {
			continue
		}
		there, err := r.hasSetting(ctx, key, value)
		if err != nil {
			return settings, err
		}
		if there {
			if err := r.removeSetting(ctx, key, value); err != nil {
				return settings, err
			}
		}
		settings = append(settings, Setting{Key: key, Value: value, Changed: there})
		if err := r.removeSetting(ctx, setUpKey, entry); err != nil {
			return settings, err
		}
	}
	return settings, nil
}

// setUpHooks is the value of setUpKey that stands for the hooks.
const setUpHooks = "hooks"

// NoteHooks writes down that the hooks were installed along with the settings, or (false) that they are gone.
func (r *Repository) NoteHooks(ctx context.Context, installed bool) error {
	if installed {
		return r.addSetting(ctx, setUpKey, setUpHooks)
	}
	if noted, err := r.HooksNoted(ctx); err != nil || !noted {
		return err
	}
	return r.removeSetting(ctx, setUpKey, setUpHooks)
}

// HooksNoted reports whether NoteHooks said that they were installed.
func (r *Repository) HooksNoted(ctx context.Context) (bool, error) {
	return r.hasSetting(ctx, setUpKey, setUpHooks)
}

func (r *Repository) hasSetting(ctx context.Context, key, value string) (bool, error) {
	_, err := r.git.run(ctx, "config", "--local", "--fixed-value", "--get-all", key, value)
	if exitCode(err) == 1 {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("read %s: %w", key, err)
	}
	return true, nil
}

func (r *Repository) addSetting(ctx context.Context, key, value string) error {
	if has, err := r.hasSetting(ctx, key, value); err != nil || has { // left by a call that was killed
		return err
	}
	if _, err := r.git.run(ctx, "config", "--local", "--add", key, value); err != nil {
		return fmt.Errorf("set %s: %w", key, err)
	}
	return nil
}

func (r *Repository) removeSetting(ctx context.Context, key, value string) error {
	if _, err := r.git.run(ctx, "config", "--local", "--fixed-value", "--unset-all", key, value); err != nil {
		return fmt.Errorf("take %s away: %w", key, err)
	}
	return nil
}
