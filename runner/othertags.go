package runner

import (
	"context"
	"fmt"

	"github.com/git-ralph/git-ralph/scud"
)

// putBackOthers undoes what the agent wrote of the tasks of other tags. What a loop over such a tag did meanwhile stays.
func (l *loop) putBackOthers(ctx context.Context, before *scud.Plan, b *board) error {
	for _, tag := range b.all.Tags {
		was, had := before.Tag(tag.Name)
		if tag == b.tag || !had {
			continue
		}
		marks := changedSince(was, tag)
		if len(marks) == 0 {
			continue
		}
		if held, err := l.repo.PlanHeld(planKey(b.root, tag.Name)); err != nil || held != nil {
			continue // that loop puts back what is not its own
		}
		if err := l.putBackOther(ctx, tag, marks); err != nil {
			return err
		}
	}
	return nil
}

// changedSince are the marks that make the statuses of a tag what they were.
func changedSince(was, now *scud.Tag) []scud.Mark {
	var marks []scud.Mark
	for _, task := range now.Tasks {
		if old, had := was.Task(task.ID); had && old.Status != task.Status {
			marks = append(marks, scud.Mark{ID: task.ID, Status: old.Status, Written: old.Written})
		}
	}
	return marks
}

// putBackOther writes those marks that no loop's history contradicts.
func (l *loop) putBackOther(ctx context.Context, tag *scud.Tag, marks []scud.Mark) error {
	settled, err := l.settledIn(ctx, tag.Name)
	if err != nil {
		return err
	}
	var wrong []scud.Mark
	for _, mark := range marks {
		if task, _ := tag.Task(mark.ID); settled[task.ID] != task.Status {
			wrong = append(wrong, mark)
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	changes, err := tag.Mark(ctx, wrong...)
	if err != nil {
		return fmt.Errorf("mark tasks: %w", planError(err))
	}
	for i := range changes {
		changes[i].ID = tag.Name + ":" + changes[i].ID
	}
	l.tellMarks(changes)
	return nil
}

// settledIn says how the loops of this repository settled the tasks of a tag. One that cannot be read says nothing.
func (l *loop) settledIn(ctx context.Context, tag string) (map[string]scud.Status, error) {
	loops, err := l.repo.Loops(ctx)
	if err != nil {
		return nil, err
	}
	settled := map[string]scud.Status{}
	for _, other := range loops {
		view, err := Read(ctx, l.repo, other)
		if err != nil || view.Config.ScudTag != tag {
			continue
		}
		past := openPlan("", view.Config)
		if past.remember(ctx, l.repo, other) != nil {
			continue
		}
		for id, task := range past.tasks {
			switch {
			case task.done:
				settled[id] = scud.Done
			case task.blocked != "" && settled[id] == "":
				settled[id] = scud.Blocked
			}
		}
	}
	return settled, nil
}
