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
	"github.com/git-ralph/git-ralph/runner"
)

// demoCmd shows a whole loop in a scratch repository: the real loop, a real check that fails twice, real commits. Only the agent is scripted: it is this
// program started again.
type demoCmd struct {
	Keep string `placeholder:"DIR" help:"Make the repository in DIR, which is empty or does not exist, and leave it there."`
}

// What the demo works on.
const (
	demoPrompt = "Make check.sh pass: greet.sh greets whoever is named."
	demoVerify = "sh check.sh"
	demoName   = "greet"
)

//go:embed demo/check.sh
var demoCheck string

//go:embed demo/greet.sh
var demoGreet string

// Run makes the repository, runs the loop in it and shows what git holds then.
func (c *demoCmd) Run(ctx context.Context, a *app) (err error) {
	dir, err := c.directory(a)
	if err != nil {
		return err
	}
	if c.Keep == "" {
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	a.env = slices.DeleteFunc(slices.Clone(a.env), func(kv string) bool { return strings.HasPrefix(kv, "GIT_") })
	repo, err := makeDemo(ctx, dir, a.env)
	if err != nil {
		return err
	}
	a.opened = repo // run closes it
	if err := c.loop(a, repo); err != nil {
		return err
	}
	return c.show(ctx, a, repo)
}

// directory returns the empty directory of the demo.
func (c *demoCmd) directory(a *app) (string, error) {
	if c.Keep == "" {
		return os.MkdirTemp("", "git-ralph-demo-")
	}
	dir := a.path(c.Keep)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", fmt.Errorf("make the demo's directory: %w", err)
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("look into the demo's directory: %w", err)
	}
	if len(entries) > 0 {
		return "", &problem{status: 1, text: fmt.Sprintf("%s is not empty", shownPath(c.Keep)), hints: []string{"git ralph demo --keep " + shellWord(c.Keep+"/demo")}}
	}
	return dir, nil
}

// makeDemo makes a repository with a program that does nothing yet and the check that says so.
func makeDemo(ctx context.Context, dir string, env []string) (*gitstate.Repository, error) {
	for name, text := range map[string]string{"check.sh": demoCheck, "greet.sh": demoGreet} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return nil, fmt.Errorf("write the demo's files: %w", err)
		}
	}
	repo, err := gitstate.Init(ctx, gitstate.OpenRequest{Dir: dir, Env: env}, "main", map[string]string{
		"user.name": "Demo", "user.email": "demo@example.com", "commit.gpgSign": "false", "core.autocrlf": "false",
	})
	if err != nil {
		return nil, err
	}
	return repo, repo.CommitAll(ctx, "Add greet.sh and its check")
}

// loop runs the loop.
func (c *demoCmd) loop(a *app, repo *gitstate.Repository) error {
	program, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find this program: %w", err)
	}
	config := runner.DefaultConfig()
	config.Command, config.Verify, config.MaxIterations = []string{program, demoAgentCommand}, []string{demoVerify}, 10
	if err := a.print("$ git ralph start %q --verify %q --command scripted-agent", demoPrompt, demoVerify); err != nil {
		return err
	}
	return a.drive(drive{repo: repo, run: func(ctx context.Context, r *runner.Runner) (runner.Outcome, error) {
		return r.Start(ctx, runner.StartRequest{Name: demoName, Prompt: demoPrompt, Config: config})
	}})
}

// show prints what git holds now, and what to type next.
func (c *demoCmd) show(ctx context.Context, a *app, repo *gitstate.Repository) error {
	args := []string{"--first-parent", "--reverse", "-3", "--format=%h %s%n%n%w(0,4,4)%b%w(0,0,0)", "ralph/" + demoName}
	log, err := repo.LogText(ctx, args...)
	if err != nil {
		return err
	}
	if err := a.print("\n$ git log --first-parent --reverse -3 ralph/%s\n%s$ git ralph status", demoName, log); err != nil {
		return err
	}
	status := statusCmd{Loop: demoName}
	if err := status.Run(ctx, a); err != nil {
		return err
	}
	if c.Keep == "" {
		return a.print("\nThe repository is gone again. To keep one and look around in it:\n  git ralph demo --keep greet-demo")
	}
	return a.print("\nWhat to type next:\n  cd %s\n  git ralph log\n  git ralph show 2\n  git ralph diff 3\n  git log --notes=ralph ralph/%s", shellWord(c.Keep), demoName)
}
