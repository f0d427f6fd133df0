package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Rerun is what came of running a recorded verify again.
type Rerun struct {
	Loop      string
	Iteration int           // whose claim was looked at: the last one with a verify
	Commit    plumbing.Hash // of it
	Recorded  bool          // it says that verify passed
	Passed    bool          // now
	Command   string        // the verify command that failed now, or the last one
	ExitCode  int           // of it
	Tail      string        // the end of what it printed
	NotHere   []string      // what the scratch work tree lacks: ignored files of this work tree, submodules
	Told      []string      // lines for the user
	Unchecked bool          // the tree is another one by now, on which verify did not run
}

// Reproduced reports whether verify said again what it had said.
func (r Rerun) Reproduced() bool { return r.Recorded == r.Passed }

// Rerun runs the recorded verify commands again on the tree that they ran on last, in a scratch worktree that has nothing but what is in git, under the
// supervisor. values are of variables that verify needs.
//
// The error is an *[UntrustedError] for commands from elsewhere, a *[gitstate.HeldError] while the loop runs, a *[StateError] when nothing was verified yet.
// The scratch worktree is gone afterwards; what a kill left of it the next rerun removes.
func (r *Runner) Rerun(ctx context.Context, loop string, values map[string]string) (done Rerun, err error) {
	done.Loop = loop
	l, err := r.atRest(ctx, loop)
	if err != nil {
		return done, err
	}
	defer l.release()
	defer func() { done.Told = l.lines }()
	record, err := l.lastVerified(ctx)
	if err != nil {
		return done, err
	}
	if err := l.lock(loop); err != nil {
		return done, err
	}
	if err := l.withEnv(ctx, values); err != nil {
		return done, err
	}
	defer context.AfterFunc(ctx, l.control.Interrupt)()
	if err := l.approve(verifyClaims(l.claims())); err != nil {
		return done, err
	}
	done.Iteration, done.Commit, done.Recorded = record.Iteration, record.Commit, record.Verify.Passed
	done.Unchecked = record.Tree != l.state.Last.Tree
	if done.NotHere, err = l.repo.NotInGit(ctx, record.Commit); err != nil {
		return done, err
	}
	scratch, err := l.repo.Scratch(ctx, loop, record.Commit)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, scratch.Close()) }()
	home := l.repo
	l.repo = scratch.Repository
	l.busy("verifying: " + strings.Join(l.config.Verify, "; "))
	v, stopped, err := l.verify(record.Iteration, "rerun")
	l.repo = home
	if err != nil || stopped {
		return done, errors.Join(err, context.Cause(ctx))
	}
	done.Passed, done.Command, done.ExitCode, done.Tail = v.passed, v.command, v.code, l.redact.text(v.tail)
	return done, nil
}

// lastVerified finds the last iteration that says what verify came to.
func (l *loopAtRest) lastVerified(ctx context.Context) (gitstate.Record, error) {
	for record, err := range l.repo.Records(ctx, l.state.Loop) {
		if err != nil {
			return record, err
		}
		if record.Verify != nil {
			return record, nil
		}
	}
	return gitstate.Record{}, &StateError{Fact: fmt.Sprintf("nothing was verified yet in loop %q", l.state.Loop.Name), Hints: []string{"see its configuration: git ralph show 0 --loop " + l.state.Loop.Name}}
}

// verifyClaims are the claims that running verify is about.
func verifyClaims(claims []Claim) []Claim {
	var found []Claim
	for _, claim := range claims {
		if claim.Kind == "verify" {
			found = append(found, claim)
		}
	}
	return found
}
