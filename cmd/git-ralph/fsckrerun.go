package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// rerunJSON is what came of running verify again.
type rerunJSON struct {
	Reproduced bool     `json:"reproduced"`
	Iteration  int      `json:"iteration"` // whose claim was looked at
	Commit     string   `json:"commit"`
	Recorded   bool     `json:"recorded"` // it says that verify passed
	Passed     bool     `json:"passed"`   // now
	Command    string   `json:"command"`  // that failed, or the last one
	ExitCode   int      `json:"exit_code"`
	Output     string   `json:"output"`     // its end
	NotInGit   []string `json:"not_in_git"` // what the scratch work tree lacks
	Changed    bool     `json:"changed"`    // the loop's last tree is another one: verify has not run on it
}

// rerun runs the recorded verify again.
func (c *fsckCmd) rerun(ctx context.Context, a *app, l gitstate.Loop) (*runner.Rerun, error) {
	values, err := a.namedValues(c.Env)
	if err != nil {
		return nil, err
	}
	r, err := a.runner(a.opened, nil)
	if err != nil {
		return nil, err
	}
	r.Approve = func(claims []runner.Claim) error { return a.approve(claims, c.Yes) }
	done, err := during(a, "running verify again", func() (runner.Rerun, error) { return r.Rerun(ctx, l.Name, values) })
	return &done, err
}

func rerunOf(r runner.Rerun) *rerunJSON {
	return &rerunJSON{
		Reproduced: r.Reproduced(), Iteration: r.Iteration, Commit: r.Commit.String(), Recorded: r.Recorded, Passed: r.Passed, Command: r.Command,
		ExitCode: r.ExitCode, Output: r.Tail, NotInGit: pathsJSON(r.NotHere), Changed: r.Unchecked,
	}
}

// sayRerun says whether verify agreed with what was recorded, and if not what may be missing.
func (a *app) sayRerun(r runner.Rerun) error {
	recorded := map[bool]string{true: "passed", false: "failed"}
	if r.Unchecked {
		a.say("the tree has changed since iteration %d, the last one that was verified", r.Iteration)
	}
	if r.Reproduced() {
		return a.print("%s: reproduced: verify of iteration %d %s again", r.Loop, r.Iteration, recorded[r.Passed])
	}
	now := "it passed"
	if !r.Passed {
		now = fmt.Sprintf("it failed (exit %d): %s", r.ExitCode, flat(r.Command))
	}
	if err := a.print("%s: not reproduced here: verify of iteration %d %s then, now %s", r.Loop, r.Iteration, recorded[r.Recorded], now); err != nil {
		return err
	}
	for _, line := range paragraphs(r.Tail) {
		if err := a.print("  %s", line); err != nil {
			return err
		}
	}
	if len(r.NotHere) > 0 {
		a.say("not in git, so it was not there: %s", strings.Join(firstPaths(r.NotHere), ", "))
	}
	return nil
}
