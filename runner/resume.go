package runner

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Resume goes on with a loop that is not running, with the recorded configuration. What a crash left is met first: processes are ended, our own
// locks removed, uncommitted work is committed as an interrupted iteration. A loop that is done is not touched (Already).
func (r *Runner) Resume(ctx context.Context, q ResumeRequest) (Outcome, error) {
	for {
		o, moved, err := r.resume(ctx, q)
		if err != nil || !moved {
			return o, err
		}
		if q.On, err = r.CatchUp(ctx, CatchUpRequest{Loop: q.Loop, Remote: q.On.Remote}); err != nil {
			return Outcome{}, err
		}
	}
}

// resume goes on with a loop, unless that has moved on by the time that it is ours: while a question stood another clone, or another process here, went on
// with it. What is to be run, and whether at all, is judged anew then.
func (r *Runner) resume(ctx context.Context, q ResumeRequest) (o Outcome, moved bool, err error) {
	l, err := r.reopen(ctx, q)
	if err != nil {
		return Outcome{}, false, err
	}
	defer l.release()
	if l.stands != gitstate.StandsDiverged {
		if l.state.Totals.Exit.Done() {
			o, err := l.alreadyDone(ctx, q)
			return o, false, err
		}
		if q.On.Held != nil && !q.TakeOver {
			return Outcome{}, false, q.On.Held // nobody is asked for a yes that is good for nothing
		}
		if err := r.approve(l.claims()); err != nil {
			return Outcome{}, false, err
		}
	}
	read := l.state.Loop.Tip
	if err := l.takeUp(ctx, q); err != nil {
		return Outcome{}, false, err
	}
	if l.state.Loop.Tip != read {
		l.tell("the loop went on meanwhile: it has come to iteration %d", l.state.Totals.Iteration)
		l.giveUp(ctx)
		return Outcome{}, true, nil
	}
	o, err = l.goOn(ctx, q)
	return o, false, err
}

// goOn meets what a crash left, and runs the loop, which is ours.
func (l *loop) goOn(ctx context.Context, q ResumeRequest) (Outcome, error) {
	exit, err := l.recover(ctx, q.DirtyInclude)
	if err == nil && exit == "" {
		err = l.checkSources(l.oldHandoff)
	}
	still := false
	if err == nil && exit == "" {
		still, err = l.stillBlocked(ctx)
	}
	if err == nil && exit == "" && !still {
		err = l.resumed(ctx)
	}
	switch {
	case err != nil:
		l.giveUp(ctx)
		return l.outcome(), err
	case still:
		l.giveUp(ctx)
		l.emit(Event{Type: LoopEnded, Totals: &l.state.Totals, Exit: gitstate.TasksBlocked, Left: l.leftTasks(ctx)})
		return l.outcome(), nil
	case exit != "":
		return l.ended(ctx), l.endSharing(ctx, true)
	}
	return l.run(ctx)
}

// reopen finds the loop and applies the changes to its configuration. Nothing is changed yet.
func (r *Runner) reopen(ctx context.Context, q ResumeRequest) (*loop, error) {
	state, stands, err := r.latest(ctx, q)
	if err != nil {
		return nil, err
	}
	if held, err := r.Repo.Running(q.Loop); err != nil || held != nil {
		if held != nil {
			return nil, held
		}
		return nil, err
	}
	config, err := decodeConfig(state.Config)
	if err != nil {
		return nil, err
	}
	recorded := config.Handoff
	if q.Change != nil {
		q.Change(&config)
	}
	if state.Totals.Exit.Done() && stands != gitstate.StandsDiverged {
		return &loop{Runner: r, repo: r.Repo, config: config, state: state, stands: stands, redact: newRedactor(nil)}, nil
	}
	l, err := r.checked(ctx, config, state, stands, q.EnvValues)
	if err != nil {
		return nil, err
	}
	l.state, l.stands, l.oldHandoff = state, stands, recorded
	if stands != gitstate.StandsDiverged {
		if err := l.planIsHere(ctx); err != nil {
			l.release()
			return nil, err
		}
	}
	if q.On.Alone {
		return l, nil
	}
	return l, l.shareWhere(ctx, q.On.Remote)
}

// latest reads the loop: as it is here, or on the remote that it is shared on where that goes on from it.
func (r *Runner) latest(ctx context.Context, q ResumeRequest) (gitstate.State, gitstate.Standing, error) {
	found, err := r.Repo.FindLoop(ctx, q.Loop)
	if err != nil {
		return gitstate.State{}, "", err
	}
	state, err := r.Repo.State(ctx, found)
	if err != nil || q.On.Remote == "" {
		return state, gitstate.StandsAhead, err
	}
	remote, err := r.Repo.Remote(ctx, q.On.Remote, state.Loop.Branch)
	if err != nil {
		return state, "", err
	}
	newest, stands, err := r.newest(ctx, r.Repo, state.Loop, remote)
	if err == nil && q.On.Back {
		newest, stands = q.On.Loop, gitstate.StandsBehind
	}
	if err != nil || newest.Tip == state.Loop.Tip {
		return state, stands, err
	}
	state, err = r.Repo.State(ctx, newest)
	return state, stands, err
}

// checked puts a loop together that can go on.
func (r *Runner) checked(ctx context.Context, c Config, state gitstate.State, stands gitstate.Standing, values map[string]string) (*loop, error) {
	if stands == gitstate.StandsDiverged { // it will not
		c.Env = nil
		return r.newLoop(ctx, r.Repo, c, nil)
	}
	if err := c.validate(); err != nil {
		return nil, err
	}
	if err := over(state, c); err != nil {
		return nil, err
	}
	if err := r.checkCanCommit(ctx, state); err != nil {
		return nil, err
	}
	l, err := r.newLoop(ctx, r.Repo, c, values)
	if err != nil {
		return nil, err
	}
	if err := l.checkAgent(); err != nil {
		return nil, err
	}
	return l, checkSecrets(c, state.Prompt, l.secrets)
}

// shareWhere prepares to share the loop on the remote of that name; for an empty one only if it is to be pushed.
func (l *loop) shareWhere(ctx context.Context, name string) error {
	if name == "" {
		if !l.config.Push {
			return nil
		}
		remote, err := l.remoteOf(ctx, l.state.Loop.Branch, "", l.config.Remote)
		if none, ok := errors.AsType[*gitstate.NoRemoteError](err); ok {
			l.tell("%v: the loop is not pushed", none)
			return nil
		}
		if err != nil {
			return err
		}
		name = remote.Name
	}
	return l.share(ctx, name)
}

// checkCanCommit makes sure that git can commit here. A merge that a crashed agent left open is met later.
func (r *Runner) checkCanCommit(ctx context.Context, state gitstate.State) error {
	if err := checkIdentity(ctx, r.Repo); err != nil || crashed(state) {
		return err
	}
	return checkOperation(ctx, r.Repo)
}

// over says that a loop which ended at a limit cannot go on with the same limit.
func over(state gitstate.State, c Config) error {
	exit := state.Totals.Exit
	if exit != gitstate.MaxIterations && exit != gitstate.LimitReached {
		return nil
	}
	reached := ReachedLimits(c, state.Totals)
	if reached == nil {
		return nil
	}
	hint := "raise the limit: git ralph resume " + state.Loop.Name
	for _, limit := range reached {
		hint += " " + limit.Raise
	}
	return &OverError{Loop: state.Loop.Name, Exit: exit, Hints: []string{hint}}
}

// crashed reports whether the loop stopped without an end or a pause: what lies in its work tree is its own.
func crashed(state gitstate.State) bool { return state.Totals.Exit == "" && !state.Totals.Paused }

// claims lists what the recorded configuration runs. What was typed in this repository is known and not asked for.
func (l *loop) claims() []Claim {
	source := "commit " + l.state.Totals.Config.String()[:10]
	claims := append(l.config.Claims(source), Claim{Kind: "prompt", Value: l.state.Prompt, Source: "commit " + l.state.Totals.Opening.String()[:10]})
	return claims
}

// resumed writes the event with the whole configuration.
func (l *loop) resumed(ctx context.Context) error {
	if l.plan != nil {
		l.config.Waves = waveLines(l.plan.waves)
	}
	lines, err := encodeConfig(l.config)
	if err != nil {
		return err
	}
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil {
		return err
	}
	tree, err := l.repo.TreeID(branch)
	if err != nil {
		return err
	}
	snapshot, err := l.withPlanFile(ctx)
	if err != nil {
		return err
	}
	if snapshot != nil {
		defer snapshot.Close() // the next snapshot removes what stays behind
		tree = snapshot.Tree
	}
	reflog := "ralph: resume " + l.state.Loop.Name
	entries := []gitstate.Entry{{
		Record: gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventResume, Subject: reflog, Tree: tree, Config: lines},
		Note:   gitstate.Note{Config: lines}, Onto: branch,
	}}
	waves, err := l.settledWaves(ctx, tree)
	if err != nil {
		return err
	}
	l.state, err = l.repo.Append(ctx, gitstate.AppendRequest{State: l.state, Branch: branch, Reflog: reflog, Entries: append(entries, waves...)})
	if err != nil {
		return err
	}
	l.tookWaves(waves)
	if snapshot != nil {
		if _, err := snapshot.FollowIndex(ctx); err != nil {
			return fmt.Errorf("update the index: %w", err)
		}
	}
	if err := Trust(l.Runner.Repo, l.claims()); err != nil {
		return err
	}
	l.emit(Event{Type: LoopResumed, Iteration: l.state.Totals.Iteration + 1})
	l.tellCannotEdit()
	l.tellForeign()
	return nil
}
