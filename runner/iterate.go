package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/testcount"
)

// iteration is one iteration while it runs.
type iteration struct {
	number  int
	started time.Time
	tells   []string        // guidance that it got
	waiting []gitstate.Tell // the part of it that still waits in refs

	status         gitstate.Status
	failure        string // why it is not completed; one line
	verdict        agent.Verdict
	used           usage          // of all runs of the agent in this iteration
	stoppedWaiting bool           // the user stopped the loop while it waited
	overBudget     bool           // the agent was ended because the budget was used up
	ran            bool           // the agent was started
	dropped        bool           // it is not counted
	recovered      bool           // it is committed after a crash
	duration       *time.Duration // of a recovered one; nil: not known
	code           *int           // its exit code
	head           string
	tests          *testcount.Report

	gathered gitstate.Gathered
	snapshot *gitstate.Snapshot
	changes  gitstate.Changes
	verify   *verifyResult
	task     *taskRun // the task in hand; nil: there is no plan
}

// iterate runs one iteration and writes its commit; the exit is set when the loop ended with it. Nothing is counted before the
// commit stands: after an error or a crash the work is in the work tree, and resume commits it.
func (l *loop) iterate(ctx context.Context) (gitstate.Exit, error) {
	it := &iteration{number: l.state.Totals.Iteration + 1, started: l.Now()}
	l.live = Live{Iteration: it.number, Pid: os.Getpid(), Started: it.started, Worktree: l.repo.TopLevel}
	l.emit(Event{Type: IterationStarted, Iteration: it.number})
	if l.plan != nil {
		if err := l.beginTask(ctx, it); err != nil {
			return "", err
		}
	}
	if err := l.agentPart(ctx, it); err != nil {
		return "", err
	}
	exit, err := l.commitPart(ctx, it)
	if err != nil || it.dropped {
		return "", err
	}
	if it.verify != nil {
		l.tellVerifyLeft(ctx, it)
	}
	l.hooksAfter(ctx, it, exit)
	return exit, nil
}

// agentPart runs the hook before and the agent.
func (l *loop) agentPart(ctx context.Context, it *iteration) error {
	if err := os.MkdirAll(l.repo.LoopDir(l.state.Loop.Name), 0o700); err != nil {
		return fmt.Errorf("make the loop's directory: %w", err)
	}
	if trouble := l.hook(ctx, hookCall{name: preIterationHook, phase: PreHooks, number: it.number}); trouble != "" {
		it.status, it.failure = gitstate.Skipped, trouble
		if l.control.now.Err() != nil {
			it.status = gitstate.Interrupted
		}
		return nil
	}
	return l.execute(ctx, it)
}

// commitPart turns what lies in the work tree into the iteration's commit. When the branch moved forward meanwhile, that is taken in and
// it is done once more.
func (l *loop) commitPart(ctx context.Context, it *iteration) (gitstate.Exit, error) {
	if err := l.putBack(ctx, it); err != nil {
		return "", err
	}
	if l.plan == nil && !l.mustVerify(it) {
		l.repo.Ready(ctx, reflog)
	}
	for try := 1; ; try++ {
		if err := l.gather(ctx, it); err != nil {
			return "", err
		}
		if it.dropped = l.drops(it); it.dropped {
			return "", it.snapshot.Close()
		}
		exit, err := l.checkAndRecord(ctx, it)
		closing := it.snapshot.Close()
		_, moved := errors.AsType[*gitstate.ConflictError](err)
		if moved && try == 1 && l.stillOurs() == nil {
			continue
		}
		return exit, errors.Join(err, closing)
	}
}

// checkAndRecord verifies the snapshot, judges, writes the commit, and lets the user's index follow.
func (l *loop) checkAndRecord(ctx context.Context, it *iteration) (gitstate.Exit, error) {
	it.verify = nil
	if l.plan == nil && l.mustVerify(it) || l.plan != nil && l.mustCheck(it) {
		if err := l.runVerify(ctx, it); err != nil {
			return "", err
		}
	}
	l.countTests(it)
	if err := l.settleTask(ctx, it); err != nil {
		return "", err
	}
	exit, err := l.record(ctx, it)
	if err != nil {
		return "", err
	}
	followed, err := it.snapshot.FollowIndex(ctx)
	if err != nil {
		return "", fmt.Errorf("update the index: %w", err)
	}
	if l.plan != nil { // a task may have been set aside
		if err := l.finishMove(ctx); err != nil {
			return "", err
		}
	}
	if !followed {
		l.tell("the index was changed or locked by another program meanwhile and is left as it is")
	}
	return exit, nil
}

// gather brings HEAD back to the loop branch and takes the snapshot.
func (l *loop) gather(ctx context.Context, it *iteration) error {
	gathered, snapshot, err := l.repo.Collect(ctx, l.gatherRequest(it.started))
	if err != nil {
		return err
	}
	it.snapshot = snapshot
	kept := append(it.gathered.Kept, gathered.Kept...) // of an earlier try
	it.gathered = gathered
	it.gathered.Kept = kept
	for _, line := range gathered.Told {
		l.tell("%s", line)
	}
	if gathered.Stray != "" {
		l.tell("%s%s", gathered.Stray, keptWords(gathered.Kept))
		if it.status == gitstate.Completed {
			it.status = gitstate.Failed
		}
		it.failure = gathered.Stray
	}
	for _, line := range it.snapshot.Told {
		l.tellOnce("%s", line)
	}
	for _, skipped := range it.snapshot.Skipped {
		l.tellOnce("left out of the commit: %s (%s)", skipped.Path, skipped.Reason)
	}
	if it.changes, err = l.repo.Changes(ctx, l.state.Last.Tree, it.snapshot.Tree); err != nil {
		return fmt.Errorf("compare with the last iteration: %w", err)
	}
	l.foresee(ctx, it)
	return nil
}

// keptWords says where what was moved away from is kept; empty when all of it is on the loop branch.
func keptWords(refs []plumbing.ReferenceName) string {
	var names []string
	for _, ref := range refs {
		names = append(names, ref.String())
	}
	if len(names) == 0 {
		return ""
	}
	return "; what was there is kept in " + strings.Join(names, ", ")
}

func (l *loop) guard() gitstate.Guard {
	return gitstate.Guard{MaxFileSize: l.config.MaxFileSize, Allow: l.config.Allow}
}

// outputPath names the file of an iteration's raw output with that ending.
func (l *loop) outputPath(number int, ending string) string {
	return filepath.Join(l.repo.LoopDir(l.state.Loop.Name), fmt.Sprintf("%04d.%s", number, ending))
}
