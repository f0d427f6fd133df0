package hooks

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// ManagedError says that the hooks of a repository are somebody else's to change.
type ManagedError struct {
	By    string   // "husky", "lefthook", "pre-commit", or what makes the folder not ours
	File  string   // that the lines go into, from the top level; of several hooks one for each
	Add   []string // the lines
	Hints []string // what to type when they are there; empty: nothing

	file func(hook string) string // path of the one that a hook's lines go into
	word string                   // in a script of the manager's; empty: any script is
}

func (e *ManagedError) Error() string { return fmt.Sprintf("%s manages the hooks here", e.By) }

// managed recognises who manages the hooks in a folder; nil: nobody.
func managed(ctx context.Context, repo *gitstate.Repository, dir string) (*ManagedError, error) {
	inTree, isBelow := below(repo.TopLevel, dir)
	if isBelow && strings.HasPrefix(inTree, ".husky") {
		return &ManagedError{By: "husky", File: ".husky/pre-push, .husky/prepare-commit-msg", Add: []string{
			`.husky/pre-push:            git ralph hook pre-push -- "$@"`,
			`.husky/prepare-commit-msg:  git ralph hook prepare-commit-msg -- "$@"`,
		}, file: func(hook string) string { return filepath.Join(repo.TopLevel, ".husky", hook) }}, nil
	}
	for _, m := range managers() {
		file, found := m.manages(repo.TopLevel, dir)
		if found {
			path := filepath.Join(repo.TopLevel, file)
			return &ManagedError{By: m.name, File: file, Add: m.add, Hints: []string{m.hint}, file: func(string) string { return path }, word: m.word}, nil
		}
	}
	return sharedFolder(ctx, repo, dir)
}

// manager is a program that keeps what hooks do in one file, and writes the scripts itself.
type manager struct {
	name  string
	files []string // at the top level, any of them
	word  string   // in the scripts that it writes
	add   []string // lines for its file
	hint  string   // makes it write the scripts
}

func managers() []manager {
	return []manager{
		{"lefthook", []string{"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", "lefthook.toml", "lefthook.json"}, "lefthook", lefthookLines(), "lefthook install"},
		{"pre-commit", []string{".pre-commit-config.yaml"}, "pre-commit.com", preCommitLines(), "pre-commit install -t pre-push -t prepare-commit-msg"},
	}
}

// manages reports whether there is a file of the program at the top level, and which, or a script of its in the folder of hooks.
func (m manager) manages(top, dir string) (file string, found bool) {
	for _, file := range m.files {
		if _, err := os.Stat(filepath.Join(top, file)); err == nil {
			return file, true
		}
	}
	for _, name := range Names() {
		if contains(filepath.Join(dir, name), m.word) {
			return m.files[0], true
		}
	}
	return "", false
}

// contains reports whether a file is there and has a text in it.
func contains(file, text string) bool {
	there, err := os.ReadFile(file)
	return err == nil && strings.Contains(string(there), text)
}

// runsOurs reports whether a file starts our program for a hook.
func runsOurs(file, hook string) bool {
	return contains(file, "git ralph hook "+hook) || contains(file, "git-ralph hook "+hook)
}

// has reports whether our lines for a hook are in the manager's file, and its script is in the folder of hooks.
func (e *ManagedError) has(dir, hook string) bool {
	script := filepath.Join(dir, hook)
	_, err := os.Stat(script)
	return err == nil && (e.word == "" || contains(script, e.word)) && runsOurs(e.file(hook), hook)
}

// sharedFolder recognises a folder of hooks that is not this repository's alone: one that is committed, and one that core.hooksPath names for all
// repositories.
func sharedFolder(ctx context.Context, repo *gitstate.Repository, dir string) (*ManagedError, error) {
	lines := []string{
		filepath.ToSlash(filepath.Join(dir, "pre-push")) + `:            git ralph hook pre-push -- "$@"`,
		filepath.ToSlash(filepath.Join(dir, "prepare-commit-msg")) + `:  git ralph hook prepare-commit-msg -- "$@"`,
	}
	_, inCommon := below(repo.CommonDir, dir)
	_, inGit := below(repo.GitDir, dir)
	_, inTree := below(repo.TopLevel, dir)
	inDir := func(hook string) string { return filepath.Join(dir, hook) }
	switch own, err := repo.OwnHooksPath(ctx); {
	case inCommon || inGit || err != nil:
		return nil, err
	case inTree:
		return &ManagedError{By: "core.hooksPath, a folder of the work tree,", File: dir, Add: lines, file: inDir}, nil
	case !own:
		return &ManagedError{By: "core.hooksPath, a folder for all your repositories,", File: dir, Add: lines, file: inDir}, nil
	}
	return nil, nil
}

// below returns the path of a file from a directory that it is in.
func below(dir, file string) (string, bool) {
	path, err := filepath.Rel(dir, file)
	return filepath.ToSlash(path), err == nil && path != ".." && !strings.HasPrefix(path, ".."+string(filepath.Separator))
}

func lefthookLines() []string {
	return []string{
		"pre-push:",
		"  commands:",
		"    git-ralph:",
		"      use_stdin: true",
		"      run: git ralph hook pre-push -- {0}",
		"prepare-commit-msg:",
		"  commands:",
		"    git-ralph:",
		"      run: git ralph hook prepare-commit-msg -- {0}",
	}
}

func preCommitLines() []string {
	return []string{
		"- repo: local",
		"  hooks:",
		"  - id: git-ralph-pre-push",
		"    name: git-ralph",
		"    language: system",
		"    stages: [pre-push] # before pre-commit 3.2: [push]",
		"    always_run: true",
		"    pass_filenames: false",
		"    entry: git ralph hook pre-push",
		"  - id: git-ralph-prepare-commit-msg",
		"    name: git-ralph",
		"    language: system",
		"    stages: [prepare-commit-msg]",
		"    always_run: true",
		"    entry: git ralph hook prepare-commit-msg --",
	}
}
