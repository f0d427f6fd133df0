package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Gathered is what an agent left behind.
type Gathered struct {
	Parent plumbing.Hash            // parent for the iteration's commit: our tip, or what the agent committed above it
	Branch plumbing.Hash            // value of the loop branch now, which the transaction must expect; never zero
	Stray  string                   // what the agent did to HEAD, one line; empty: HEAD's first-parent line holds our tip
	Kept   []plumbing.ReferenceName // refs that hold what was moved away from
	Told   []string                 // lines for the user: locks moved away, a merge that was ended
}

// GatherRequest says where the loop is.
type GatherRequest struct {
	Loop   string                 // name
	Branch plumbing.ReferenceName // the loop branch
	Tip    plumbing.Hash          // our last commit
	Since  time.Time              // begin of the iteration: a lock file is only moved away when younger
	Guard  Guard                  // what is left out where uncommitted work is kept

	// Alive tells whether another living process works in the work tree, ourselves and those that started us aside: then
	// a lock file may be its. nil: unknown, every lock file is the user's.
	Alive func() (bool, error)

	Patience time.Duration // how long to wait for a lock file that is somebody else's; zero means 10s
}

// Gather brings HEAD back onto the loop branch after an agent ran, without losing a byte.
//
// HEAD's first-parent line holds our tip: its commits are adopted (Parent), and the loop branch is HEAD again. It does
// not: HEAD and the uncommitted work are kept under refs/ralph/kept/<loop>/<n>, the work tree goes back to our tip, and
// Stray says so. Commits that HEAD was on since our tip was written and that no ref holds any more are kept too. A merge,
// rebase, cherry-pick or revert left open is ended with --quit, its other parent kept. Lock files that the agent left are
// moved into the loop's directory. It is done by steps that may each be repeated: after a crash call it again. The error is a *[LockFileError] when a lock file is in the way that is not the agent's.
func (r *Repository) Gather(ctx context.Context, q GatherRequest) (Gathered, error) {
	var found Gathered
	told, err := r.moveLeftLocks(ctx, q)
	if err != nil {
		return found, err
	}
	found.Told = told
	if err := r.mend(ctx, q, &found); err != nil {
		return found, err
	}
	if err := r.endOperations(ctx, q, &found); err != nil {
		return found, err
	}
	if err := r.keepForsaken(ctx, q, &found); err != nil {
		return found, err
	}
	h, err := r.readHead(ctx, q)
	if err != nil {
		return found, err
	}
	if h.onLine {
		err = r.adopt(ctx, q, h, &found)
	} else {
		err = r.bringBack(ctx, q, h, &found)
	}
	return found, err
}

// head returns HEAD's commit, and an empty string when HEAD is unborn or its commit cannot be read.
func (r *Repository) head(ctx context.Context) (string, error) {
	id, err := r.store.Resolve(plumbing.HEAD)
	if err != nil || id.IsZero() {
		return "", err
	}
	return id.String(), nil
}

// head is where HEAD and the loop branch are.
type head struct {
	target plumbing.ReferenceName // the branch that HEAD is on; empty: detached
	commit plumbing.Hash          // zero: none, or one that cannot be read
	branch plumbing.Hash          // value of the loop branch; zero: there is none
	onLine bool                   // the first-parent line of commit holds our tip
}

// readHead finds out where HEAD is.
func (r *Repository) readHead(ctx context.Context, q GatherRequest) (head, error) {
	target, err := r.headTarget(ctx)
	if err != nil {
		return head{}, fmt.Errorf("read HEAD: %w", err)
	}
	commit, err := r.head(ctx)
	if err != nil {
		return head{}, fmt.Errorf("read HEAD: %w", err)
	}
	branch, err := r.git.line(ctx, "rev-parse", "--quiet", "--verify", q.Branch.String())
	if err != nil && exitCode(err) < 1 {
		return head{}, fmt.Errorf("read %s: %w", q.Branch, err)
	}
	h := head{target: plumbing.ReferenceName(target), commit: plumbing.NewHash(commit), branch: plumbing.NewHash(branch)}
	h.onLine, err = r.onLine(ctx, h.commit, q.Tip)
	return h, err
}

// headTarget returns the ref that HEAD names; empty: detached. git does not say it when the ref is broken, the file
// does.
func (r *Repository) headTarget(ctx context.Context) (string, error) {
	target, err := r.git.line(ctx, "symbolic-ref", "--quiet", "HEAD")
	switch exitCode(err) {
	case 1:
		return "", nil
	case 128:
		if name, ok := strings.CutPrefix(readText(filepath.Join(r.GitDir, "HEAD")), "ref: refs/"); ok {
			return "refs/" + strings.TrimSpace(name), nil
		}
	}
	return target, err
}

// onLine reports whether the first-parent line of commit holds tip. It reads no further than to what tip holds itself.
func (r *Repository) onLine(ctx context.Context, commit, tip plumbing.Hash) (bool, error) {
	if commit.IsZero() || commit == tip {
		return !commit.IsZero(), nil
	}
	out, err := r.git.line(ctx, "rev-list", "--first-parent", "--parents", commit.String(), "^"+tip.String())
	if err != nil {
		return false, fmt.Errorf("follow the first parents of %s: %w", commit, err)
	}
	for line := range strings.Lines(out) {
		if ids := strings.Fields(line); len(ids) > 1 && ids[1] == tip.String() {
			return true, nil
		}
	}
	return false, nil
}

// adopt makes the loop branch and HEAD what HEAD's commit is: ours, or the agent's above ours.
func (r *Repository) adopt(ctx context.Context, q GatherRequest, h head, found *Gathered) error {
	found.Parent, found.Branch = h.commit, h.commit
	if h.target == q.Branch {
		return nil
	}
	if err := r.keepLost(ctx, q, h.branch, []plumbing.Hash{h.commit}, found); err != nil {
		return err
	}
	if h.branch != h.commit {
		if err := r.updateRef(ctx, q.Branch, h.commit, h.branch, "ralph: adopt the agent's commits"); err != nil {
			return fmt.Errorf("move the loop branch: %w", err)
		}
	}
	found.Told = append(found.Told, fmt.Sprintf("HEAD was %s: it is on %s again, with the commits made there", h.place(), q.Branch.Short()))
	return r.AttachHead(ctx, q.Branch, "ralph: back on the loop branch")
}

// keepLost keeps a commit that none of the others holds. A zero commit needs no keeping.
func (r *Repository) keepLost(ctx context.Context, q GatherRequest, commit plumbing.Hash, others []plumbing.Hash, found *Gathered) error {
	if commit.IsZero() {
		return nil
	}
	held, err := r.holds(ctx, commit, others...)
	if err != nil || held {
		return err
	}
	ref, err := r.keepCommit(ctx, q.Loop, commit)
	if err == nil {
		found.Kept = append(found.Kept, ref)
	}
	return err
}

// place says where HEAD is.
func (h head) place() string {
	switch {
	case h.target == "":
		return "detached at " + short(h.commit)
	case h.commit.IsZero():
		return "on " + h.target.Short() + ", which has no commit that can be read"
	}
	return "on " + h.target.Short()
}

// stray says what is wrong with where HEAD is.
func (h head) stray(q GatherRequest) string {
	switch {
	case h.target != q.Branch:
		return fmt.Sprintf("HEAD was %s, without the loop's last commit %s", h.place(), short(q.Tip))
	case h.commit.IsZero():
		return "the loop branch was deleted"
	}
	return fmt.Sprintf("the loop branch was taken back or rewritten to %s, without the loop's last commit %s", short(h.commit), short(q.Tip))
}

// short is how ids are told.
func short(id plumbing.Hash) string { return id.String()[:7] }

// bringBack keeps where HEAD is and what is uncommitted, then takes the work tree, the loop branch and HEAD back to our
// tip, in this order: a call after a crash finds HEAD still astray and does it again.
func (r *Repository) bringBack(ctx context.Context, q GatherRequest, h head, found *Gathered) error {
	found.Stray = h.stray(q)
	found.Parent, found.Branch = q.Tip, q.Tip
	if err := r.keepLost(ctx, q, h.branch, []plumbing.Hash{q.Tip, h.commit}, found); err != nil {
		return err
	}
	if err := r.restoreTip(ctx, q, h, found); err != nil {
		return fmt.Errorf("take the work tree back to %s: %w", short(q.Tip), err)
	}
	if h.branch != q.Tip {
		if err := r.updateRef(ctx, q.Branch, q.Tip, h.branch, "ralph: back to the loop's last commit"); err != nil {
			return fmt.Errorf("take the loop branch back: %w", err)
		}
	}
	if h.target == q.Branch {
		return nil
	}
	return r.AttachHead(ctx, q.Branch, "ralph: back on the loop branch")
}

// restoreTip keeps HEAD and the uncommitted work, and brings index and work tree from there to our tip. Ignored files
// and those that the guard left out stay.
func (r *Repository) restoreTip(ctx context.Context, q GatherRequest, h head, found *Gathered) (err error) {
	snap, err := r.snapshot(ctx, q.Guard, q.Tip)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, snap.Close()) }()
	if err := snap.takeInTheWay(ctx, q.Tip); err != nil {
		return err
	}
	tipTree, err := r.git.line(ctx, "rev-parse", "--verify", q.Tip.String()+"^{tree}")
	if err != nil {
		return err
	}
	kept := h.commit // all that there is when the work tree is at our tip, or restored to it by a call before a crash
	if snap.Tree.String() != tipTree {
		if kept, err = r.headWith(ctx, q.Loop, snap.Tree, q.Tip, "ralph: work kept for "+q.Loop+"\n\n"+found.Stray+"\n"); err != nil {
			return err
		}
	}
	if err := r.keepLost(ctx, q, kept, []plumbing.Hash{q.Tip}, found); err != nil {
		return err
	}
	return snap.switchTo(ctx, q.Tip, found)
}
