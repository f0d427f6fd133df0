package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/runner"
)

// landCmd brings a loop's work home.
type landCmd struct {
	answer
	Loop    string   `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	Into    string   `placeholder:"BRANCH" help:"The branch (default: the one that the loop began on)."`
	Squash  bool     `xor:"mode" help:"As one commit (default)."`
	Merge   bool     `xor:"mode" help:"As a merge, with all its commits."`
	Rebase  bool     `xor:"mode" help:"All its commits, one by one."`
	PerWave bool     `xor:"mode" help:"One commit for each wave of a plan."`
	Message string   `short:"m" placeholder:"TEXT" help:"Of the commit (default: the prompt, and what the agent said)."`
	Force   bool     `help:"Also when it is not done, not verified, or has landed before."`
	Env     []string `sep:"none" placeholder:"NAME=VALUE" help:"A variable that verify needs."`
	Yes     bool     `help:"Say yes to verify commands of a loop from elsewhere."`
}

// landJSON is the answer of land.
type landJSON struct {
	Schema  int    `json:"schema"`
	Loop    string `json:"loop"`
	Into    string `json:"into"`   // short name
	Commit  string `json:"commit"` // that lands the loop
	Commits int    `json:"commits"`
	Verify  *bool  `json:"verify"`  // passed on the result; null: there is none
	Already bool   `json:"already"` // it had landed before
}

// Run lands the loop.
func (c *landCmd) Run(ctx context.Context, a *app) error {
	values, err := c.values(a)
	if err != nil {
		return err
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return err
	}
	r.Approve = func(claims []runner.Claim) error { return a.approve(claims, c.Yes) }
	q := runner.LandRequest{Loop: l.Name, Into: c.Into, Mode: c.mode(), Message: c.Message, Force: c.Force, EnvValues: values, Hooks: a.stderr}
	o, err := r.Land(ctx, q)
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(landJSON{Schema: jsonSchema, Loop: o.Loop, Into: o.Into, Commit: o.Commit.String(), Commits: o.Commits, Verify: o.Verify, Already: o.Already})
	}
	return a.sayLanded(o)
}

// values are the variables that were typed.
func (c *landCmd) values(a *app) (map[string]string, error) {
	if c.Rebase && c.Message != "" {
		return nil, usage("leave --message out", "with --rebase the commits keep their messages")
	}
	return a.namedValues(c.Env)
}

// namedValues takes variables that were typed apart. A name alone stands for the value that the variable has now.
func (a *app) namedValues(typed []string) (map[string]string, error) {
	values := map[string]string{}
	for _, given := range typed {
		name, value, ok := strings.Cut(given, "=")
		if !ok {
			value, ok = a.lookupEnv(name)
		}
		if !ok || name == "" {
			return nil, usage("--env NAME=VALUE", "--env: %q has no value", given)
		}
		values[name] = value
	}
	return values, nil
}

// mode is the way that was chosen.
func (c *landCmd) mode() runner.LandMode {
	switch {
	case c.Merge:
		return runner.LandMerge
	case c.Rebase:
		return runner.LandRebase
	case c.PerWave:
		return runner.LandPerWave
	}
	return runner.LandSquash
}

// sayLanded says what came of it, and what to type next.
func (a *app) sayLanded(o runner.LandOutcome) error {
	commit := shortHash(o.Commit.String())
	if o.Already {
		a.say("hint: again, where that was reverted: git ralph land %s --force", shellWord(o.Loop))
		return a.print("%s: it has landed on %s before, with %s", o.Loop, o.Into, commit)
	}
	words := fmt.Sprintf("landed on %s as %s", o.Into, commit)
	if o.Commits > 1 {
		words += fmt.Sprintf(", the last of %d commits", o.Commits)
	}
	switch {
	case o.Verify == nil:
		words += "; nothing verified it"
	case *o.Verify:
		words += ", verify passed"
	default:
		words += "; verify failed on it"
	}
	if err := a.print("%s: %s", o.Loop, words); err != nil {
		return err
	}
	a.say("hint: see it: git show --stat %s", commit)
	a.say("hint: remove the loop that has landed: git ralph prune --dry-run")
	return nil
}

// explainLanding puts what a landing refuses into the problem; false: it is none of that.
func (a *app) explainLanding(p *problem, err error) bool {
	if e, ok := errors.AsType[*runner.NotReadyError](err); ok {
		p.status = 3
		if !e.Done {
			p.hints = append(p.hints, "go on with it: git ralph resume "+shellWord(e.Loop))
		}
		p.hints = append(p.hints, "see what it did: git ralph diff --loop "+shellWord(e.Loop), "land it as it is: git ralph land "+shellWord(e.Loop)+" --force")
		return true
	}
	if e, ok := errors.AsType[*runner.ConflictsError](err); ok {
		p.list = firstPaths(e.Paths)
		p.hints = wayRoundConflicts(e)
		return true
	}
	if e, ok := errors.AsType[*runner.UnverifiedError](err); ok {
		p.list = lastLines(e.Tail, maxTailLines)
		p.hints = []string{
			"mend it on the loop's branch: git switch " + shellWord(e.Branch) + " && git merge " + shellWord(e.Into),
			"or land it all the same: git ralph land " + shellWord(e.Loop) + " --into " + shellWord(e.Into) + modeFlag(e.Mode) + " --force",
		}
		return true
	}
	return false
}

// wayRoundConflicts says how a loop can land that has changed the same as the branch. What a merge on the loop's branch resolves is of use only where all of it
// lands at once: commits that land one by one meet the branch without it.
func wayRoundConflicts(e *runner.ConflictsError) []string {
	resolve := "resolve them on the loop's branch: git switch " + shellWord(e.Branch) + " && git merge " + shellWord(e.Into)
	again, mode := "commit that, and land again: ", e.Mode
	if mode == runner.LandRebase || mode == runner.LandPerWave {
		again, mode = "commit that, and land as a merge, one by one they conflict again: ", runner.LandMerge
	}
	return []string{resolve, again + "git ralph land " + shellWord(e.Loop) + " --into " + shellWord(e.Into) + modeFlag(mode)}
}

// modeFlag is how the way to land is typed, after a space; the usual one needs no word.
func modeFlag(mode runner.LandMode) string {
	if mode == "" || mode == runner.LandSquash {
		return ""
	}
	return " --" + string(mode)
}

// maxTailLines is how many lines of a verify that failed are shown.
const maxTailLines = 10

// lastLines returns the last lines of a text, fit for a terminal.
func lastLines(text string, most int) []string {
	lines := paragraphs(text)
	return lines[max(0, len(lines)-most):]
}
