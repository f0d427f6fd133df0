package main

import (
	"context"
	"fmt"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// fsckCmd looks whether a loop is whole.
type fsckCmd struct {
	answer
	Loop   string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	Repair bool   `help:"Write notes again that are missing or wrong; commits stay as they are."`

	Rerun bool     `help:"Run the recorded verify again, in a scratch work tree with nothing but what is in git."`
	Env   []string `sep:"none" placeholder:"NAME=VALUE" help:"A variable that verify needs."`
	Yes   bool     `help:"Say yes to verify commands of a loop from elsewhere."`
}

// fsckJSON is the answer of fsck.
type fsckJSON struct {
	Schema     int           `json:"schema"`
	Loop       string        `json:"loop"`
	Whole      bool          `json:"whole"`
	Commits    int           `json:"commits"`    // of the loop that were looked at
	Iterations int           `json:"iterations"` // among them
	Notes      int           `json:"notes"`      // commits that have one
	Repaired   int           `json:"repaired"`   // notes that were written again
	Findings   []findingJSON `json:"findings"`
	Rerun      *rerunJSON    `json:"rerun"` // null: it was not asked for
}

// findingJSON is one thing that is wrong.
type findingJSON struct {
	Kind      string `json:"kind"`
	Commit    string `json:"commit"`
	Iteration int    `json:"iteration"`
	Part      string `json:"part"` // a trailer's key, a note's key with dots, a ref
	Text      string `json:"text"`
	Mendable  bool   `json:"mendable"` // --repair mends it
}

// Run checks the loop, repairs it if that was asked for, and then checks again.
func (c *fsckCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	look := func() (gitstate.Inspection, error) { return a.opened.Fsck(ctx, l) }
	found, err := during(a, "looking at every commit of the loop", look)
	if err != nil {
		return err
	}
	repaired := 0
	if c.Repair {
		if repaired, err = during(a, "writing notes", func() (int, error) { return a.opened.RepairNotes(ctx, found) }); err != nil {
			return err
		}
		if repaired > 0 {
			if found, err = during(a, "looking again", look); err != nil {
				return err
			}
		}
	}
	var rerun *runner.Rerun
	if c.Rerun {
		if rerun, err = c.rerun(ctx, a, l); err != nil {
			return err
		}
	}
	return a.answerFsck(found, repaired, rerun)
}

// answerFsck shows what was found. Findings are an exit status of 1.
func (a *app) answerFsck(found gitstate.Inspection, repaired int, rerun *runner.Rerun) error {
	var unsound error
	if len(found.Findings) > 0 || rerun != nil && !rerun.Reproduced() {
		unsound = &problem{status: 1} // the answer says it all
	}
	var err error
	if a.json {
		err = a.printJSON(fsckOf(found, repaired, rerun))
	} else {
		err = a.sayFsck(found, repaired)
		if err == nil && rerun != nil {
			err = a.sayRerun(*rerun)
		}
	}
	if err != nil {
		return err
	}
	return unsound
}

// fsckOf is the answer for a program.
func fsckOf(found gitstate.Inspection, repaired int, rerun *runner.Rerun) fsckJSON {
	answer := fsckJSON{
		Schema: jsonSchema, Loop: found.Loop.Name, Whole: len(found.Findings) == 0, Commits: found.Commits, Iterations: found.Iterations, Notes: found.Notes,
		Repaired: repaired, Findings: []findingJSON{},
	}
	for _, f := range found.Findings {
		answer.Findings = append(answer.Findings, findingJSON{string(f.Kind), f.Commit.String(), f.Iteration, f.Part, f.Text, f.Mendable()})
	}
	if rerun != nil {
		answer.Rerun = rerunOf(*rerun)
	}
	return answer
}

// sayFsck shows what was found for a person.
func (a *app) sayFsck(found gitstate.Inspection, repaired int) error {
	if repaired > 0 {
		a.say("%s written again from the trailers", counted(repaired, "note"))
	}
	if len(found.Findings) == 0 {
		return a.print("%s: whole: %s, %s, %s", found.Loop.Name, counted(found.Iterations, "iteration"), counted(found.Commits, "commit"), counted(found.Notes, "note"))
	}
	if err := a.print("%s: not whole: %s in %s", found.Loop.Name, counted(len(found.Findings), "finding"), counted(found.Commits, "commit")); err != nil {
		return err
	}
	for _, line := range columns(findingRows(found.Findings)) {
		if err := a.print("  %s", lookOf(a.outTerm).cut(line)); err != nil {
			return err
		}
	}
	for _, h := range fsckHints(found) {
		a.say("hint: %s", h)
	}
	return nil
}

// findingRows shows one finding a row.
func findingRows(findings []gitstate.Finding) [][]string {
	rows := make([][]string, len(findings))
	for n, f := range findings {
		rows[n] = []string{fmt.Sprintf("iteration %d", f.Iteration), shortHash(f.Commit.String()), flat(f.Text)}
	}
	return rows
}

// fsckHints say what can be done about findings.
func fsckHints(found gitstate.Inspection) []string {
	name := shellWord(found.Loop.Name)
	var mendable, lost bool
	for _, f := range found.Findings {
		mendable = mendable || f.Mendable()
		lost = lost || !f.Mendable()
	}
	var hints []string
	if mendable {
		hints = append(hints, "write the notes again from the trailers: git ralph fsck "+name+" --repair")
	}
	if lost {
		hints = append(hints, "see what the commits say: git log --first-parent "+shellWord(found.Loop.TipRef().String()))
	}
	return hints
}
