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
	config, err := decodeConfig(state.Config)
	if err != nil {
		return Outcome{}, err
	}
	config.Env = nil // nothing is run
	l, err := r.newLoop(ctx, r.Repo, config, nil)
	if err != nil {
		return Outcome{}, err
	}
	defer l.release()
	l.state, l.stands = state, stands
	if over := state.Totals.Exit != "" || state.Totals.Paused; over && event.Event != gitstate.EventTell && event.Event != gitstate.EventRetry && !(state.Totals.Paused && event.Exit != "") {
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
