package runner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/lines"
	"github.com/git-ralph/git-ralph/runner/spec"
	"github.com/git-ralph/git-ralph/scud"
)

// taskRun is one attempt at one task.
type taskRun struct {
	id      string
	wave    int
	attempt int
	before  *scud.Plan // when the agent was started; nil: not known
	blocked string     // why the task is given up with this attempt; empty: it is not
}

// beginTask takes the next task in hand. The task file is made to say what the loop knows first.
func (l *loop) beginTask(ctx context.Context, it *iteration) error {
	b, err := l.plan.look(ctx)
	if err != nil {
		return err
	}
	id, wave := b.next()
	l.plan.fix(b.order)
	l.live.Task, l.plan.begun = id, max(l.plan.begun, wave)
	writeLive(l.repo, l.state.Loop.Name, l.live)
	others, err := l.correct(ctx, b, id, scud.InProgress)
	if err != nil {
		return err
	}
	l.tellMarks(others)
	it.task = &taskRun{id: id, wave: wave, attempt: l.plan.tasks[id].attempts + 1, before: b.all}
	return nil
}

// inHand returns the task that a killed loop had in hand: the one that it told of, else the one that it would take now; nil: none.
func (l *loop) inHand(ctx context.Context, id string) (*taskRun, error) {
	b, err := l.plan.look(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range b.order {
		if slices.Contains(w.Tasks, id) && !b.tasks[id].settled() {
			return &taskRun{id: id, wave: w.Number, attempt: b.tasks[id].attempts + 1}, nil
		}
	}
	leaf, wave := b.next()
	if leaf == "" {
		return nil, nil
	}
	return &taskRun{id: leaf, wave: wave, attempt: b.tasks[leaf].attempts + 1}, nil
}

// putBack undoes what the agent wrote into the status columns: the loop says how far tasks are.
func (l *loop) putBack(ctx context.Context, it *iteration) error {
	if it.task == nil || it.task.before == nil {
		return nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return err
	}
	task, _ := b.tag.Task(it.task.id)
	changed, err := l.correct(ctx, b, it.task.id, scud.InProgress)
	if err != nil {
		return err
	}
	if task.Status != scud.InProgress && task.ID != "" {
		changed = append(changed, scud.Change{ID: task.ID, From: task.Status, To: scud.InProgress})
		slices.SortFunc(changed, func(a, b scud.Change) int { return scud.CompareIDs(a.ID, b.ID) })
	}
	l.tellMarks(changed)
	return l.putBackOthers(ctx, it.task.before, b)
}

// said is how the agent ended its task, by the rules of the promise. It counts only when the run ended well, on the loop's own branch.
func (it *iteration) said() (complete bool, blocked string) {
	if it.status != gitstate.Completed {
		return false, ""
	}
	return it.verdict.TaskComplete, it.verdict.TaskBlocked
}

// mustCheck reports whether verify decides about the attempt: the agent ended well, and says that it is done or changed something.
func (l *loop) mustCheck(it *iteration) bool {
	complete, blocked := it.said()
	return it.task != nil && it.status == gitstate.Completed && blocked == "" && (complete || l.changedOutside(it))
}

// changedOutside reports whether anything but task files changed.
func (l *loop) changedOutside(it *iteration) bool {
	var paths []string
	for _, r := range it.changes.Renamed {
		paths = append(paths, r.From, r.To)
	}
	for _, path := range slices.Concat(paths, it.changes.Created, it.changes.Modified, it.changes.Deleted) {
		if !inPlan(path) {
			return true
		}
	}
	return false
}

// inPlan reports whether a path from the top level is one of a plan's own files.
func inPlan(path string) bool {
	return slices.ContainsFunc(scud.Folders(), func(folder string) bool { return strings.Contains("/"+path, "/"+folder+"/") })
}

// settled is how far the task is after the attempt, and says why it is given up. One that is to be tried again is pending until then: a loop that goes no
// further has nothing in hand.
func (l *loop) settled(it *iteration) scud.Status {
	_, blocked := it.said()
	switch {
	case it.status == gitstate.Interrupted || it.status == gitstate.Skipped:
	case it.verify != nil && it.verify.passed:
		return scud.Done
	case blocked != "":
		it.task.blocked = l.redact.text(blocked)
		return scud.Blocked
	case it.task.attempt >= l.config.MaxAttempts:
		it.task.blocked = fmt.Sprintf("%s after %s", l.whyFailed(it), attempts(it.task.attempt))
		return scud.Blocked
	}
	return scud.Pending
}

// settleTask writes into the task file what the attempt came to, and takes the file into the snapshot.
func (l *loop) settleTask(ctx context.Context, it *iteration) error {
	if it.task == nil {
		return nil
	}
	status := l.settled(it)
	b, err := l.plan.look(ctx)
	if err != nil {
		return err
	}
	changed, err := l.correct(ctx, b, it.task.id, status)
	if err != nil {
		return err
	}
	l.tellMarks(changed) // by what verify runs
	files := l.taskFiles(b)
	if files == nil {
		return nil
	}
	if err := it.snapshot.Retake(ctx, files...); err != nil {
		return fmt.Errorf("take the task file into the commit: %w", err)
	}
	it.changes, err = l.repo.Changes(ctx, l.state.Last.Tree, it.snapshot.Tree)
	return err
}

// attempts writes a number of them.
func attempts(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}

// whyFailed says in a few words why the attempt failed.
func (l *loop) whyFailed(it *iteration) string {
	switch {
	case it.verify != nil:
		return fmt.Sprintf("verify fails (%s: exit %d)", it.verify.command, it.verify.code)
	case it.failure != "":
		return it.failure
	}
	return "the agent changed nothing and did not say " + spec.TaskComplete
}

// setAside returns the commit that takes back what the attempts at a task changed that is given up, the plan's files aside; nil: there is nothing to take back.
func (l *loop) setAside(ctx context.Context, record gitstate.Record) (*gitstate.Record, error) {
	if record.Blocked == "" || l.config.OnBlocked != SetAside {
		return nil, nil
	}
	tree, left, err := l.repo.UndoneTree(ctx, record.Tree, l.plan.tasks[record.Task].spans, inPlan)
	if err != nil {
		return nil, err
	}
	if len(left) > 0 {
		l.tell("not taken back, for it was changed since: %s", some(left, 3))
	}
	if tree == record.Tree {
		return nil, nil
	}
	return &gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventSetAside, Task: record.Task, Wave: record.Wave, Blocked: record.Blocked, Tree: tree,
		Subject: fmt.Sprintf("ralph: set aside task %s of %s", record.Task, l.state.Loop.Name)}, nil
}

// taskFiles returns the plan's files from the top level; nil when they lie in another work tree.
func (l *loop) taskFiles(b *board) []string {
	var files []string
	for _, file := range b.tag.Files() {
		within, err := filepath.Rel(l.repo.TopLevel, filepath.Join(b.root, filepath.FromSlash(file)))
		if err == nil && filepath.IsLocal(within) {
			files = append(files, filepath.ToSlash(within))
		}
	}
	return files
}

// taskEntries returns the commits that follow from the iteration's: that of a wave that is settled with it. The exit is the loop's own when nothing of
// the plan is left to run.
func (l *loop) taskEntries(ctx context.Context, record gitstate.Record) ([]gitstate.Entry, gitstate.Exit, []string, error) {
	record.Previous = l.state.Last.Commit
	l.plan.take(record)
	b, err := l.plan.look(ctx)
	if err != nil {
		return nil, "", nil, err
	}
	var entries []gitstate.Entry
	aside, err := l.setAside(ctx, record)
	if err != nil {
		return nil, "", nil, err
	}
	if aside != nil {
		entries, record.Tree = append(entries, gitstate.Entry{Record: *aside}), aside.Tree
	}
	entries = append(entries, b.settledWaves(record.Tree)...)
	if leaf, _ := b.next(); leaf != "" {
		return entries, "", nil, nil
	}
	return entries, b.exit(), b.unfinished(), nil
}

// lastWords is what the agent said in the end, without the word that ends a task.
func (it *iteration) lastWords() string {
	if it.task == nil {
		return it.verdict.FinalText
	}
	var kept []string
	for line := range strings.Lines(it.verdict.FinalText) {
		if strings.TrimSpace(lines.Plain(line)) != spec.TaskComplete {
			kept = append(kept, line)
		}
	}
	return strings.TrimSpace(strings.Join(kept, ""))
}
