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
	By   string   // "husky", "lefthook", "pre-commit", or what makes the folder not ours
	File string   // that the lines go into, from the top level; of several hooks one for each
	Add  []string // the lines
}

func (e *ManagedError) Error() string { return fmt.Sprintf("%s manages the hooks here", e.By) }

// managed recognises who manages the hooks in a folder; nil: nobody.
func managed(ctx context.Context, repo *gitstate.Repository, dir string) (*ManagedError, error) {
	inTree, isBelow := below(repo.TopLevel, dir)
	if isBelow && strings.HasPrefix(inTree, ".husky") {
		return &ManagedError{By: "husky", File: ".husky/pre-push, .husky/prepare-commit-msg", Add: []string{
			`.husky/pre-push:            git ralph hook pre-push -- "$@"`,
			`.husky/prepare-commit-msg:  git ralph hook prepare-commit-msg -- "$@"`,
		}}, nil
	}
	for _, m := range []struct {
		name  string
		files []string // at the top level
		word  string   // in the scripts that it writes
		add   []string
	}{
		{"lefthook", []string{"lefthook.yml", ".lefthook.yml", "lefthook.yaml", ".lefthook.yaml", "lefthook.toml", "lefthook.json"}, "lefthook", lefthookLines()},
		{"pre-commit", []string{".pre-commit-config.yaml"}, "pre-commit.com", preCommitLines()},
	} {
		for _, file := range m.files {
			if _, err := os.Stat(filepath.Join(repo.TopLevel, file)); err == nil {
				return &ManagedError{By: m.name, File: file, Add: m.add}, nil
			}
		}
		for _, name := range Names() {
			if text, err := os.ReadFile(filepath.Join(dir, name)); err == nil && strings.Contains(string(text), m.word) {
				return &ManagedError{By: m.name, File: m.files[0], Add: m.add}, nil
			}
		}
	}
	return sharedFolder(ctx, repo, dir)
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
	switch own, err := repo.OwnHooksPath(ctx); {
	case inCommon || inGit || err != nil:
		return nil, err
	case inTree:
		return &ManagedError{By: "core.hooksPath, a folder of the work tree,", File: dir, Add: lines}, nil
	case !own:
		return &ManagedError{By: "core.hooksPath, a folder for all your repositories,", File: dir, Add: lines}, nil
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
		"    stages: [pre-push]",
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
