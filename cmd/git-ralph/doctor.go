package main

import (
	"context"
	"errors"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// doctorCmd looks whether everything that loops need is here.
type doctorCmd struct {
	answer
	Probe bool `help:"Let each agent answer one prompt. It costs a little money."`
}

// Run shows what was found. Its error is the exit status: something is wrong.
func (c *doctorCmd) Run(ctx context.Context, a *app) error {
	repo, unusable := a.repo(ctx)
	_, foreign := errors.AsType[*gitstate.OwnerError](unusable)
	if unusable != nil && !foreign && !errors.Is(unusable, gitstate.ErrNotRepository) && !errors.Is(unusable, gitstate.ErrBare) && !errors.Is(unusable, gitstate.ErrSHA256) {
		return unusable
	}
	r, err := a.runner(repo, nil)
	if err != nil {
		return err
	}
	if !a.json && c.Probe {
		a.say("asking each agent for one answer ...")
	}
	w := a.begin("looking at git, agents and hooks")
	described, unread := a.describedAgents(repo)
	checks := runner.Checkup{
		Described: described, Repo: repo, Unusable: unusable, Dir: a.dir, Env: a.env, Supervisor: r.Supervisor, Program: r.Supervisor.Argv[0], Now: a.now, Probe: c.Probe,
	}.Run(ctx)
	checks = append(checks, a.hookChecks(ctx, repo)...)
	checks = append(checks, unread...)
	w.end()
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	if a.json {
		err = a.printJSON(doctorOf(checks))
	} else {
		err = a.printChecks(checks)
	}
	if err == nil && wrongs(checks) > 0 {
		err = &problem{status: 1}
	}
	return err
}

// describedAgents are the agents of the configuration files, by name; a file that cannot be used is a check of its own.
func (a *app) describedAgents(repo *gitstate.Repository) ([]runner.DescribedAgent, []runner.Check) {
	chosen, err := a.choose(repo, &loopFlags{})
	if err != nil {
		p := a.explain(err)
		return nil, []runner.Check{{Name: "configuration", State: runner.CheckWrong, Text: p.text, Hints: p.hints}}
	}
	from := chosen.from["agents"]
	var described []runner.DescribedAgent
	for _, name := range chosen.describedNames() {
		described = append(described, runner.DescribedAgent{Custom: chosen.described[name], Source: from.name, Mine: from.origin == fromUserFile})
	}
	return described, nil
}

// wrongs counts what is to be mended.
func wrongs(checks []runner.Check) int {
	n := 0
	for _, c := range checks {
		if c.State == runner.CheckWrong {
			n++
		}
	}
	return n
}

// printChecks writes a line for each check, and what to type below it.
func (a *app) printChecks(checks []runner.Check) error {
	rows := make([][]string, len(checks))
	for i, c := range checks {
		rows[i] = []string{string(c.State), c.Name, flat(c.Text)}
	}
	l := lookOf(a.outTerm)
	for i, line := range columns(rows) {
		if checks[i].State == runner.CheckWrong {
			line = l.loud(line)
		}
		if err := a.print("%s", strings.TrimRight(line, " ")); err != nil {
			return err
		}
		for _, hint := range checks[i].Hints {
			if err := a.print("       hint: %s", oneLine(hint)); err != nil {
				return err
			}
		}
	}
	switch n := wrongs(checks); n {
	case 0:
		return a.print("nothing is wrong")
	default:
		return a.print("%s to mend", counted(n, "thing"))
	}
}

// doctorJSON is the answer of doctor.
type doctorJSON struct {
	Schema int         `json:"schema"`
	OK     bool        `json:"ok"` // nothing is wrong
	Checks []checkJSON `json:"checks"`
}

// checkJSON is one thing that was looked at.
type checkJSON struct {
	Name    string   `json:"name"`
	State   string   `json:"state"` // ok, note or wrong
	Text    string   `json:"text"`
	Version *string  `json:"version"` // of the program; null: not known, or none
	Path    *string  `json:"path"`    // of the program; null: none
	Hints   []string `json:"hints"`
}

func doctorOf(checks []runner.Check) doctorJSON {
	answer := doctorJSON{Schema: jsonSchema, OK: wrongs(checks) == 0, Checks: []checkJSON{}}
	for _, c := range checks {
		answer.Checks = append(answer.Checks, checkJSON{
			Name: c.Name, State: string(c.State), Text: flat(c.Text), Version: some(c.Version), Path: some(c.Path), Hints: notNil(c.Hints),
		})
	}
	return answer
}
