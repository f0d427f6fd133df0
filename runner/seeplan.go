package runner

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// leaveTaken leaves the tasks alone that somebody else took in hand between two iterations.
func (l *loop) leaveTaken(b *board) {
	for _, task := range b.tag.Tasks {
		if task.Leaf() && task.Status == scud.InProgress && b.expected(task).status == scud.Pending {
			b.known[task.ID] = knownFrom(task)
			l.tellTaken(task.ID)
		}
	}
}

// tellForeign tells which tasks somebody else has in hand.
func (l *loop) tellForeign() {
	if l.plan == nil {
		return
	}
	for _, name := range l.plan.killed {
		l.tell("loop %s was killed: what was written since into the status column is not believed (to give that loop up: git ralph cancel %s)", name, shellQuoted(name))
	}
	for _, id := range sortedIDs(l.plan.known) {
		if l.plan.known[id].status == scud.InProgress && !l.plan.tasks[id].settled() {
			l.tellTaken(id)
		}
	}
}

func (l *loop) tellTaken(id string) {
	l.tellOnce("task %s is in progress elsewhere and left alone (to have it run: git ralph scud retry %s)", id, shellQuoted(id))
}

// seePlan settles how far tasks are when the loop goes on. After an orderly stop the task file says it: whoever changed a status since meant it. After a crash it
// does not: what was known before counts. Then the file is made to say so.
func (l *loop) seePlan(ctx context.Context) error {
	if l.plan == nil {
		return nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return err
	}
	if !crashed(l.state) || l.config.Statuses == nil { // nil: an earlier version began it
		b.see()
	}
	for id, past := range b.tasks {
		if past.retried && (b.known[id].status == scud.Blocked || b.known[id].status == scud.InProgress) {
			delete(b.known, id)
		}
	}
	changed, err := l.correct(ctx, b, "", "")
	if err != nil {
		return err
	}
	hand, _ := b.next()
	if live := ReadLive(l.repo, l.state.Loop.Name); live != nil {
		hand = live.Task
	}
	l.tellMarks(slices.DeleteFunc(changed, func(c scud.Change) bool { return c.From == scud.InProgress && c.ID == hand }))
	l.config.Statuses = statusLines(b.known)
	return nil
}

// showTakenBack makes an ignored task file say what the loop was taken back to; that of a commit does. Where it cannot be, the history still says it.
func (l *loop) showTakenBack(ctx context.Context) {
	if !l.config.hasPlan() {
		return
	}
	again := &loop{Runner: l.Runner, repo: l.repo, redact: l.redact}
	again.state.Loop.Name = l.state.Loop.Name
	if err := again.rereadState(ctx); err != nil {
		return
	}
	var err error
	if again.config, err = decodeConfig(again.state.Config); err != nil {
		return
	}
	if home, err := l.repo.HeadBranch(ctx); err != nil || home != again.state.Loop.Branch || again.reopenPlan(ctx) != nil {
		return
	}
	b, err := again.plan.look(ctx)
	if err != nil {
		return
	}
	var marks []scud.Mark
	for _, mark := range b.due("", "") {
		if b.tasks[mark.ID].undone {
			marks = append(marks, mark)
		}
	}
	_, _ = b.tag.Mark(ctx, marks...)
}

// lockPlan makes sure that no other loop works through the same tasks of the same file, which work trees share when git ignores it.
func (l *loop) lockPlan(loop string) error {
	if l.plan == nil {
		return nil
	}
	key := planKey(l.plan.root, l.plan.tag)
	if key == l.lockedPlan {
		return nil
	}
	lock, err := l.repo.LockPlan(loop, key)
	if err == nil {
		l.locks, l.lockedPlan = append(l.locks, lock), key
	}
	return err
}

// lockSharedPlan is lockPlan before a loop begins: unless it will have a copy of the plan in a work tree of its own.
func (l *loop) lockSharedPlan(ctx context.Context, q StartRequest) error {
	if l.plan == nil {
		return nil
	}
	if q.Worktree != "" {
		b, err := l.plan.look(ctx)
		if err != nil {
			return err
		}
		ignored, err := b.ignoredFile(ctx, l.repo)
		if err != nil || !ignored {
			return err
		}
	}
	return l.lockPlan(q.Name)
}

// planKey names a tag of a plan on this machine.
func planKey(root, tag string) gitstate.PlanKey {
	if resolved, err := filepath.EvalSymlinks(root); err == nil {
		root = resolved
	}
	return gitstate.PlanKey{Root: root, Tag: tag}
}
