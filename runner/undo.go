package runner

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Undo takes back the last rewind, undo or set-aside of a loop: it is what it was before that, with what was uncommitted then in a commit on its branch.
// What has come since is kept, and what was spent stays spent. The loop then waits, as after a pause.
//
// The error is a *[gitstate.HeldError] while the loop runs, and a *[StateError] when there is nothing to take back, or when what was kept is not here.
func (r *Runner) Undo(ctx context.Context, loop string) (TakenBack, error) {
	return r.takeBack(ctx, loop, gitstate.EventUndo, func(l *loopAtRest) (destination, error) { return l.beforeLast(ctx) })
}

// beforeLast finds where the loop was before the last event that can be taken back.
func (l *loopAtRest) beforeLast(ctx context.Context) (destination, error) {
	for record, err := range l.repo.Records(ctx, l.state.Loop) {
		if err != nil {
			return destination{}, err
		}
		if record.Kind != gitstate.Event {
			continue
		}
		switch record.Event {
		case gitstate.EventRewind, gitstate.EventUndo:
			return l.before(ctx, record, record.From)
		case gitstate.EventSetAside:
			return l.before(ctx, record, record.Previous)
		}
	}
	name := l.state.Loop.Name
	return destination{}, &StateError{
		Fact:  fmt.Sprintf("loop %q was never rewound, and no task of it was set aside", name),
		Hints: []string{"go back to an iteration: git ralph rewind --loop " + name + " N", "see what is kept of it: git ralph undo --list " + name},
	}
}

// before returns our commit that was the last one before an event, and what was kept of the branch then.
func (l *loopAtRest) before(ctx context.Context, event gitstate.Record, commit plumbing.Hash) (destination, error) {
	to := destination{commit: commit, onto: commit, event: event.Event}
	if len(event.Kept) == 0 {
		return to, nil
	}
	kept, err := l.keptBy(ctx, event)
	if err != nil {
		return to, err
	}
	if kept.IsZero() {
		where := "there is no " + event.Kept[0].String()
		if l.sharing != nil && !l.sharing.missing {
			where += fmt.Sprintf(" of its, nor on remote %s", l.sharing.remote.Name)
		}
		return to, &StateError{
			Fact:  fmt.Sprintf("what the last %s moved away from is not here: %s", event.Event, where),
			Hints: []string{"see what is kept of it: git ralph undo --list " + l.state.Loop.Name},
		}
	}
	if on, err := l.repo.Holds(ctx, kept, commit); err != nil || on {
		to.onto = kept
		return to, err
	}
	tree, err := l.repo.TreeID(kept)
	if err != nil {
		return to, err
	}
	to.onto, err = l.repo.CommitTree(ctx, tree, []plumbing.Hash{commit}, fmt.Sprintf("ralph: work kept for %s\n\nFrom %s.\n", l.state.Loop.Name, event.Kept[0]))
	return to, err
}

// keptBy returns the commit that an event moved away from, as it is kept here or on the remote, whatever its number; zero: it is nowhere.
func (l *loopAtRest) keptBy(ctx context.Context, event gitstate.Record) (plumbing.Hash, error) {
	kept, err := l.keptHere(ctx, event)
	if err != nil || !kept.IsZero() || l.sharing == nil || l.sharing.missing {
		return kept, err
	}
	seen, err := l.sharing.remote.Look(ctx, l.state.Loop.Name)
	if err == nil {
		_, err = l.sharing.remote.FetchKept(ctx, l.state.Loop.Name, seen)
	}
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return l.keptHere(ctx, event)
}

// keptHere returns the commit that an event moved away from, if it is kept here. Where the event does not tell its id, it is the one with that name which
// holds what the loop was then.
func (l *loopAtRest) keptHere(ctx context.Context, event gitstate.Record) (plumbing.Hash, error) {
	all, err := l.repo.Kept(ctx, l.state.Loop.Name)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	for _, kept := range all {
		if kept.Commit == event.Held {
			return kept.Commit, nil
		}
		if !event.Held.IsZero() || kept.Ref != event.Kept[0] {
			continue
		}
		if holds, err := l.repo.Holds(ctx, kept.Commit, event.From); err != nil || holds {
			return kept.Commit, err
		}
	}
	return plumbing.ZeroHash, nil
}

// Kept returns what is kept of a loop, the last first.
func (r *Runner) Kept(ctx context.Context, loop string) ([]gitstate.Kept, error) {
	if _, err := r.Repo.FindLoop(ctx, loop); err != nil {
		return nil, err
	}
	return r.Repo.Kept(ctx, loop)
}
