package runner

import (
	"context"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// settledWaves returns the commits of the waves in which the loop settled a task, nothing is left to run, and that have none yet, with that tree.
func (b *board) settledWaves(tree plumbing.Hash) []gitstate.Entry {
	var entries []gitstate.Entry
	for _, w := range b.order {
		ours := slices.ContainsFunc(w.Tasks, func(leaf string) bool { return b.tasks[leaf].settled() })
		if b.closed[w.Number] || !ours || b.open(w) {
			continue
		}
		entries = append(entries, gitstate.Entry{Record: b.waveRecord(w, tree)})
	}
	return entries
}

// waveRecord is the commit that closes a wave.
func (b *board) waveRecord(w scud.Wave, tree plumbing.Hash) gitstate.Record {
	record := gitstate.Record{Kind: gitstate.Wave, Wave: new(w.Number), Tree: tree, Subject: fmt.Sprintf("feat(%s): complete wave %d", b.plan.tag, w.Number)}
	for _, leaf := range w.Tasks {
		switch past := b.tasks[leaf]; {
		case past.done:
			record.WaveDone = append(record.WaveDone, leaf)
		case past.blocked != "":
			record.WaveBlocked = append(record.WaveBlocked, leaf)
		}
	}
	return record
}

// settledWaves returns the commits of waves whose last task the user settled while the loop did not run.
func (l *loop) settledWaves(ctx context.Context, tree plumbing.Hash) ([]gitstate.Entry, error) {
	if l.plan == nil {
		return nil, nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return nil, err
	}
	return b.settledWaves(tree), nil
}

// tookWaves follows the commits that came with another one.
func (l *loop) tookWaves(entries []gitstate.Entry) {
	for _, entry := range entries {
		l.plan.take(entry.Record)
		l.tell("%s", entry.Record.Subject)
	}
}

// withPlanFile returns a snapshot that is HEAD's tree with the plan's file as it is now; nil: it is none of the work tree's.
func (l *loop) withPlanFile(ctx context.Context) (*gitstate.Snapshot, error) {
	if l.plan == nil {
		return nil, nil
	}
	b, err := l.plan.look(ctx)
	if err != nil {
		return nil, err
	}
	files := l.taskFiles(b)
	if files == nil {
		return nil, nil
	}
	return l.repo.TreeOf(ctx, files)
}
