package runner

import (
	"context"
	"errors"

	"github.com/go-git/go-git/v5/plumbing"
)

// foreseen is the diff stat that the next prompt will show: git makes it while the iteration is being committed.
type foreseen struct {
	tree plumbing.Hash // what it is of
	done chan struct{} // closed when the fields below are set
	text string
	err  error
}

// errUnforeseen says that no stat was made, or that of another tree.
var errUnforeseen = errors.New("no diff stat is at hand")

// foresee begins to make the diff stat of the snapshot if another iteration may show it.
func (l *loop) foresee(ctx context.Context, it *iteration) {
	l.foreseen.wait() // of an earlier try
	l.foreseen = nil
	if !l.config.IterationContext || l.state.Last.Tree == it.snapshot.Tree {
		return
	}
	base, repo := l.state.Last.Tree, l.repo
	f := &foreseen{tree: it.snapshot.Tree, done: make(chan struct{})}
	l.foreseen = f
	go func() {
		defer close(f.done)
		f.text, f.err = repo.DiffStat(ctx, base, f.tree, diffStatLines)
	}()
}

// wait returns when git is done.
func (f *foreseen) wait() {
	if f != nil {
		<-f.done
	}
}

// stat returns the diff stat that leads to a tree.
func (f *foreseen) stat(tree plumbing.Hash) (string, error) {
	if f == nil || f.tree != tree {
		return "", errUnforeseen
	}
	f.wait()
	return f.text, f.err
}
