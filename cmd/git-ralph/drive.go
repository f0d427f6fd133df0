package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// runner makes a runner for the repository. Control is set when the loop is to be run here.
func (a *app) runner(repo *gitstate.Repository, control *runner.Control) (*runner.Runner, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, fmt.Errorf("find this program: %w", err)
	}
	r := &runner.Runner{Repo: repo, Supervisor: proc.Supervisor{Argv: []string{program}}, Env: a.env, Now: a.now, Control: control}
	if control == nil {
		r.Emit = a.sayTold
	}
	return r, nil
}

// sayTold says what a command that runs no loop has to say beside its answer, and on a terminal what takes its time.
func (a *app) sayTold(e runner.Event) {
	if e.Type == runner.Told || e.Type == runner.Busy && a.showsWork() {
		a.say("%s", oneLine(e.Text))
	}
}

// drive is a loop to be run in this process.
type drive struct {
	repo  *gitstate.Repository
	yes   bool           // the user says yes to everything
	typed []runner.Claim // what the user has typed: that is a yes
	run   func(context.Context, *runner.Runner) (runner.Outcome, error)
}

// drive runs a loop in this process: it shows what happens, hands signals on and says what the loop came to. The
// context of the loop is not cancelled by signals: the control says what they mean.
func (a *app) drive(d drive) error {
	control := runner.NewControl()
	r, err := a.runner(d.repo, control)
	if err != nil {
		return err
	}
	p := newProgress(a)
	p.before = a.begin("starting")
	presses := &presses{now: a.now}
	screen, leave := context.WithCancel(context.Background())
	defer leave()
	obey := func(s os.Signal) {
		if presses.obey(s, control, p.say); s != os.Interrupt {
			leave()
		}
	}
	stopSignals := a.interrupts.to(obey)
	defer stopSignals()
	r.Emit = p.event
	r.Approve = func(claims []runner.Claim) error { return a.approve(unsaid(claims, d.typed), d.yes) }
	a.shown = p
	if a.onScreen {
		d.run = overlay{a: a, p: p, obey: obey, screen: screen, leave: leave}.over(d.run)
	}
	outcome, err := d.run(context.Background(), r)
	a.shown = nil
	p.close()
	if err != nil {
		return a.withWayOn(err, outcome)
	}
	return a.conclude(outcome)
}

// withWayOn adds how to go on to an error that stopped a loop, unless the error says it itself: what the agent did lies
// in the work tree and is committed then.
func (a *app) withWayOn(err error, o runner.Outcome) error {
	p, resume := a.explain(err), "git ralph resume "+shellWord(o.Loop)
	said := slices.ContainsFunc(p.hints, func(hint string) bool { return strings.Contains(hint, resume) })
	if p.status != 1 || said || o.Loop == "" || o.Totals.Exit != "" {
		return err
	}
	p.hints = append(p.hints, "when that is mended, go on, nothing is lost: "+resume)
	return p
}
