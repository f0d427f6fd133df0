package runner

import (
	"context"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// leftWork is what lies in the work tree when nobody works there for the loop any more, and whose it is.
type leftWork struct {
	head   plumbing.ReferenceName // branch that HEAD is on; empty: detached
	commit plumbing.Hash          // that HEAD is detached at; zero: it is not
	above  bool                   // that is our last commit, or stands above it
	home   bool                   // head is the loop branch
	ours   bool                   // a crashed run of the loop left it; else it is the user's
	paths  []string               // what is uncommitted, but for what the loop's commits leave out
	blind  bool                   // git cannot say what is: a damaged index, which a snapshot does without
}

// any reports whether there is uncommitted work, or may be.
func (w leftWork) any() bool { return len(w.paths) > 0 || w.blind }

// meetLeftWork brings the work tree to the loop branch. Uncommitted work and commits of a crashed run become an interrupted iteration, which may be the
// last one; uncommitted work of the user's is put into a commit of its own when it is to be included, and refused else.
func (l *loop) meetLeftWork(ctx context.Context, include bool) (gitstate.Exit, error) {
	left, err := l.findLeftWork(ctx)
	if err != nil {
		return "", err
	}
	if err := l.bringHome(ctx, &left); err != nil {
		return "", err
	}
	if err := l.reopenPlan(ctx); err != nil {
		return "", err
	}
	if err := l.lockPlan(l.state.Loop.Name); err != nil {
		return "", err
	}
	if left.any() && !left.ours {
		if include && left.home {
			return "", l.includeDirty(ctx)
		}
		return "", l.refuse(left)
	}
	if !crashed(l.state) {
		return "", l.onLine(ctx)
	}
	if nothing, err := l.leftNothing(ctx, left); err != nil || nothing {
		return "", err
	}
	return l.interrupted(ctx)
}

// refuse says that uncommitted work of the user's is in the way, which can only be taken along where it is to be committed.
func (l *loop) refuse(left leftWork) error {
	dirty := &DirtyError{Paths: left.paths, Takes: left.home}
	if !left.home {
		dirty.Away = l.state.Loop.Branch.Short()
	}
	return dirty
}

// leftNothing reports whether a crash left nothing to commit: no uncommitted work, and no commit above our last one or moved away from.
func (l *loop) leftNothing(ctx context.Context, left leftWork) (bool, error) {
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil || left.any() || !left.home || branch != l.state.Loop.Tip {
		return false, err
	}
	lost, err := l.repo.Forsaken(ctx, l.state.Loop.Tip)
	return err == nil && !lost, err
}

// findLeftWork looks for uncommitted work, and says whose it is.
func (l *loop) findLeftWork(ctx context.Context) (leftWork, error) {
	left, err := l.lookForWork(ctx)
	if err != nil {
		return left, err
	}
	if l.died() && (left.any() || !left.home) {
		followed, err := l.followTip(ctx, left.head)
		if err != nil {
			return left, err
		}
		if followed {
			return leftWork{head: l.state.Loop.Branch, home: true, ours: crashed(l.state)}, nil
		}
	}
	if !left.ours {
		left.paths, err = l.toAskFor(ctx, left)
	}
	return left, err
}

// lookForWork looks where HEAD is and what is uncommitted, as git says it.
func (l *loop) lookForWork(ctx context.Context) (leftWork, error) {
	head, err := l.repo.HeadBranch(ctx)
	if err != nil {
		return leftWork{}, err
	}
	left := leftWork{head: head, home: head == l.state.Loop.Branch}
	if head == "" {
		if left.commit, err = l.repo.Resolve(plumbing.HEAD); err != nil {
			return left, err
		}
		if left.above, err = l.repo.Holds(ctx, left.commit, l.state.Loop.Tip); err != nil {
			return left, err
		}
	}
	left.ours = crashed(l.state) && (left.home || left.above || ReadLive(l.repo, l.state.Loop.Name) != nil)
	if left.paths, err = l.repo.Dirty(ctx); err != nil && !left.ours {
		return left, err
	}
	left.blind = err != nil
	return left, nil
}

// toAskFor returns what of the uncommitted paths is a change of the user's: not what the loop's commits leave out, nor its plan.
func (l *loop) toAskFor(ctx context.Context, left leftWork) ([]string, error) {
	paths, err := l.usersOwn(ctx, left.paths)
	if left.home && l.config.hasPlan() { // the loop reads them: whoever edits the plan means it, and the next iteration has it
		paths = slices.DeleteFunc(paths, inPlan)
	}
	return paths, err
}

// usersOwn returns the uncommitted paths without those that the loop leaves out of its commits: they are no change of the user's to ask for, and stay as
// they are whoever goes on.
func (l *loop) usersOwn(ctx context.Context, dirty []string) ([]string, error) {
	if len(dirty) == 0 {
		return nil, nil
	}
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil {
		return nil, err
	}
	defer snapshot.Close() // the next snapshot removes what stays behind
	out := snapshot.LeftOut()
	if len(out) == 0 {
		return dirty, nil
	}
	return l.repo.Dirty(ctx, out...)
}

// bringHome switches to the loop branch where nothing is in the way of that.
func (l *loop) bringHome(ctx context.Context, left *leftWork) error {
	if left.home || left.any() || left.head == "" && left.ours && left.commit != l.state.Loop.Tip {
		return nil
	}
	if err := l.keepDetached(ctx, left.commit); err != nil {
		return err
	}
	if err := l.repo.Switch(ctx, l.state.Loop.Name, l.state.Loop.Branch); err != nil {
		return err
	}
	left.home = true
	return nil
}

// keepDetached keeps a commit that HEAD is detached at and is to leave, unless a ref holds it. A zero commit needs no keeping.
func (l *loop) keepDetached(ctx context.Context, commit plumbing.Hash) error {
	if commit.IsZero() {
		return nil
	}
	if held, err := l.repo.HeldByRef(ctx, commit); err != nil || held {
		return err
	}
	kept, err := l.repo.KeepCommit(ctx, l.state.Loop.Name, commit)
	if err == nil {
		l.tell("HEAD was detached at %s, which is on no branch: it is kept in %s", commit.String()[:10], kept)
	}
	return err
}

// died reports whether a process that ran the loop may have been killed before its index followed the last commit.
func (l *loop) died() bool {
	return crashed(l.state) || ReadLive(l.repo, l.state.Loop.Name) != nil
}

// atTip reports whether the loop branch is where our last commit is, and no merge or the like is under way.
func (l *loop) atTip(ctx context.Context) (bool, error) {
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil || branch != l.state.Loop.Tip {
		return false, err
	}
	operation, err := l.repo.Operation(ctx)
	return err == nil && operation == "", err
}

// catchUpIndex does the same as followTip for the index only, and where nothing tells any more that a process died.
func (l *loop) catchUpIndex(ctx context.Context) error {
	if head, err := l.repo.HeadBranch(ctx); err != nil || head != l.state.Loop.Branch {
		return err
	}
	if included, err := l.catchUpIncluded(ctx); err != nil || included {
		return err
	}
	if at, err := l.atTip(ctx); err != nil || !at {
		return err
	}
	first := l.state.Last // of those that the last transaction wrote
	for first.Kind == gitstate.Wave || first.Event == gitstate.EventSetAside {
		var err error
		if first, err = l.repo.Record(first.Previous); err != nil {
			return err
		}
	}
	if first.Previous.IsZero() {
		return nil
	}
	_, err := l.repo.CatchUpIndex(ctx, first.Previous)
	return err
}

// catchUpIncluded completes the index where a kill came between the user's work that a resume put below it and the index: what was staged of that work is in no
// commit, so that the work tree tells it. It reports whether HEAD is such work.
func (l *loop) catchUpIncluded(ctx context.Context) (bool, error) {
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil || branch == l.state.Loop.Tip {
		return false, err
	}
	message, tree, err := l.repo.MessageAndTree(branch)
	if err != nil || message != workBefore(l.state.Loop.Name) {
		return false, err
	}
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil {
		return false, err
	}
	defer snapshot.Close() // the next snapshot removes what stays behind
	if snapshot.Tree == tree {
		_, err = snapshot.FollowIndex(ctx)
	}
	return true, err
}

// workBefore is the message of the commit of the user's work that a resume puts below it.
func workBefore(loop string) string { return "ralph: work before resume of " + loop + "\n" }

// followTip meets a kill between a commit and the index (or HEAD, at a start) that was to follow it: when the work tree is just what the tip holds,
// HEAD and the index follow now, and the result is true.
func (l *loop) followTip(ctx context.Context, head plumbing.ReferenceName) (bool, error) {
	if at, err := l.atTip(ctx); err != nil || !at {
		return false, err
	}
	home := head == l.state.Loop.Branch
	if !home {
		commit, err := l.repo.Resolve(plumbing.HEAD)
		if err != nil || l.state.Last.Kind != gitstate.Opening || l.state.Base == nil || l.state.Base.Commit != commit {
			return false, err
		}
	}
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil {
		return false, err
	}
	defer snapshot.Close() // the next snapshot removes what stays behind
	if snapshot.Tree != l.state.Last.Tree {
		return false, nil
	}
	if !home {
		if err := l.repo.AttachHead(ctx, l.state.Loop.Branch, "ralph: back on the loop branch"); err != nil {
			return false, err
		}
	}
	return snapshot.FollowIndex(ctx)
}

// includeDirty puts the user's uncommitted work into a commit below the resume.
func (l *loop) includeDirty(ctx context.Context) error {
	snapshot, err := l.repo.Snapshot(ctx, l.guard())
	if err != nil {
		return err
	}
	defer snapshot.Close() // the next snapshot removes what stays behind
	branch, err := l.repo.Resolve(l.state.Loop.Branch)
	if err != nil {
		return err
	}
	work, err := l.repo.CommitTree(ctx, snapshot.Tree, []plumbing.Hash{branch}, workBefore(l.state.Loop.Name))
	if err != nil {
		return err
	}
	if err := l.repo.MoveRef(ctx, "ralph: work before resume", gitstate.RefUpdate{Name: l.state.Loop.Branch, Old: branch, New: work}); err != nil {
		return err
	}
	_, err = snapshot.FollowIndex(ctx)
	return err
}
