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
	before  map[string]scud.Status // of all tasks when the agent was started; nil: not known
	blocked string                 // why the task is given up with this attempt; empty: it is not
}

// beginTask takes the next task in hand. The statuses of those that the loop settled are set as its history has them first.
func (l *loop) beginTask(ctx context.Context, it *iteration) error {
	b, err := l.plan.look(ctx)
	if err != nil {
		return err
	}
	id, wave := b.next()
	l.live.Task = id
	writeLive(l.repo, l.state.Loop.Name, l.live) // before the mark: a kill between them must not make the task somebody else's
	marks := append(b.settledMarks(), scud.Mark{ID: id, Status: scud.InProgress})
	if _, err := b.tag.Mark(ctx, marks...); err != nil {
		return fmt.Errorf("mark task %s: %w", id, planError(err))
	}
	if b, err = l.plan.look(ctx); err != nil {
		return err
	}
	it.task = &taskRun{id: id, wave: wave, attempt: l.plan.tasks[id].attempts + 1, before: b.statuses()}
	return nil
}

// settledMarks are what the task file shall say of the tasks that the loop settled, and does not.
func (b *board) settledMarks() []scud.Mark {
	var marks []scud.Mark
	for id, past := range b.tasks {
		task, known := b.tag.Task(id)
		switch {
		case !known || !past.settled():
		case past.done && task.Status != scud.Done:
			marks = append(marks, scud.Mark{ID: id, Status: scud.Done})
		case !past.done && task.Status != scud.Blocked:
			marks = append(marks, scud.Mark{ID: id, Status: scud.Blocked})
		}
	}
	slices.SortFunc(marks, func(a, b scud.Mark) int { return scud.CompareIDs(a.ID, b.ID) })
	return marks
}

// statuses are those of all tasks of the tag.
func (b *board) statuses() map[string]scud.Status {
	all := map[string]scud.Status{}
	for _, task := range b.tag.Tasks {
		all[task.ID] = task.Status
	}
	return all
}

// inHand returns the task that a killed loop had in hand; nil: none. Whatever the killed loop wrote of it, it is in progress again: only the history says
// that a task is settled.
func (l *loop) inHand(ctx context.Context, id string) (*taskRun, error) {
	b, err := l.plan.look(ctx)
	if err != nil {
		return nil, err
	}
	for _, w := range b.order {
		for _, leaf := range w.Tasks {
			task, known := b.tag.Task(leaf)
			if !known || b.tasks[leaf].settled() || leaf != id && (id != "" || task.Status != scud.InProgress || b.foreign[leaf]) {
				continue
			}
			_, err := b.tag.Mark(ctx, scud.Mark{ID: leaf, Status: scud.InProgress})
			return &taskRun{id: leaf, wave: w.Number, attempt: b.tasks[leaf].attempts + 1}, err
		}
	}
	return nil, nil
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
	var marks []scud.Mark
	for id, now := range b.statuses() {
		if before, had := it.task.before[id]; had && before != now {
			marks = append(marks, scud.Mark{ID: id, Status: before})
		}
	}
	if len(marks) == 0 {
		return nil
	}
	slices.SortFunc(marks, func(a, b scud.Mark) int { return scud.CompareIDs(a.ID, b.ID) })
	changes, err := b.tag.Mark(ctx, marks...)
	for _, change := range changes {
		l.tell("task %s was marked %s meanwhile: it is %s again", change.ID, change.From, change.To)
	}
	return err
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

// settleTask writes into the task file what the attempt came to, and takes the file into the snapshot.
func (l *loop) settleTask(ctx context.Context, it *iteration) error {
	if it.task == nil || it.status == gitstate.Interrupted || it.status == gitstate.Skipped {
		return nil
	}
	mark := scud.Mark{ID: it.task.id}
	_, blocked := it.said()
	switch {
	case it.verify != nil && it.verify.passed:
		mark.Status = scud.Done
	case blocked != "":
		mark.Status, it.task.blocked = scud.Blocked, l.redact.text(blocked)
	case it.task.attempt >= l.config.MaxAttempts:
		mark.Status, it.task.blocked = scud.Blocked, fmt.Sprintf("%s after %s", l.whyFailed(it), attempts(it.task.attempt))
	default:
		return nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return err
	}
	if _, err := b.tag.Mark(ctx, mark); err != nil {
		return fmt.Errorf("mark task %s: %w", mark.ID, planError(err))
	}
	within, ok := l.taskFile(b)
	if !ok {
		return nil
	}
	if err := it.snapshot.Retake(ctx, within); err != nil {
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

// setAside returns the commit that takes the tree back to what it was before a task that is given up, task file aside; nil: there is nothing to take back.
func (l *loop) setAside(ctx context.Context, b *board, record gitstate.Record) (*gitstate.Record, error) {
	if record.Blocked == "" || l.config.OnBlocked != SetAside {
		return nil, nil
	}
	files := []string{}
	if within, ok := l.taskFile(b); ok {
		files = append(files, within)
	}
	tree, err := l.repo.TreeReplacing(ctx, l.plan.tasks[record.Task].before, record.Tree, files...)
	if err != nil || tree == record.Tree {
		return nil, err
	}
	return &gitstate.Record{Kind: gitstate.Event, Event: gitstate.EventSetAside, Task: record.Task, Wave: record.Wave, Blocked: record.Blocked, Tree: tree,
		Subject: fmt.Sprintf("ralph: set aside task %s of %s", record.Task, l.state.Loop.Name)}, nil
}

// taskFile returns the plan's file from the top level; false when it lies in another work tree.
func (l *loop) taskFile(b *board) (string, bool) {
	within, err := filepath.Rel(l.repo.TopLevel, filepath.Join(b.root, filepath.FromSlash(b.tag.File)))
	return filepath.ToSlash(within), err == nil && filepath.IsLocal(within)
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
	aside, err := l.setAside(ctx, b, record)
	if err != nil {
		return nil, "", nil, err
	}
	if aside != nil {
		entries, record.Tree = append(entries, gitstate.Entry{Record: *aside}), aside.Tree
	}
	for _, w := range b.order {
		if b.closed[w.Number] || !slices.Contains(w.Tasks, record.Task) || !b.tasks[record.Task].settled() || b.open(w) {
			continue
		}
		wave := gitstate.Record{
			Kind: gitstate.Wave, Wave: new(w.Number), Tree: record.Tree, Subject: fmt.Sprintf("feat(%s): complete wave %d", l.plan.tag, w.Number),
		}
		for _, leaf := range w.Tasks {
			switch past := b.tasks[leaf]; {
			case past.done:
				wave.WaveDone = append(wave.WaveDone, leaf)
			case past.blocked != "":
				wave.WaveBlocked = append(wave.WaveBlocked, leaf)
			}
		}
		entries = append(entries, gitstate.Entry{Record: wave})
	}
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
