package gitstate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// movingPrefix is where the refs are that say where a work tree comes from while it moves with a loop's branch: <loop>.
const movingPrefix = "refs/ralph/moving/"

// MoveRequest says where a loop goes.
type MoveRequest struct {
	Loop   Loop          // with the tip that was read
	Branch plumbing.Hash // value that the loop branch must have
	Tip    plumbing.Hash // our last commit is this from now on
	To     plumbing.Hash // the branch is this
	From   plumbing.Hash // commit that the work tree is at, when HEAD is the loop branch: Branch, or what holds the uncommitted work too
	Reflog string        // message for the reflogs
	Guard  Guard         // what is left out where something is in the way, and is kept
}

// Move takes the loop's tip and branch somewhere else in one transaction, and then the work tree if HEAD is the branch. What From does not hold of the
// work tree is kept. After a crash [Repository.FinishMove] completes it. The caller holds the locks of the loop and of the work tree, and has kept what
// the branch moves away from.
func (r *Repository) Move(ctx context.Context, q MoveRequest) error {
	if q.From == q.Branch && q.From != q.To { // a branch that goes to this commit's own parent would look as if it had not moved
		tree, err := r.TreeID(q.From)
		if err != nil {
			return fmt.Errorf("move loop %s: %w", q.Loop.Name, err)
		}
		if q.From, err = r.CommitTree(ctx, tree, []plumbing.Hash{q.From}, "ralph: work tree of "+q.Loop.Name+"\n"); err != nil {
			return fmt.Errorf("move loop %s: %w", q.Loop.Name, err)
		}
	}
	updates := []RefUpdate{{Name: q.Loop.TipRef(), Old: q.Loop.Tip, New: q.Tip}, {Name: q.Loop.Branch, Old: q.Branch, New: q.To}}
	if q.Loop.Found != q.Loop.TipRef() {
		updates[0].Old = plumbing.ZeroHash // found on a branch: the tip ref is made now
	}
	if q.From != q.To {
		updates = slices.Insert(updates, 0, RefUpdate{Name: movingRef(q.Loop.Name), New: q.From}) // first: killed between two renames the move is known
	}
	if err := r.store.Transact(ctx, Transaction{Message: q.Reflog, Updates: updates}); err != nil {
		return fmt.Errorf("move loop %s: %w", q.Loop.Name, err)
	}
	_, err := r.FinishMove(ctx, Loop{Name: q.Loop.Name, Branch: q.Loop.Branch, Tip: q.Tip}, q.Guard)
	return err
}

func movingRef(loop string) plumbing.ReferenceName {
	return plumbing.ReferenceName(movingPrefix + loop)
}

// MovingLoops returns the names of the loops of which a move was begun and not ended.
func (r *Repository) MovingLoops(ctx context.Context) ([]string, error) {
	refs, err := r.store.Refs(ctx, movingPrefix)
	if err != nil {
		return nil, fmt.Errorf("look for unfinished moves: %w", err)
	}
	var loops []string
	for _, ref := range refs {
		loops = append(loops, strings.TrimPrefix(ref.Name.String(), movingPrefix))
	}
	return loops, nil
}

// Moving reports whether a move of the loop was begun and not ended.
func (r *Repository) Moving(loop string) (bool, error) {
	from, err := r.store.Resolve(movingRef(loop))
	return !from.IsZero(), err
}

// FinishMove completes a move of a loop that was cut short, and reports what was kept; mostly there is none. What the work tree holds that is neither of
// where it came from nor of where it goes is kept first.
func (r *Repository) FinishMove(ctx context.Context, l Loop, g Guard) (kept []plumbing.ReferenceName, err error) {
	from, err := r.store.Resolve(movingRef(l.Name))
	if err != nil || from.IsZero() {
		return nil, err
	}
	begun, err := r.moved(l, from)
	if err != nil {
		return nil, err
	}
	head, err := r.HeadBranch(ctx)
	if err != nil {
		return nil, err
	}
	if begun && head != l.Branch {
		if path, err := r.CheckedOutAt(ctx, l.Branch); err != nil || path != "" {
			return nil, err // there it is to be completed
		}
	}
	if begun && head == l.Branch {
		if kept, err = r.follow(ctx, l, from, g); err != nil {
			return kept, fmt.Errorf("move the work tree of loop %s: %w", l.Name, err)
		}
	}
	return kept, r.MoveRef(ctx, "ralph: moved", RefUpdate{Name: movingRef(l.Name), Old: from})
}

// moved reports whether the loop branch has left the commit that the work tree comes from: killed before that, the transaction moved nothing of the loop.
func (r *Repository) moved(l Loop, from plumbing.Hash) (bool, error) {
	branch, err := r.store.Resolve(l.Branch)
	if err != nil || branch == from {
		return false, err
	}
	commit, err := object.GetCommit(r.store, from)
	if err != nil {
		return false, fmt.Errorf("read commit %s: %w", from, err)
	}
	return len(commit.ParentHashes) == 0 || commit.ParentHashes[0] != branch, nil
}

// completeMove moves a loop branch that a killed transaction left behind while the tip moved away from it, and returns where it is.
func (r *Repository) completeMove(ctx context.Context, l Loop, branch plumbing.Hash) (plumbing.Hash, error) {
	from, err := r.store.Resolve(movingRef(l.Name))
	if err != nil || from.IsZero() || branch.IsZero() {
		return branch, err
	}
	if moved, err := r.moved(l, from); err != nil || moved {
		return branch, err
	}
	if still, err := r.onLine(ctx, branch, l.Tip); err != nil || still {
		return branch, err
	}
	return l.Tip, r.MoveRef(ctx, "ralph: complete the move", RefUpdate{Name: l.Branch, Old: branch, New: l.Tip})
}

// follow brings index and work tree, which are on their way from a commit, to the loop branch.
func (r *Repository) follow(ctx context.Context, l Loop, from plumbing.Hash, g Guard) (kept []plumbing.ReferenceName, err error) {
	to, err := r.store.Resolve(l.Branch)
	if err != nil {
		return nil, err
	}
	snap, err := r.snapshot(ctx, g, to)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	if err := snap.takeInTheWay(ctx, to); err != nil {
		return nil, err
	}
	foreign, err := r.foreign(ctx, snap.Tree, from, to)
	if err != nil {
		return nil, err
	}
	if foreign {
		work, err := r.CommitTree(ctx, snap.Tree, []plumbing.Hash{from}, "ralph: work kept for "+l.Name+"\n\nIt lay in the work tree when the loop moved.\n")
		if err != nil {
			return nil, err
		}
		ref, err := r.keepCommit(ctx, l.Name, work)
		if err != nil {
			return nil, err
		}
		kept = append(kept, ref)
	}
	var found Gathered
	return kept, snap.switchTo(ctx, to, &found)
}

// foreign reports whether a tree holds something that none of the commits has at that place.
func (r *Repository) foreign(ctx context.Context, tree plumbing.Hash, commits ...plumbing.Hash) (bool, error) {
	var everywhere []string // differs from all so far
	for i, commit := range commits {
		out, err := r.git.run(ctx, "diff-tree", "-r", "--no-renames", "--name-only", "-z", tree.String(), commit.String())
		if err != nil {
			return false, err
		}
		differ := splitNul(out)
		if i > 0 {
			known := setOf(differ)
			differ = slices.DeleteFunc(everywhere, func(path string) bool { return !known[path] })
		}
		if everywhere = differ; len(everywhere) == 0 {
			return false, nil
		}
	}
	return true, nil
}
