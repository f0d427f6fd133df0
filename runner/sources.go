package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/spec"
	"github.com/git-ralph/git-ralph/scud"
)

// Prompts are made of more files than the prompt's: the plan, spec files, the template, what is handed over. They are read again for each prompt.

// source is a file that the configuration names.
type source struct {
	what string // it is, as users know it
	file string // as it is configured
	flag string // that names it
}

// sourcesOf are the files that a configuration names, all of which a loop needs to begin.
func sourcesOf(c Config) []source {
	var all []source
	for _, s := range []source{{"plan", c.Plan, "--plan"}, {"spec template", c.SpecTemplate, "--spec-template"}, {"handoff file", c.Handoff, "--handoff"}} {
		if s.file != "" {
			all = append(all, s)
		}
	}
	for _, file := range c.SpecFiles {
		all = append(all, source{"spec file", file, "--spec-file"})
	}
	return all
}

// checkSources makes sure that all of these files can be read. One that is gone and may be is left out when its turn comes. The error is a *[StateError].
func (l *loop) checkSources(mayBeGone string) error {
	l.lastText = map[string]string{}
	for _, source := range sourcesOf(l.config) {
		_, err := l.readSource(source)
		if err != nil && (source.file != mayBeGone || !errors.Is(err, fs.ErrNotExist)) {
			return &StateError{Fact: err.Error(), Hints: []string{source.flag + " FILE", "or leave it out: " + source.flag + " ''"}}
		}
	}
	return nil
}

// sourceText returns what a file says now; without a name nothing. One that cannot be read any more says what it said before; an agent may have moved it.
func (l *loop) sourceText(what, file string) string {
	if file == "" {
		return ""
	}
	text, err := l.readSource(source{what: what, file: file})
	if err == nil {
		return text
	}
	before, known := l.lastText[file]
	if known {
		l.tellOnce("%v; what it said before is used", err)
	} else {
		l.tellOnce("%v; it is left out", err)
	}
	return before
}

// readSource reads a file, in the main work tree if it is missing in this one: git takes no ignored file along into a linked one.
func (l *loop) readSource(from source) (string, error) {
	text, err := readNamed(l.repo.TopLevel, from.file)
	if main := mainWorktree(l.repo); errors.Is(err, fs.ErrNotExist) && main != "" {
		text, err = readNamed(main, from.file)
	}
	switch {
	case err != nil:
		return "", fmt.Errorf("%s %s: %w", from.what, from.file, err)
	case !utf8.ValidString(text) || strings.ContainsRune(text, 0):
		return "", fmt.Errorf("%s %s is not UTF-8 text", from.what, from.file)
	}
	l.lastText[from.file] = text
	return text, nil
}

// readNamed reads a file that is named from the top level.
func readNamed(top, file string) (string, error) {
	path, err := named(top, file)
	if err != nil {
		return "", err
	}
	return scud.ReadText(path)
}

// specFiles are the spec files, each under its name.
func (l *loop) specFiles() []spec.File {
	var all []spec.File
	for _, file := range l.config.SpecFiles {
		all = append(all, spec.File{Name: file, Text: l.sourceText("spec file", file)})
	}
	return all
}

// guidance is what SCUD gives to every agent of the project. It comes with the repository, and nobody is asked: what a link has elsewhere is left out.
func (l *loop) guidance(root string) ([]spec.File, error) {
	guidance, err := scud.ReadGuidance(root, l.repo.TopLevel)
	if err != nil {
		return nil, err
	}
	var all []spec.File
	for _, g := range guidance {
		if g.Outside {
			l.tellOnce("%s leads out of the work tree: it is left out; to have it told: --spec-file FILE", g.File)
			continue
		}
		all = append(all, spec.File{Name: g.File, Text: g.Text})
	}
	return all, nil
}

// mainWorktree is the work tree beside which the repository lies; empty when that is not known.
func mainWorktree(repo *gitstate.Repository) string {
	if filepath.Base(repo.CommonDir) != ".git" {
		return ""
	}
	return filepath.Dir(repo.CommonDir)
}
