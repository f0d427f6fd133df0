package runner

import (
	"context"
	"fmt"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// Resume goes on with a loop that is not running, with the recorded configuration. What a crash left is met first: processes are ended, our own
// locks removed, uncommitted work is committed as an interrupted iteration. A loop that is done is not touched (Already).
func (r *Runner) Resume(ctx context.Context, q ResumeRequest) (Outcome, error) {
	l, err := r.reopen(ctx, q)
	if err != nil {
		return Outcome{}, err
	}
	defer l.release()
	if l.state.Totals.Exit.Done() {
		o := l.outcome()
		o.Already = true
		return o, nil
	}
	if err := r.approve(l.claims()); err != nil {
		return Outcome{}, err
	}
	if err := l.claim(ctx); err != nil {
		return Outcome{}, err
	}
	if exit, err := l.recover(ctx, q.DirtyInclude); err != nil || exit != "" {
		return l.ended(), err
	}
	if err := l.resumed(ctx); err != nil {
		return Outcome{}, err
	}
	return l.run(ctx)
}

// reopen finds the loop and applies the changes to its configuration. Nothing is changed yet.
func (r *Runner) reopen(ctx context.Context, q ResumeRequest) (*loop, error) {
	found, err := r.Repo.FindLoop(ctx, q.Loop)
	if err != nil {
		return nil, err
	}
	state, err := r.Repo.State(ctx, found)
	if err != nil {
		return nil, err
	}
	if held, err := r.Repo.Running(q.Loop); err != nil || held != nil {
		if held != nil {
			return nil, held
		}
		return nil, err
	}
	recorded, err := decodeConfig(state.Config)
	if err != nil {
		return nil, err
	}
	config := recorded
	if q.Change != nil {
		q.Change(&config)
	}
	if state.Totals.Exit.Done() {
		return &loop{Runner: r, repo: r.Repo, config: config, state: state}, nil
	}
	if err := config.validate(); err != nil {
		return nil, err
	}
	if err := over(state, config); err != nil {
		return nil, err
	}
	if err := checkRepository(ctx, r.Repo); err != nil && !crashed(state) {
		return nil, err
	}
	l, err := r.newLoop(ctx, r.Repo, config, q.EnvValues)
	if err != nil {
		return nil, err
	}
	l.state = state
	return l, checkSecrets(config, state.Prompt, l.secrets)
}

// over says that a loop which ended at a limit cannot go on with the same limit.
func over(state gitstate.State, c Config) error {
	exit := state.Totals.Exit
	if exit != gitstate.MaxIterations && exit != gitstate.LimitReached {
		return nil
	}
	reached := overLimit(c, state.Totals)
	if reached == "" {
		return nil
	}
	hint := fmt.Sprintf("git ralph resume %s --max-iterations %d", state.Loop.Name, state.Totals.Iteration+10)
	if reached == gitstate.LimitReached {
		hint = fmt.Sprintf("git ralph resume %s --max-duration %s", state.Loop.Name, Duration((state.Totals.Elapsed + time.Hour).Round(time.Minute)))
	}
	return &OverError{Loop: state.Loop.Name, Exit: exit, Hints: []string{"raise the limit: " + hint}}
}

// crashed reports whether the loop stopped without an end or a pause: what lies in its work tree is its own.
func crashed(state gitstate.State) bool { return state.Totals.Exit == "" && !state.Totals.Paused }

// claims lists what the recorded configuration runs. What was typed in this repository is known and not asked for.
func (l *loop) claims() []Claim {
	source := "commit " + l.state.Totals.Config.String()[:10]
	claims := append(l.config.Claims(source), Claim{Kind: "prompt", Value: l.state.Prompt, Source: "commit " + l.state.Totals.Opening.String()[:10]})
	return claims
}

// claim takes the locks, and makes the branch and the tip where the loop was found on another clone's branch.
func (l *loop) claim(ctx context.Context) error {
	name, branch := l.state.Loop.Name, l.state.Loop.Branch
	path, err := l.repo.CheckedOutAt(ctx, branch)
	if err != nil {
		return err
	}
	if path != "" && path != l.repo.TopLevel {
		return &ElsewhereError{Loop: name, Branch: branch.Short(), Path: path}
	}
	if err := l.lockWorktree(name); err != nil {
		return err
	}
	if err := l.lock(name); err != nil {
		return err
	}
	if err := l.rereadState(ctx); err != nil {
		return err
	}
	if l.state.Loop.Found == l.state.Loop.TipRef() {
		return nil
	}
	refs := []gitstate.Ref{{Name: l.state.Loop.TipRef(), Hash: l.state.Loop.Tip}}
	if l.state.Loop.Found != branch {
		refs = append(refs, gitstate.Ref{Name: branch, Hash: l.state.Loop.Tip})
	}
	if err := l.repo.MakeRefs(ctx, "ralph: resume "+name, refs...); err != nil {
		return fmt.Errorf("take up loop %s from %s: %w", name, l.state.Loop.Found, err)
	}
	l.state.Loop.Found = l.state.Loop.TipRef()
	return nil
}

// rereadState reads the loop again now that nobody else can write it.
func (l *loop) rereadState(ctx context.Context) error {
	found, err := l.repo.FindLoop(ctx, l.state.Loop.Name)
	if err != nil {
		return err
	}
	l.state, err = l.repo.State(ctx, found)
	return err
}

// recover meets what the last run left. After a crash uncommitted work and commits above the tip become an interrupted iteration, which may be the
// last one; after a pause or an end they are the user's.
func (l *loop) recover(ctx context.Context, include bool) (gitstate.Exit, error) {
	ended, err := proc.Sweep(marker(l.repo, l.state.Loop.Name), time.Duration(l.config.Grace))
	if err != nil {
		return "", err
	}
	if ended > 0 {
		l.tell("ended %d processes that were left running", ended)
	}
	told, err := l.repo.RemoveOwnLocks(ctx, l.state.Loop.Name, l.state.Loop.Branch)
	if err != nil {
		return "", err
	}
	for _, line := range told {
		l.tell("%s", line)
	}
	if err := l.readLast(ctx); err != nil {
		return "", err
	}
	atHome, err := l.atHome(ctx)
	if err != nil {
		return "", err
	}
	dirty, err := l.repo.Dirty(ctx)
	if err != nil {
		return "", err
	}
	wasOurs := crashed(l.state) && (atHome || ReadLive(l.repo, l.state.Loop.Name) != nil)
	switch {
	case len(dirty) > 0 && !wasOurs && !(include && atHome):
		return "", &DirtyError{Paths: dirty}
	case len(dirty) == 0 && !atHome:
		return "", l.repo.Switch(ctx, l.state.Loop.Branch)
	}
	if len(dirty) == 0 {
		above, err := l.aboveTip(ctx)
		if err != nil || !above || !crashed(l.state) {
			return "", err
		}
	}
	if !crashed(l.state) {
		return "", l.includeDirty(ctx)
	}
	return l.interrupted(ctx)
}

// atHome reports whether HEAD is the loop branch.
func (l *loop) atHome(ctx context.Context) (bool, error) {
	head, err := l.repo.HeadBranch(ctx)
	return head == l.state.Loop.Branch, err
}

// aboveTip reports whether there are commits on the branch above our last one.
func (l *loop) aboveTip(ctx context.Context) (bool, error) {
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	return branch != l.state.Loop.Tip, err
}

// interrupted commits what a crash left as an iteration of its own.
func (l *loop) interrupted(ctx context.Context) (gitstate.Exit, error) {
	it := &iteration{number: l.state.Totals.Iteration + 1, started: l.Now(), status: gitstate.Interrupted, failure: "the loop was killed during this iteration"}
	if live := ReadLive(l.repo, l.state.Loop.Name); live != nil && live.Iteration == it.number {
		it.started = live.Started
	}
	l.live = Live{Iteration: it.number, Pid: 0, Started: it.started}
	it.ended = l.lastChange(it)
	exit, err := l.commitPart(ctx, it)
	if err == nil {
		l.tell("iteration %d was interrupted: its work is committed", it.number)
	}
	return exit, err
}

// includeDirty puts the user's uncommitted work into a commit below the resume.
func (l *loop) includeDirty(ctx context.Context) error {
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil {
		return err
	}
	defer snapshot.Close() // the next snapshot removes what stays behind
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil {
		return err
	}
	work, err := l.repo.CommitTree(ctx, snapshot.Tree, nonZero(branch), "ralph: work before resume of "+l.state.Loop.Name+"\n")
	if err != nil {
		return err
	}
	if err := l.repo.MoveRef(ctx, "ralph: work before resume", gitstate.RefUpdate{Name: l.state.Loop.Branch, Old: branch, New: work}); err != nil {
		return err
	}
	_, err = snapshot.FollowIndex(ctx)
	return err
}

// resumed writes the event with the whole configuration.
func (l *loop) resumed(ctx context.Context) error {
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
	reflog := "ralph: resume " + l.state.Loop.Name
	l.state, err = l.repo.Append(ctx, gitstate.AppendRequest{
		State: l.state, Branch: branch, Reflog: reflog,
		Entries: []gitstate.Entry{{
			Record: gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventResume, Subject: reflog, Tree: tree, Config: lines},
			Note:   gitstate.Note{Config: lines}, Onto: branch,
		}},
	})
	if err != nil {
		return err
	}
	if err := Trust(l.Runner.Repo, l.claims()); err != nil {
		return err
	}
	l.emit(Event{Type: LoopResumed, Iteration: l.state.Totals.Iteration + 1})
	return nil
}

// readLast reads the last iteration, which the next prompt tells of.
func (l *loop) readLast(ctx context.Context) error {
	id := l.state.Totals.LastIteration
	if id.IsZero() {
		return nil
	}
	record, err := l.repo.Record(id)
	if err != nil {
		return err
	}
	l.last = &record
	l.lastNote, err = l.repo.Note(ctx, id)
	if err != nil {
		l.tell("%v", err) // the trailers are enough
		l.lastNote = nil
	}
	return nil
}

