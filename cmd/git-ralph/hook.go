package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/hooks"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// hookCmd is what git's hooks start.
type hookCmd struct {
	Name    string `arg:"" help:"The hook."`
	Earlier string `placeholder:"PATH" help:"The hook that was there before; it runs first."`
}

// Run runs the earlier hook, and then does what is ours. A hook that says no is obeyed.
func (c *hookCmd) Run(ctx context.Context, a *app) error {
	var stdin []byte
	var err error
	if c.Name == hooks.PrePushHook && !isTerminal(a.stdin) {
		if stdin, err = io.ReadAll(a.stdin); err != nil {
			return fmt.Errorf("read what git pushes: %w", err)
		}
	}
	earlier := hooks.Earlier{Path: c.Earlier, Args: a.argv, Dir: a.dir, Env: a.env, Stdin: stdin, Stdout: a.stdout, Stderr: a.stderr}
	if code, err := earlier.Run(ctx); err != nil || code != 0 {
		if err == nil {
			err = &problem{status: code} // it has said why
		}
		return err
	}
	switch c.Name {
	case hooks.PrepareMessageHook:
		return c.prepareMessage(ctx, a)
	case hooks.PrePushHook:
		return c.prePush(ctx, a, string(stdin))
	}
	return usage("git ralph hooks list", "%q is no hook of ours", c.Name)
}

// prepareMessage marks a commit that an agent makes inside a loop of this repository.
func (c *hookCmd) prepareMessage(ctx context.Context, a *app) error {
	loop, iteration := a.getenv("GIT_RALPH_LOOP"), a.getenv("GIT_RALPH_ITERATION")
	if loop == "" || iteration == "" || len(a.argv) == 0 {
		return nil
	}
	repo, err := a.repo(ctx)
	if err != nil || !runner.Inside(repo, loop, a.getenv(proc.MarkerVariable)) {
		return nil // the agent commits in another repository
	}
	source := a.getenv("PRE_COMMIT_COMMIT_MSG_SOURCE") // the program pre-commit gives the file only
	if len(a.argv) > 1 {
		source = a.argv[1]
	}
	return hooks.PrepareMessage(a.path(a.argv[0]), loop, iteration, source != "message")
}

// prePush checks what is pushed.
func (c *hookCmd) prePush(ctx context.Context, a *app, stdin string) error {
	refs := hooks.ParsePushed(stdin)
	remote := ""
	if len(a.argv) > 0 {
		remote = a.argv[0]
	}
	if len(refs) == 0 && a.getenv("PRE_COMMIT_LOCAL_BRANCH") == "" {
		return nil
	}
	repo, err := a.repo(ctx)
	if errors.Is(err, gitstate.ErrBare) || errors.Is(err, gitstate.ErrSHA256) {
		return nil // no loop can be in there
	}
	if err != nil {
		return err
	}
	if len(refs) == 0 { // pre-commit keeps the standard input for itself
		if refs, remote, err = a.pushedOfPreCommit(repo, remote); err != nil || len(refs) == 0 {
			return err
		}
	}
	policy, err := a.pushPolicy(repo)
	if err != nil {
		return err
	}
	p := hooks.PrePush{Repo: repo, Remote: remote, Refs: refs, Policy: policy}
	if path, err := proc.LookPath("gitleaks", repo.TopLevel, a.env); err == nil {
		p.Gitleaks = hooks.Gitleaks{Path: path, Dir: repo.TopLevel, Env: a.env}
	}
	report, err := during(a, "looking at what is pushed", func() (hooks.Report, error) { return p.Run(ctx) })
	if err != nil {
		return &problem{status: 1, text: "check what is pushed: " + err.Error(), hints: []string{"push without the checks: git push --no-verify"}, cause: err}
	}
	return a.answerPush(report)
}

// pushedOfPreCommit is what the program pre-commit tells of a push: where it begins and ends, and neither where all of it is new.
func (a *app) pushedOfPreCommit(repo *gitstate.Repository, remote string) ([]hooks.PushedRef, string, error) {
	ref := hooks.PushedRef{
		Local: plumbing.ReferenceName(a.getenv("PRE_COMMIT_LOCAL_BRANCH")), Remote: plumbing.ReferenceName(a.getenv("PRE_COMMIT_REMOTE_BRANCH")),
	}
	if from := a.getenv("PRE_COMMIT_FROM_REF"); plumbing.IsHash(from) {
		ref.Old = plumbing.NewHash(from)
	}
	if to := a.getenv("PRE_COMMIT_TO_REF"); plumbing.IsHash(to) {
		ref.New = plumbing.NewHash(to)
	} else if tip, err := repo.Resolve(ref.Local); err == nil {
		ref.New = tip
	} else {
		return nil, remote, err
	}
	if name := a.getenv("PRE_COMMIT_REMOTE_NAME"); name != "" {
		remote = name
	}
	if ref.New.IsZero() {
		return nil, remote, nil
	}
	return []hooks.PushedRef{ref}, remote, nil
}

// pushRefused is what is said of a push that must not go on.
const pushRefused = "the push is refused"

// maxShownFindings is how many findings that refuse a push are shown.
const maxShownFindings = 50

// answerPush shows what was found.
func (a *app) answerPush(report hooks.Report) error {
	for _, line := range report.Told {
		a.say("git-ralph: %s", oneLine(line))
	}
	var lines, hints []string
	for _, f := range report.Findings {
		line := findingLine(f)
		if f.Level == hooks.Warn {
			a.say("git-ralph: warning: %s", line)
			for _, h := range f.Hints {
				a.say("hint: %s", h)
			}
			continue
		}
		lines = append(lines, line)
		hints = append(hints, f.Hints...)
	}
	if len(lines) == 0 {
		return nil
	}
	if more := len(lines) - maxShownFindings; more > 0 {
		lines = append(lines[:maxShownFindings], fmt.Sprintf("and %d more", more))
	}
	hints = append(hints, "push nevertheless: git push --no-verify", "see what can be set: git ralph config")
	return &problem{status: 1, text: pushRefused, list: lines, hints: distinct(hints)}
}

// findingLine says what, where, and which iteration.
func findingLine(f hooks.Finding) string {
	line := string(f.Check) + ": " + flat(f.Text)
	var where []string
	if !f.Commit.IsZero() {
		where = append(where, "commit "+shortHash(f.Commit.String()))
	}
	if f.Iteration > 0 {
		where = append(where, fmt.Sprintf("iteration %d of %s", f.Iteration, f.Loop))
	}
	if len(where) > 0 {
		line += " (" + strings.Join(where, ", ") + ")"
	}
	return line
}

// distinct leaves out what was there before.
func distinct(list []string) []string {
	seen := map[string]bool{}
	var rest []string
	for _, s := range list {
		if !seen[s] {
			rest = append(rest, s)
		}
		seen[s] = true
	}
	return rest
}
