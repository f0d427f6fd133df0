package runner

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// loop is a loop while this process runs it: the locks are ours.
type loop struct {
	*Runner
	repo       *gitstate.Repository // of the work tree that the loop runs in
	config     Config
	state      gitstate.State
	preset     agent.Preset
	env        []string // of agents, verify and hooks, but for what changes with the iteration
	secrets    []string
	redact     redactor
	control    *Control
	supervisor *proc.Standing // runs agents, verify and hooks, one after the other
	locks      []*gitstate.Lock
	lockedPlan gitstate.PlanKey // the plan whose lock is among them; zero: none is
	plan       *plan            // nil: the loop has no plan
	dropped    gitstate.Record  // what an iteration used that is not counted
	last       *gitstate.Record // last iteration; nil: none
	lastNote   *gitstate.Note   // its note; nil: none
	linked     bool             // the work tree is one that we made
	stop       context.CancelFunc
	watching   sync.WaitGroup
	looking    sync.Mutex
	emitting   sync.Mutex
	live       Live
	foreseen   *foreseen         // the diff stat for the next prompt; nil: none is being made
	waiting    []gitstate.Tell   // guidance for the next iteration
	told       map[string]bool   // lines of tellOnce
	lastText   map[string]string // what the files of prompts said when they were last read, by their names
	handedOver bool              // a prompt had what was handed over
	oldHandoff string            // the file of it that was recorded: an agent may have done what it says, and removed it
	stands     gitstate.Standing // how it stood to the remote's when it was read
	back       bool              // it was taken back on the remote
	unreached  bool              // its remote was not reached, and that was told
	sharing    *sharing          // nil: it is not shared
}

// requestPause is the time between two looks at what other processes ask for.
const requestPause = 200 * time.Millisecond

// maintainEvery is the number of iterations between two times that git may tidy up.
const maintainEvery = 10

// run iterates until the loop ends, is paused or is stopped. After an error what a crash would leave is left: resume meets it.
func (l *loop) run(ctx context.Context) (Outcome, error) {
	l.watchRequests(ctx)
	l.beginSharing()
	o, err := l.iterateAll(ctx)
	if err != nil {
		l.hookAtEnd(ctx, exitError)
	}
	l.unwatch()
	if shareErr := l.endSharing(ctx, err == nil); err == nil {
		err = shareErr
	}
	if err == nil {
		removeLive(l.repo, l.state.Loop.Name)
	} else {
		l.leaveWord(err)
	}
	return o, err
}

// iterateAll iterates until the loop goes no further.
func (l *loop) iterateAll(ctx context.Context) (Outcome, error) {
	for {
		if over, err := l.between(ctx); over || err != nil {
			return l.outcome(), err
		}
		exit, err := l.iterate(ctx)
		if err != nil {
			return l.outcome(), err
		}
		if exit != "" {
			return l.ended(ctx), nil
		}
		l.shareLast()
		if l.state.Last.Iteration%maintainEvery == 0 {
			l.maintain()
			l.prune()
		}
	}
}

// between does what is due between two iterations: requests and limits are read again, and the loop must still be ours. It returns true
// when the loop goes no further.
func (l *loop) between(ctx context.Context) (bool, error) {
	l.look(l.state.Loop.Name)
	level, pause := l.control.wants()
	switch {
	case level == terminate:
		l.emit(Event{Type: LoopEnded, Totals: &l.state.Totals, Left: l.leftTasks(ctx)})
		return true, nil
	case level == finish || level == interrupt:
		return true, l.end(ctx, gitstate.EventCancel, gitstate.UserCancelled)
	case pause:
		return true, l.end(ctx, gitstate.EventPause, "")
	}
	if exit := overLimit(l.config, l.state.Totals); exit != "" {
		return true, l.end(ctx, gitstate.EventStop, exit)
	}
	if over, err := l.planOver(ctx); over || err != nil {
		return true, err
	}
	outlook, err := l.repo.Outlook(ctx, l.state.Loop)
	if err != nil {
		return true, err
	}
	if err := l.holds(outlook.Tip); err != nil {
		return true, err
	}
	l.waiting = outlook.Tells
	if !outlook.Home {
		return true, &StateError{
			Fact:  fmt.Sprintf("HEAD left branch %q while no iteration ran", l.state.Loop.Branch.Short()),
			Hints: []string{"go on: git ralph resume " + l.state.Loop.Name},
		}
	}
	return false, nil
}

// planOver ends a loop whose plan has nothing left to run.
func (l *loop) planOver(ctx context.Context) (bool, error) {
	if l.plan == nil {
		return false, nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return true, err
	}
	l.leaveTaken(b)
	if leaf, _ := b.next(); leaf != "" {
		for _, gone := range b.gone() {
			l.tellOnce("%s", goneLine(gone))
		}
		return false, nil
	}
	for _, line := range b.unfinished() {
		l.tell("%s", line)
	}
	return true, l.end(ctx, gitstate.EventStop, b.exit())
}

// stillOurs checks the locks and the loop's tip.
func (l *loop) stillOurs() error {
	tip, err := l.repo.Resolve(l.state.Loop.TipRef())
	if err != nil {
		return err
	}
	return l.holds(tip)
}

// holdsLocks checks the locks.
func (l *loop) holdsLocks() error {
	for _, lock := range l.locks {
		if err := lock.Check(); err != nil {
			return err
		}
	}
	return nil
}

// holds checks the locks, and the loop's tip as it was just read.
func (l *loop) holds(tip plumbing.Hash) error {
	if err := l.holdsLocks(); err != nil {
		return err
	}
	if tip != l.state.Loop.Tip {
		return &gitstate.HeldError{What: fmt.Sprintf("loop %q, whose tip moved,", l.state.Loop.Name)}
	}
	return nil
}

// end writes an event that ends or pauses the loop between two iterations.
func (l *loop) end(ctx context.Context, event string, exit gitstate.Exit) error {
	record := l.dropped
	record.Kind, record.Event, record.Exit, record.Subject = gitstate.Event, event, exit, "ralph: "+event+" "+l.state.Loop.Name
	if err := l.appendEvent(ctx, record); err != nil {
		return err
	}
	l.ended(ctx)
	return nil
}

// appendEvent writes an event commit on top of what the branch holds now, which may be commits of the user's above our last one.
func (l *loop) appendEvent(ctx context.Context, record gitstate.Record) error {
	if err := errors.Join(l.stillOurs(), l.onLine(ctx)); err != nil {
		return err
	}
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil {
		return err
	}
	if record.Tree, err = l.repo.TreeID(branch); err != nil {
		return err
	}
	state, err := l.repo.Append(ctx, gitstate.AppendRequest{
		State: l.state, Branch: branch, Reflog: "ralph: " + record.Event,
		Entries: []gitstate.Entry{{Record: record, Onto: branch}},
	})
	if err != nil {
		return err
	}
	l.state = state
	return nil
}

// ended runs the hook for it, tells the end, and returns the outcome.
func (l *loop) ended(ctx context.Context) Outcome {
	o := l.outcome()
	exit := string(o.Exit)
	if o.Paused {
		exit = exitPaused
	}
	l.hookAtEnd(ctx, exit)
	l.emit(Event{Type: LoopEnded, Totals: &l.state.Totals, Exit: o.Exit, Paused: o.Paused, Left: l.leftTasks(ctx)})
	return o
}

func (l *loop) outcome() Outcome {
	t := l.state.Totals
	o := Outcome{
		Loop: l.state.Loop.Name, Branch: l.state.Loop.Branch.Short(), Exit: t.Exit, Paused: t.Paused,
		Interrupted: t.Exit == "" && !t.Paused, Totals: t, Base: l.state.Base,
	}
	if l.linked {
		o.Worktree = l.repo.TopLevel
	}
	return o
}

// watchRequests looks for what other processes ask until unwatch.
func (l *loop) watchRequests(ctx context.Context) {
	ctx, l.stop = context.WithCancel(ctx)
	name := l.state.Loop.Name // the state is the loop's own, and changes
	l.watching.Go(func() {
		ticker := time.NewTicker(requestPause)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
				l.look(name)
			}
		}
	})
}

// unwatch ends watchRequests.
func (l *loop) unwatch() {
	l.stop()
	l.watching.Wait()
}

// look takes the request that waits. Who decides what comes next looks first, so that a request that was made before is not missed.
func (l *loop) look(name string) {
	l.looking.Lock()
	defer l.looking.Unlock()
	switch takeRequest(l.repo, name) {
	case AskCancel:
		l.control.Finish()
	case AskCancelNow:
		l.control.Interrupt()
	case AskPause:
		l.control.Pause()
	}
}

// emit tells whoever watches.
func (l *loop) emit(e Event) {
	if l.Emit == nil {
		return
	}
	l.emitting.Lock()
	defer l.emitting.Unlock()
	e.Time, e.Loop, e.Branch = l.Now(), l.state.Loop.Name, l.state.Loop.Branch.Short()
	e.Max = l.config.MaxIterations
	l.Emit(e)
}

// tell tells one line that the user should know.
func (l *loop) tell(format string, args ...any) {
	l.emit(Event{Type: Told, Iteration: l.live.Iteration, Text: l.redact.text(fmt.Sprintf(format, args...))})
}

// tellOnce tells a line unless it was told before: what stays as it is would be told after every iteration.
func (l *loop) tellOnce(format string, args ...any) {
	line := fmt.Sprintf(format, args...)
	if l.told[line] {
		return
	}
	if l.told == nil {
		l.told = map[string]bool{}
	}
	l.told[line] = true
	l.tell("%s", line)
}

// phase says what the iteration is doing now.
func (l *loop) phase(p Phase) { l.change(Event{Phase: p}) }

// change is phase with more to say of it.
func (l *loop) change(e Event) {
	l.live.Phase, l.live.Since = e.Phase, l.Now()
	writeLive(l.repo, l.state.Loop.Name, l.live)
	e.Type, e.Iteration = PhaseChanged, l.live.Iteration
	l.emit(e)
}

// release ends the supervisor and gives the locks up. What fails here ends with the process.
func (l *loop) release() {
	l.foreseen.wait()
	if l.supervisor != nil {
		l.supervisor.Close()
	}
	if l.sharing != nil {
		l.sharing.close()
	}
	for _, lock := range l.locks {
		_ = lock.Release()
	}
	if l.linked {
		_ = l.repo.Close()
	}
}
