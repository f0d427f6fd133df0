package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// checkAgent makes sure that the agent can be started the way it is configured.
func (l *loop) checkAgent() error {
	request := l.agentRequest("prompt", 1)
	invocation, err := l.preset.Invoke(request)
	if errors.Is(err, agent.ErrModel) {
		return noModel(l.config)
	}
	if err != nil {
		return &InvalidError{Fact: err.Error(), Hints: []string{"git ralph start -h"}}
	}
	if err := checkTelling(l.config, l.preset.Tells(request)); err != nil {
		return err
	}
	if info, err := os.Stat(l.dir()); err != nil || !info.IsDir() {
		return &StateError{Fact: fmt.Sprintf("working directory %s does not exist", l.dir()), Hints: []string{"--working-dir DIR"}}
	}
	if err := staysIn(l.repo.TopLevel, l.dir()); err != nil {
		return &StateError{Fact: fmt.Sprintf("working directory %s: %v", l.config.Dir, err), Hints: []string{"start another loop: git ralph start --working-dir DIR"}}
	}
	if _, err := proc.LookPath(invocation.Argv[0], l.dir(), l.env); err != nil {
		return &StateError{Fact: err.Error(), Hints: []string{`name a program that is installed: --command "PROGRAM ARGUMENTS"`}}
	}
	return nil
}

// noModel says that a model cannot be chosen, and where to write it instead.
func noModel(c Config) error {
	if len(c.Command) == 0 {
		return &InvalidError{Fact: fmt.Sprintf("model %q cannot be chosen: %s takes none", c.Model, c.Agent), Hints: []string{"leave --model out"}}
	}
	words, how := slices.Clone(c.Command), "write it into the command, as its program takes it: "
	if flag := agent.ModelFlag(c.Command); flag != "" {
		words, how = append(words, flag, c.Model), "write it into the command: "
	}
	for i, word := range words {
		words[i] = shellQuoted(word)
	}
	return &InvalidError{
		Fact: fmt.Sprintf("model %q does not reach a command of your own", c.Model), Hints: []string{how + "--command " + shellQuoted(strings.Join(words, " "))},
	}
}

// checkOperation makes sure that nothing is under way in the work tree.
func checkOperation(ctx context.Context, repo *gitstate.Repository) error {
	operation, err := repo.Operation(ctx)
	if err != nil || operation == "" {
		return err
	}
	if landing, err := repo.OpenLanding(); err != nil || landing != nil {
		return err // it is ours, and ends when the work tree is locked
	}
	hint := fmt.Sprintf("finish it, or go back: git %s --abort", operation)
	if operation == "bisect" {
		hint = "finish it, or go back: git bisect reset"
	}
	return &StateError{Fact: fmt.Sprintf("a %s is under way in this work tree", operation), Hints: []string{hint}}
}

// checkIdentity makes sure that git knows who commits.
func checkIdentity(ctx context.Context, repo *gitstate.Repository) error {
	_, err := repo.Committer(ctx)
	if errors.Is(err, gitstate.ErrNoIdentity) {
		return &StateError{Fact: "git does not know who commits here", Hints: []string{
			`git config user.name "Your Name"`, `git config user.email you@example.com`,
		}}
	}
	return err
}

// checkSecrets refuses what would put a secret into the history for good.
func checkSecrets(c Config, prompt string, secrets []string) error {
	for _, word := range slices.Concat(c.Command, c.Verify, c.Custom.Command, c.Custom.Unattended) {
		if err := holdsSecret(secrets, "a command", word); err != nil {
			return err
		}
	}
	if err := holdsSecret(secrets, "the subject", c.Subject); err != nil {
		return err
	}
	return holdsSecret(secrets, "the prompt", prompt)
}

// newLoop puts together what a running loop needs; the locks are taken later.
func (r *Runner) newLoop(ctx context.Context, repo *gitstate.Repository, c Config, given map[string]string) (*loop, error) {
	values, err := envValues(c.Env, given, r.Env)
	if err != nil {
		return nil, err
	}
	env, err := childEnv(ctx, repo, r.Env, values)
	if err != nil {
		return nil, err
	}
	preset, err := presetOf(c)
	if err != nil {
		return nil, &InvalidError{Fact: err.Error(), Hints: []string{"--agent generic"}}
	}
	secrets := secretValues(env)
	l := &loop{
		Runner: r, repo: repo, config: c, preset: preset, env: env, secrets: secrets, redact: newRedactor(secrets), control: r.Control,
		supervisor: r.Supervisor.Stand(),
	}
	if l.control == nil {
		l.control = NewControl()
	}
	return l, nil
}

// dir is where agent and verify run.
func (l *loop) dir() string { return filepath.Join(l.repo.TopLevel, filepath.FromSlash(l.config.Dir)) }

// lock takes the loop's lock.
func (l *loop) lock(name string) error {
	loopLock, err := l.repo.LockLoop(name)
	if err != nil {
		return err
	}
	l.locks = append(l.locks, loopLock)
	takeRequest(l.repo, name) // one that waits already was meant for whoever held the lock before
	return nil
}

// lockWorktree takes the lock of the work tree that the loop runs in.
func (l *loop) lockWorktree(ctx context.Context, name string) error {
	worktreeLock, err := l.repo.LockWorktree(name)
	if err != nil {
		return err
	}
	l.locks = append(l.locks, worktreeLock)
	return l.finishLanding(ctx)
}
