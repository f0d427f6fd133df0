package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/hooks"
	"github.com/git-ralph/git-ralph/runner"
)

//go:embed sample.toml
var sampleConfig string

// placedFileJSON is a file that init looked at.
type placedFileJSON struct {
	Path   string `json:"path"`
	Result string `json:"result"` // "written", "there" (already), "kept" (somebody changed it), "removed", "gone" (already)
}

// checkCommands refuses an agent that has no slash commands.
func (c *initCmd) checkCommands() error {
	for _, agent := range c.Commands {
		if !slices.Contains(hooks.SlashAgents(), agent) {
			return usage("one of: "+strings.Join(hooks.SlashAgents(), " "), "--commands: there are none for %q", agent)
		}
	}
	return nil
}

// pick asks what else shall be set up, where nothing is named and somebody is there. All questions come before anything is done.
func (c *initCmd) pick(ctx context.Context, a *app, repo *gitstate.Repository) error {
	if c.Config || c.Hooks || len(c.Commands) > 0 || !a.canAsk() {
		return nil
	}
	ask := func(question string, yes *bool) (err error) {
		*yes, err = a.ask(question + " [y/N] ")
		return err
	}
	if _, err := os.Lstat(filepath.Join(repo.TopLevel, repositoryFile)); errors.Is(err, os.ErrNotExist) {
		if err := ask("write "+repositoryFile+", with all that can be set in comments?", &c.Config); err != nil {
			return err
		}
	}
	i, err := hookInstaller(repo)
	if err != nil {
		return err
	}
	if found, err := i.Look(ctx); err == nil && slices.ContainsFunc(found, func(h hooks.Hook) bool { return h.State == hooks.Absent || h.State == hooks.Foreign }) {
		if err := ask("install the hooks that look at every push?", &c.Hooks); err != nil {
			return err
		}
	}
	installed, _ := runner.Installed(a.env)
	for _, agent := range hooks.SlashAgents() {
		yes := false
		if !slices.Contains(installed, agent) {
			continue
		}
		if err := ask(fmt.Sprintf("write the slash commands of %s?", agent), &yes); err != nil {
			return err
		}
		if yes {
			c.Commands = append(c.Commands, agent)
		}
	}
	return nil
}

// files are those that were picked.
func (c *initCmd) files(repo *gitstate.Repository) ([]hooks.File, error) {
	var files []hooks.File
	if c.Config {
		files = append(files, hooks.File{Path: repositoryFile, Text: sampleFor(repo.TopLevel)})
	}
	for _, agent := range c.Commands {
		commands, err := hooks.SlashCommands(agent)
		if err != nil {
			return nil, err
		}
		files = append(files, commands...)
	}
	return files, nil
}

// sampleFor is the sample configuration, with the check that the project's files tell.
func sampleFor(dir string) string {
	verify := `#verify = ["make test"]`
	if command, _ := runner.ProjectCheck(dir); command != "" {
		verify = fmt.Sprintf("verify = [%q]", command)
	}
	return strings.Replace(sampleConfig, "{verify}", verify, 1)
}

// place writes the files. What is in the configuration that was written now has the user's yes: this program wrote it at their wish.
func (c *initCmd) place(ctx context.Context, repo *gitstate.Repository) ([]hooks.PlacedFile, error) {
	files, err := c.files(repo)
	if err != nil || len(files) == 0 {
		return nil, err
	}
	placed, err := hooks.Placer{Repo: repo}.Place(ctx, files)
	if err != nil || !slices.Contains(placed, hooks.PlacedFile{Path: repositoryFile, State: hooks.FileWritten}) {
		return placed, err
	}
	entries, err := parseConfig(files[0].Text, source{origin: fromRepository, name: repositoryFile})
	if err != nil {
		return placed, err
	}
	chosen := newChoices()
	if err := chosen.apply(entries); err != nil {
		return placed, err
	}
	return placed, runner.Trust(repo, chosen.claims())
}

// placedOf are files as JSON.
func placedOf(placed []hooks.PlacedFile) []placedFileJSON {
	list := []placedFileJSON{}
	for _, f := range placed {
		list = append(list, placedFileJSON{Path: f.Path, Result: string(f.State)})
	}
	return list
}

// printPlaced writes a line for each file.
func (a *app) printPlaced(placed []hooks.PlacedFile) error {
	var rows [][]string
	for _, f := range placed {
		rows = append(rows, []string{string(f.State), f.Path, placedWords(f)})
	}
	for _, line := range columns(rows) {
		if err := a.print("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// placedWords says what a file is good for, or why it was left alone.
func placedWords(f hooks.PlacedFile) string {
	if f.State == hooks.FileKept {
		return "somebody wrote or changed it"
	}
	agent, name, isCommand := strings.Cut(f.Path, "/commands/")
	switch {
	case f.Path == repositoryFile:
		return "what loops use here"
	case isCommand && agent == ".claude":
		return "/" + strings.ReplaceAll(strings.TrimSuffix(name, ".md"), "/", ":")
	case isCommand:
		return "/" + strings.TrimSuffix(name, ".md")
	}
	return ""
}

// hintAtCommit says how other clones get the files, and loops a clean work tree.
func (a *app) hintAtCommit(placed []hooks.PlacedFile) {
	var folders []string
	for _, f := range placed {
		folder := f.Path
		if before, _, ok := strings.Cut(f.Path, "/commands/"); ok {
			folder = before + "/commands/ralph-wiggum"
		}
		if f.State == hooks.FileWritten && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	if len(folders) > 0 {
		a.say("hint: commit them: git add %s && git commit -m %s", strings.Join(folders, " "), shellWord("Set up git-ralph"))
	}
}
