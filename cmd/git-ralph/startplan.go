package main

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/scud"
)

// planIterations is how many iterations the tasks of a plan may take together where nothing is said.
const planIterations = 100

// settleStreaks lets a task have all its attempts where nobody says how many iterations in a row may fail, or change nothing.
func (c *choices) settleStreaks() {
	if c.from["max_failures"].origin == fromDefault {
		c.MaxFailures = max(c.MaxFailures, c.MaxAttempts)
	}
	if c.from["no_progress"].origin == fromDefault {
		c.NoProgress = max(c.NoProgress, c.MaxAttempts)
	}
}

// raiseStreaks does so for a loop that goes on with more attempts, where its limits are still those that settleStreaks chose.
func (c *choices) raiseStreaks(recorded runner.Config) {
	if recorded.ScudTag == "" || c.from["max_attempts"].origin != fromFlag {
		return
	}
	chosen := runner.DefaultConfig()
	if c.from["max_failures"].origin != fromFlag && recorded.MaxFailures == max(chosen.MaxFailures, recorded.MaxAttempts) {
		c.MaxFailures = max(c.MaxFailures, c.MaxAttempts)
	}
	if c.from["no_progress"].origin != fromFlag && recorded.NoProgress == max(chosen.NoProgress, recorded.MaxAttempts) {
		c.NoProgress = max(c.NoProgress, c.MaxAttempts)
	}
}

// settlePlan fills in what a loop over a plan has other defaults for, and returns the files that it reads. Where there is a plan, and nothing else that says
// what to do, the plan is what is meant. It is looked for from a folder upwards.
func (a *app) settlePlan(ctx context.Context, repo *gitstate.Repository, chosen *choices, from string, prompted bool) (own []string, err error) {
	root, err := runner.FindPlan(repo, from)
	if err != nil && !errors.Is(err, scud.ErrNoFolder) {
		return nil, err
	}
	if chosen.ScudTag == "" && chosen.Plan == "" {
		if prompted || err != nil {
			return nil, withoutPlan(chosen)
		}
		tag, active, err := a.meantTag(ctx, repo, from)
		if err != nil {
			return nil, err
		}
		why := "the only one"
		if active {
			why = "the active one"
		}
		chosen.ScudTag = tag
		if place := runner.PlanRoot(repo, root); place != "." {
			why += " in " + flat(place)
		}
		a.sayChoice("plan: tag %s (%s; choose with --scud-tag, or give a prompt)", flat(tag), why)
	}
	if err == nil {
		chosen.PlanRoot = runner.PlanRoot(repo, root)
	}
	if chosen.from["max_iterations"].origin == fromDefault {
		chosen.MaxIterations = planIterations
	}
	chosen.settleStreaks()
	if err := a.settleVerify(repo, chosen, from); err != nil {
		return nil, err
	}
	for _, folder := range scud.Folders() {
		if chosen.PlanRoot != "" {
			own = append(own, path.Join(chosen.PlanRoot, folder)+"/")
		}
	}
	return own, nil
}

// settleVerify finds what decides about the tasks of a plan where nobody says it: SCUD's own configuration, which came with the repository and needs a
// yes, else the project's files.
func (a *app) settleVerify(repo *gitstate.Repository, chosen *choices, planFrom string) error {
	if len(chosen.Verify) > 0 {
		return nil
	}
	dir := filepath.Join(repo.TopLevel, filepath.FromSlash(chosen.Dir))
	theirs, err := runner.PlanVerify(repo, planFrom)
	if err != nil {
		return err
	}
	from := runner.PlanVerifyFile
	if len(theirs.Commands) > 0 {
		chosen.Verify, chosen.from["verify"] = theirs.Commands, source{origin: fromRepository, name: from}
		if chosen.from["verify_timeout"].origin == fromDefault {
			chosen.VerifyTimeout = runner.Duration(theirs.Timeout)
		}
	} else if command, file := runner.ProjectCheck(dir); command != "" {
		chosen.Verify, from = []string{command}, "there is a "+file
	}
	unknown, err := runner.Untrusted(repo, runner.Config{Verify: theirs.Commands}.Claims(from))
	if len(chosen.Verify) > 0 && (len(unknown) == 0 || chosen.yes) { // else it is shown with the question
		a.sayChoice("verify: %s (%s; choose with --verify)", flat(strings.Join(chosen.Verify, ", then ")), from)
	}
	return err
}

// withoutPlan finds what was typed and would mean nothing.
func withoutPlan(chosen *choices) error {
	for _, key := range []string{"max_attempts", "on_blocked", "skip_broken", "spec_template", "include_task", "include_plan_section"} {
		if chosen.from[key].origin == fromFlag {
			return usage("--scud-tag TAG", "%s is about the tasks of a plan, and none is given", chosen.from[key].name)
		}
	}
	return nil
}

// meantTag is the tag that is meant where none is named, and whether SCUD works on it.
func (a *app) meantTag(ctx context.Context, repo *gitstate.Repository, dir string) (name string, active bool, err error) {
	all, err := runner.ReadPlan(ctx, repo, dir)
	if err != nil {
		return "", false, err
	}
	tag, err := runner.ChooseTag(all, "")
	if err != nil {
		return "", false, err
	}
	return tag.Name, tag.Name == all.Active, nil
}

// sayChoice says what was chosen for the user, unless only the answer is wanted.
func (a *app) sayChoice(format string, args ...any) {
	if !a.quiet && !a.json {
		a.say(format, args...)
	}
}
