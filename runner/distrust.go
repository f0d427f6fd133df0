package runner

import (
	"context"
	"path/filepath"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// ignoredFile reports whether the task file is in nobody's commits: then work trees and loops share it, and no commit tells what it said before.
func (b *board) ignoredFile(ctx context.Context, repo *gitstate.Repository) (bool, error) {
	return repo.Ignores(ctx, filepath.Join(b.root, filepath.FromSlash(b.tag.File)))
}

// distrust takes back what was seen of statuses that may have been written by the agent of another loop which was killed over the same file: what that loop knew
// counts. A loop that went on, or was cancelled, has made the file right itself.
func (b *board) distrust(ctx context.Context, repo *gitstate.Repository) error {
	ignored, err := b.ignoredFile(ctx, repo)
	if err != nil || !ignored {
		return err
	}
	loops, err := repo.Loops(ctx)
	if err != nil {
		return err
	}
	for _, other := range loops {
		view, err := Read(ctx, repo, other)
		if err != nil || view.Config.ScudTag != b.plan.tag || view.Config.Statuses == nil || !crashed(view.State) || view.Running != nil {
			continue
		}
		root, err := locatePlan(ctx, repo, view.Config)
		if err != nil || planKey(root, b.plan.tag) != planKey(b.root, b.plan.tag) {
			continue
		}
		past := openPlan(root, view.Config)
		if past.remember(ctx, repo, other) == nil && b.goBy(past) {
			b.plan.killed = append(b.plan.killed, other.Name)
		}
	}
	return nil
}

// goBy takes over what another loop knows of tasks where the file says otherwise, and returns whether it does.
func (b *board) goBy(past *plan) bool {
	theirs, any := &board{plan: past, tag: b.tag, all: b.all, graph: b.graph}, false
	for _, mark := range theirs.due("", "") {
		any = true
		if mark.Status == scud.Pending {
			delete(b.known, mark.ID)
		} else {
			b.known[mark.ID] = known{mark.Status, mark.Written}
		}
	}
	return any
}

// correctIgnored makes an ignored task file say what the loop knows before an event says that the loop was killed no longer: it would be believed from then on.
// Of a tracked one the loop's commits say it.
func (l *loop) correctIgnored(ctx context.Context) error {
	if !crashed(l.state) || l.config.Statuses == nil || l.reopenPlan(ctx) != nil || l.plan == nil {
		return nil // without a plan here there is nothing to believe
	}
	defer func() { l.plan = nil }()
	if held, err := l.repo.PlanHeld(planKey(l.plan.root, l.plan.tag)); err != nil || held != nil {
		return err // that loop puts back what is not its own
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return err
	}
	if ignored, err := b.ignoredFile(ctx, l.repo); err != nil || !ignored {
		return err
	}
	changed, err := l.correct(ctx, b, "", "")
	l.tellMarks(changed)
	return err
}
