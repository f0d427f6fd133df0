package runner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Cancel ends a loop that is not running: what lies in the work tree is committed, and the end is recorded. A loop that
// is over is not touched (Already).
func (r *Runner) Cancel(ctx context.Context, loop string) (Outcome, error) {
	return r.stopped(ctx, loop, gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventCancel, Exit: gitstate.UserCancelled})
}

// Pause marks a loop that is not running as paused: what lies in the work tree is committed first. A loop that is over is not touched (Already).
func (r *Runner) Pause(ctx context.Context, loop string) (Outcome, error) {
	return r.stopped(ctx, loop, gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventPause})
}

// Tell leaves guidance for the loop's next iteration, which gets it once. For a running loop it waits in a ref until the iteration's commit
// records it; for one that is not running it is an event commit, so that it reaches other clones.
func (r *Runner) Tell(ctx context.Context, loop, text string) error {
	if err := validPrompt(text); err != nil {
		return &InvalidError{Fact: strings.Replace(err.Error(), "the prompt", "the guidance", 1), Hints: []string{`git ralph tell "use the new parser"`}}
	}
	if err := holdsSecret(secretValues(r.Env), "the guidance", text); err != nil {
		return err
	}
	held, err := r.Repo.Running(loop)
	if err != nil {
		return err
	}
	if held != nil {
		return r.Repo.Tell(ctx, loop, text)
	}
	_, err = r.stopped(ctx, loop, gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventTell, Body: text})
	return err
}

// stopped writes an event to a loop that is not running.
func (r *Runner) stopped(ctx context.Context, name string, event gitstate.Record) (Outcome, error) {
	caught, err := r.CatchUp(ctx, CatchUpRequest{Loop: name})
	if err != nil {
		return Outcome{}, err
	}
	q := ResumeRequest{Loop: name, On: caught}
	state, stands, err := r.latest(ctx, q)
	if err != nil {
		return Outcome{}, err
	}
	l, err := r.inert(ctx, state)
	if err != nil {
		return Outcome{}, err
	}
	defer l.release()
	l.stands = stands
	if stopsAlready(state.Totals, event) {
		o := l.outcome()
		o.Already = true
		return o, nil
	}
	if err := checkIdentity(ctx, r.Repo); err != nil {
		return Outcome{}, err
	}
	for _, line := range caught.Told {
		l.tell("%s", line)
	}
	if caught.Remote != "" {
		if err := l.share(ctx, caught.Remote); err != nil {
			return Outcome{}, err
		}
	}
	if err := l.takeUp(ctx, q); err != nil {
		return Outcome{}, err
	}
	o, err := l.writeStopped(ctx, event)
	if err != nil || l.sharing == nil {
		return o, err
	}
	return o, l.sharing.pushLast(ctx, l.state.Loop.Tip)
}

// stopsAlready reports whether a loop is over, or waits, so that an event which is to stop it changes nothing. One that is paused can still be cancelled.
func stopsAlready(t gitstate.Totals, event gitstate.Record) bool {
	switch event.Event {
	case gitstate.EventCancel:
		return t.Exit != "" && !t.Paused
	case gitstate.EventPause:
		return t.Exit != "" || t.Paused
	}
	return false // guidance, or another try of a task, waits for a resume
}

// writeStopped commits what a crash left where the loop's branch is checked out, then the event.
func (l *loop) writeStopped(ctx context.Context, event gitstate.Record) (Outcome, error) {
	home, err := l.repo.HeadBranch(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if home == l.state.Loop.Branch && crashed(l.state) {
		if exit, err := l.recover(ctx, false); err != nil || exit != "" {
			return l.outcome(), err
		}
	} else if err := errors.Join(l.cleanUp(ctx), l.onLine(ctx), l.correctIgnored(ctx)); err != nil {
		return Outcome{}, err
	}
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil {
		return Outcome{}, err
	}
	if event.Tree, err = l.repo.TreeID(branch); err != nil {
		return Outcome{}, err
	}
	l.state, err = l.repo.Append(ctx, gitstate.AppendRequest{
		State: l.state, Branch: branch, Reflog: fmt.Sprintf("ralph: %s %s", event.Event, l.state.Loop.Name), Entries: []gitstate.Entry{{Record: event, Onto: branch}},
	})
	return l.outcome(), err
}
