package runner

import (
	"context"
	"slices"

	"github.com/git-ralph/git-ralph/gitstate"
)

// loopAtRest is a loop that nobody runs, in the hands of a command that changes it.
type loopAtRest struct {
	*loop
	lines []string // told meanwhile
}

// atRest finds a loop that is not running.
func (r *Runner) atRest(ctx context.Context, name string) (*loopAtRest, error) {
	found, err := r.Repo.FindLoop(ctx, name)
	if err != nil {
		return nil, err
	}
	state, err := r.Repo.State(ctx, found)
	if err != nil {
		return nil, err
	}
	rest := &loopAtRest{}
	listening := *r
	listening.Emit = func(e Event) {
		if e.Type == Told {
			rest.lines = append(rest.lines, e.Text)
		}
		if r.Emit != nil {
			r.Emit(e)
		}
	}
	rest.loop, err = listening.inert(ctx, state)
	return rest, err
}

// inert puts a loop together of which nothing is run, so that no variable of its environment is needed.
func (r *Runner) inert(ctx context.Context, state gitstate.State) (*loop, error) {
	config, err := decodeConfig(state.Config)
	if err != nil {
		return nil, err
	}
	config.Env = nil
	l, err := r.newLoop(ctx, r.Repo, config, nil)
	if err != nil {
		return nil, err
	}
	l.state = state
	return l, nil
}

// withEnv makes the loop ready to run verify, with the variables that it names as far as they are there: what only the agent needs may be missing.
func (l *loopAtRest) withEnv(ctx context.Context, values map[string]string) error {
	config, err := decodeConfig(l.state.Config)
	if err != nil {
		return err
	}
	config.Env = slices.DeleteFunc(config.Env, func(name string) bool {
		_, given := values[name]
		_, there := lookupEnv(l.Env, name)
		return !given && !there
	})
	fresh, err := l.newLoop(ctx, l.repo, config, values)
	if err != nil {
		return err
	}
	fresh.state, fresh.locks, fresh.linked = l.state, l.locks, l.linked
	l.supervisor.Close()
	l.loop = fresh
	return nil
}

// own takes the loop for a change of its history, in the work tree in which its branch is checked out, wherever that is, and its lease where it is shared.
// What a killed process left is met first.
func (l *loopAtRest) own(ctx context.Context) error {
	q, err := l.idle(ctx)
	if err != nil {
		return err
	}
	path, err := l.repo.CheckedOutAt(ctx, l.state.Loop.Branch)
	if err != nil {
		return err
	}
	if path != "" && path != l.repo.TopLevel {
		if l.repo, err = l.repo.At(ctx, path); err != nil {
			return err
		}
		l.linked = true
	}
	if q.On.Remote != "" {
		if err := l.share(ctx, q.On.Remote); err != nil {
			return err
		}
	}
	if err := l.takeUp(ctx, q); err != nil {
		return err
	}
	if err := l.cleanUp(ctx); err != nil {
		l.giveUp(ctx)
		return err
	}
	if path == "" {
		return nil
	}
	if err := l.endLeftOperation(ctx); err != nil {
		l.giveUp(ctx)
		return err
	}
	return nil
}

// idle makes sure that the loop does not run in this clone, and catches up with where it may run elsewhere.
func (l *loopAtRest) idle(ctx context.Context) (ResumeRequest, error) {
	held, err := l.repo.Running(l.state.Loop.Name)
	if err != nil || held != nil {
		return ResumeRequest{}, heldOr(held, err)
	}
	if err := checkIdentity(ctx, l.repo); err != nil {
		return ResumeRequest{}, err
	}
	return l.catchUp(ctx)
}

// catchUp looks how the loop stands on the remote that it is shared on, if it is.
func (l *loopAtRest) catchUp(ctx context.Context) (ResumeRequest, error) {
	caught, err := l.CatchUp(ctx, CatchUpRequest{Loop: l.state.Loop.Name})
	if err != nil {
		return ResumeRequest{}, err
	}
	for _, line := range caught.Told {
		l.tell("%s", line)
	}
	q := ResumeRequest{Loop: l.state.Loop.Name, On: caught}
	l.state, l.stands, err = l.latest(ctx, q)
	return q, err
}

// endLeftOperation ends a merge or the like that a killed agent left open; one of the user's is refused.
func (l *loopAtRest) endLeftOperation(ctx context.Context) error {
	if !crashed(l.state) {
		return checkOperation(ctx, l.repo)
	}
	gathered, err := l.repo.Gather(ctx, l.gatherRequest(l.state.Last.Time))
	for _, line := range gathered.Told {
		l.tell("%s", line)
	}
	return err
}

// iteration finds the last commit of an iteration, with what followed from its verdict in a plan; 0 is the opening.
func (l *loopAtRest) iteration(ctx context.Context, number int) (gitstate.Record, error) {
	none := &NoIterationError{Loop: l.state.Loop.Name, Number: number, Last: l.state.Totals.Iteration}
	if number < 0 || number > l.state.Totals.Iteration {
		return gitstate.Record{}, none
	}
	var last *gitstate.Record // of those that follow from the verdict
	for record, err := range l.repo.Records(ctx, l.state.Loop) {
		switch {
		case err != nil:
			return gitstate.Record{}, err
		case record.Iteration == number && (record.Status != "" || record.Kind == gitstate.Opening):
			if last != nil {
				return *last, nil
			}
			return record, nil
		case record.Kind != gitstate.Wave && record.Event != gitstate.EventSetAside:
			last = nil
		case last == nil:
			last = &record
		}
	}
	return gitstate.Record{}, none
}
