package gitstate

import (
	"context"
	"fmt"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// landingRef says that this work tree is in the middle of a landing, or of a switch to a loop's branch: each work tree has one of its own. It names a commit on where HEAD was and on the
// target, whose message says the rest.
const landingRef plumbing.ReferenceName = "refs/worktree/ralph-landing"

// Landing is a loop's work on its way onto a branch, in this work tree: HEAD is detached, on the branch's commit and what is put on it. The branch itself
// moves last. The caller holds the lock of the work tree.
type Landing struct {
	Loop   string
	Branch plumbing.ReferenceName // that has the loop's commits
	Into   plumbing.ReferenceName // the branch
	Target plumbing.Hash          // its commit
	Head   plumbing.ReferenceName // branch that HEAD was; empty: detached
	From   plumbing.Hash          // commit that HEAD was

	repo   *Repository
	marker plumbing.Hash
	since  time.Time       // when it began, for one that a crash left; zero: it is ours
	known  []plumbing.Hash // trees that the work tree may hold without holding anybody's work
}

// BeginLanding detaches HEAD at the branch. The work tree must be clean. After an error, or a crash, [Landing.Back] goes back.
func (r *Repository) BeginLanding(ctx context.Context, loop string, branch, into plumbing.ReferenceName) (*Landing, error) {
	l, err := r.newLanding(ctx, loop, branch, into)
	if err != nil {
		return nil, err
	}
	if l.Target.IsZero() || l.From.IsZero() {
		return nil, fmt.Errorf("land on %s: it has no commit, or HEAD has none", into.Short())
	}
	if err := l.mark(ctx); err != nil {
		return nil, err
	}
	if _, err := r.git.run(ctx, "switch", "--quiet", "--detach", "--no-overwrite-ignore", "--no-recurse-submodules", l.Target.String()); err != nil {
		return l, fmt.Errorf("switch to %s: %w", into.Short(), err)
	}
	return l, nil
}

// newLanding looks where HEAD is and where it is to go. Nothing is changed yet.
func (r *Repository) newLanding(ctx context.Context, loop string, branch, into plumbing.ReferenceName) (*Landing, error) {
	l := &Landing{Loop: loop, Branch: branch, Into: into, repo: r}
	var err error
	if l.Target, err = r.store.Resolve(into); err != nil {
		return nil, err
	}
	if l.From, err = r.store.Resolve(plumbing.HEAD); err != nil {
		return nil, err
	}
	l.Head, err = r.HeadBranch(ctx)
	return l, err
}

// mark writes down that it begins.
func (l *Landing) mark(ctx context.Context) error {
	tree, err := l.repo.TreeID(l.From)
	if err != nil {
		return err
	}
	message := Message{Subject: "ralph: landing " + l.Loop, Trailers: []Trailer{
		{"Landing-Loop", l.Loop}, {"Landing-Branch", l.Branch.String()}, {"Landing-Into", l.Into.String()}, {"Landing-Head", l.Head.String()},
	}}
	_, pending, err := l.repo.plainCommit(ctx, tree, []plumbing.Hash{l.From, l.Target}, message.String())
	if err != nil {
		return err
	}
	if err := l.repo.store.WriteObjects(ctx, []plumbing.EncodedObject{pending}); err != nil {
		return err
	}
	l.marker = pending.Hash()
	return l.repo.MoveRef(ctx, "ralph: land "+l.Loop, RefUpdate{Name: landingRef, New: l.marker})
}

// OpenLanding returns the landing that a crash left in this work tree; nil: there is none.
func (r *Repository) OpenLanding() (*Landing, error) {
	id, err := r.store.Resolve(landingRef)
	if err != nil || id.IsZero() {
		return nil, err
	}
	commit, err := object.GetCommit(r.store, id)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", landingRef, err)
	}
	if len(commit.ParentHashes) != 2 {
		return nil, fmt.Errorf("read %s: commit %s says of no landing", landingRef, id)
	}
	l := &Landing{From: commit.ParentHashes[0], Target: commit.ParentHashes[1], repo: r, marker: id, since: commit.Committer.When}
	for _, t := range ParseMessage(commit.Message).Trailers {
		switch t.Key {
		case "Landing-Loop":
			l.Loop = t.Value
		case "Landing-Branch":
			l.Branch = plumbing.ReferenceName(t.Value)
		case "Landing-Into":
			l.Into = plumbing.ReferenceName(t.Value)
		case "Landing-Head":
			l.Head = plumbing.ReferenceName(t.Value)
		}
	}
	return l, nil
}

// Moved reports whether the branch has moved to what is in this work tree: then all that is left to do is [Landing.Arrive].
func (l *Landing) Moved() (bool, error) {
	into, err := l.repo.store.Resolve(l.Into)
	if err != nil || into == l.Target {
		return false, err
	}
	head, err := l.repo.store.Resolve(plumbing.HEAD)
	return err == nil && head == into, err
}

// Arrive writes the note of the last commit, moves the branch to it and makes it HEAD. When the branch has moved meanwhile the error is a *[ConflictError].
func (l *Landing) Arrive(ctx context.Context, commit plumbing.Hash, note *Note) error {
	if note != nil {
		text, err := encodeNote(*note)
		if err != nil {
			return fmt.Errorf("write note of %s: %w", commit, err)
		}
		if err := l.repo.transactWithNotes(ctx, Transaction{Message: "ralph: land " + l.Loop}, nil, map[plumbing.Hash][]byte{commit: text}); err != nil {
			return err
		}
	}
	if moved, err := l.Moved(); err != nil {
		return err
	} else if !moved {
		if err := l.repo.MoveRef(ctx, "ralph: land "+l.Loop, RefUpdate{Name: l.Into, Old: l.Target, New: commit}); err != nil {
			return err
		}
	}
	if err := l.repo.AttachHead(ctx, l.Into, "ralph: land "+l.Loop); err != nil {
		return err
	}
	return l.forget(ctx)
}

// forget ends the landing.
func (l *Landing) forget(ctx context.Context) error {
	return l.repo.MoveRef(ctx, "ralph: land "+l.Loop, RefUpdate{Name: landingRef, Old: l.marker})
}
