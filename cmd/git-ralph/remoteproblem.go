package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// explainRemote puts an error of a remote into the problem; false: it is none.
func (a *app) explainRemote(p *problem, err error) bool {
	if e, ok := errors.AsType[*runner.GaveWayError](err); ok {
		p.status = 5
		if e.Kept != "" {
			p.hints = append(p.hints, "see what is kept: git log "+shellWord(e.Kept.String()))
		}
		p.hints = append(p.hints, "go on from what remote "+e.Remote+" has: git ralph resume "+shellWord(e.Loop))
		return true
	}
	if e, ok := errors.AsType[*runner.ManyLoopsError](err); ok {
		p.status = 4
		for _, l := range e.Loops[:min(len(e.Loops), 5)] {
			p.hints = append(p.hints, "git ralph "+a.command+" "+shellWord(l.State.Loop.Name))
		}
		return true
	}
	if e, ok := errors.AsType[*gitstate.LeaseError](err); ok {
		a.explainLease(p, e)
		return true
	}
	if e, ok := errors.AsType[*gitstate.DivergedError](err); ok {
		p.hints = []string{"see what it has: git ralph fetch " + shellWord(e.Remote), "go on from there: git ralph resume " + shellWord(a.chosen)}
		return true
	}
	if e, ok := errors.AsType[*runner.NamesakeError](err); ok {
		p.hints = []string{fmt.Sprintf("go on under another name: git ralph fork %d --loop %s --name OTHER", e.Last, shellWord(e.Loop))}
		return true
	}
	if e, ok := errors.AsType[*gitstate.NoRemoteError](err); ok {
		p.status, p.hints = 129, remoteHints(a.command, e.Names)
		return true
	}
	if e, ok := errors.AsType[*gitstate.HookError](err); ok {
		explainHook(p, e)
		return true
	}
	if e, ok := errors.AsType[*gitstate.RemoteError](err); ok {
		p.hints = []string{"see what git says: git ls-remote " + shellWord(e.Remote)}
		return true
	}
	return false
}

// explainHook shows what a pre-push hook has said. Hints of ours are hints here, too, but for those of git push.
func explainHook(p *problem, e *gitstate.HookError) {
	p.text = "the pre-push hook stops the push to " + e.Remote
	for _, line := range e.Said {
		hint, isHint := strings.CutPrefix(line, "hint: ")
		switch {
		case isHint && !strings.Contains(hint, "git push --no-verify"):
			p.hints = append(p.hints, hint)
		case !isHint && line != "git-ralph: "+pushRefused:
			p.list = append(p.list, strings.TrimPrefix(line, "  "))
		}
	}
}

// remoteHints say how to name a remote.
func remoteHints(command string, names []string) []string {
	if len(names) == 0 {
		return []string{"add one: git remote add origin URL"}
	}
	flag := " "
	if command != "push" && command != "fetch" && command != "init" {
		flag = " --remote "
	}
	var hints []string
	for _, name := range names[:min(len(names), 3)] {
		hints = append(hints, "git ralph "+command+flag+shellWord(name))
	}
	return hints
}

// explainLease says who continues a loop.
func (a *app) explainLease(p *problem, e *gitstate.LeaseError) {
	p.status = 5
	loop := shellWord(e.Lease.Loop)
	if e.Lease.Released {
		p.hints = []string{"go on from what remote " + e.Remote + " has: git ralph resume " + loop}
		return
	}
	p.text += fmt.Sprintf(" (seen %s on remote %s)", ago(e.Lease.Heartbeat, a.now()), e.Remote)
	p.hints = []string{"see how far it is: git ralph fetch " + shellWord(e.Remote), "take it over all the same: git ralph resume " + loop + " --take-over"}
}
