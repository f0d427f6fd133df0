package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/hooks"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// hookChecks look at what git-ralph does in git's hooks: whether it is installed, and with what it looks for secrets.
func (a *app) hookChecks(ctx context.Context, repo *gitstate.Repository) []runner.Check {
	if repo == nil {
		return nil
	}
	return []runner.Check{a.installedCheck(ctx, repo), a.gitleaksCheck(repo)}
}

// installedCheck says which of the hooks are installed.
func (a *app) installedCheck(ctx context.Context, repo *gitstate.Repository) runner.Check {
	c := runner.Check{Name: "git hooks", State: runner.CheckNote}
	i, err := hookInstaller(repo)
	if err != nil {
		c.Text = err.Error()
		return c
	}
	found, err := i.Look(ctx)
	if err != nil {
		c.State, c.Text, c.Hints = runner.CheckWrong, err.Error(), []string{"git ralph hooks list"}
		return c
	}
	var in, missing []string
	for _, h := range found {
		if h.State == hooks.Installed || h.State == hooks.ByHand {
			in = append(in, h.Name)
		} else {
			missing = append(missing, h.Name)
		}
	}
	switch {
	case len(missing) == 0:
		c.State, c.Text = runner.CheckFine, strings.Join(in, ", ")+" look at what is pushed, and mark an agent's commits"
		return c
	case slices.Contains(missing, hooks.PrePushHook):
		c.Text = "a push is not looked at: unfinished loops, secrets, large files"
	default:
		c.Text = "an agent's own commits do not say that they are its"
	}
	c.Text += fmt.Sprintf(" (%s: not installed)", strings.Join(missing, ", "))
	c.Hints = []string{"git ralph hooks install"}
	return c
}

// gitleaksCheck says with what a push is searched for secrets.
func (a *app) gitleaksCheck(repo *gitstate.Repository) runner.Check {
	path, err := proc.LookPath("gitleaks", repo.TopLevel, a.env)
	if err != nil {
		return runner.Check{
			Name: "gitleaks", State: runner.CheckNote, Text: "it is not on PATH: a push is searched with our own rules, which know fewer kinds of secrets",
			Hints: []string{"https://github.com/gitleaks/gitleaks"},
		}
	}
	return runner.Check{Name: "gitleaks", State: runner.CheckFine, Text: path + " helps to search a push for secrets", Path: path}
}
