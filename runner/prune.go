package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// Prunable is what is left of a loop that has landed.
type Prunable struct {
	Loop     string
	Branch   string        // short name
	Landed   plumbing.Hash // commit that landed it
	Kept     int           // kept refs
	Notes    int           // commits of the loop's chain, each with a note
	LogBytes int64         // raw output
	Worktree string        // linked worktree that its branch is checked out in; empty: none
	Ignored  []string      // ignored files in there, which would go with it
	Remotes  []string      // that had the branch when they were asked last: it stays there
	Stays    string        // why it cannot be removed now; empty: it can

	refs  []gitstate.Ref
	noted []plumbing.Hash
	locks gitstate.OwnLocks
}

// Prunable returns the loops that have landed as they are: whose branch's commit is named by a Ralph-Landed on a branch here or of a remote, by a commit that has their work. With a name
// only that loop; the error wraps [gitstate.ErrNoLoop] when there is none. A loop that has not landed is not returned.
func (r *Runner) Prunable(ctx context.Context, name string) ([]Prunable, error) {
	loops, err := r.Repo.Loops(ctx)
	if name != "" {
		var found gitstate.Loop
		found, err = r.Repo.FindLoop(ctx, name)
		loops = []gitstate.Loop{found}
	}
	if err != nil || len(loops) == 0 {
		return nil, err
	}
	landed, err := r.Repo.LandedIn(ctx)
	if err != nil || len(landed) == 0 {
		return nil, err
	}
	var all []Prunable
	for _, l := range loops {
		if l.Found.IsRemote() {
			continue
		}
		state, err := r.Repo.State(ctx, l)
		if err != nil {
			continue // what cannot be read is not removed
		}
		p, ok, err := r.prunable(ctx, state, landed)
		if err != nil {
			return nil, fmt.Errorf("look at loop %s: %w", l.Name, err)
		}
		if ok {
			all = append(all, p)
		}
	}
	return all, nil
}

// prunable looks at one loop; false: it has not landed.
func (r *Runner) prunable(ctx context.Context, state gitstate.State, landed []gitstate.LandedAt) (p Prunable, ok bool, err error) {
	l := state.Loop
	branch, err := r.Repo.Resolve(l.Branch)
	if err != nil {
		return p, false, err
	}
	last := branch
	if branch.IsZero() {
		last = l.Tip
	}
	p = Prunable{Loop: l.Name, Branch: l.Branch.Short(), locks: gitstate.OwnLocks{Loop: l.Name, Branch: l.Branch, Since: state.Last.Time}}
	for _, at := range landed {
		if at.Loop != l.Name || at.Tip != last {
			continue
		}
		holds, err := r.Repo.BringsWork(ctx, at.Commit, last)
		if err != nil {
			return p, false, err
		}
		if holds { // anybody who pushes can write the trailer
			p.Landed = at.Commit
		}
	}
	if p.Landed.IsZero() {
		return p, false, nil
	}
	if p.refs, err = r.Repo.LoopRefs(ctx, l.Name); err != nil {
		return p, false, err
	}
	for _, ref := range p.refs {
		if filepath.Base(filepath.Dir(filepath.Dir(ref.Name.String()))) == "kept" {
			p.Kept++
		}
	}
	if !branch.IsZero() {
		p.refs = append(p.refs, gitstate.Ref{Name: l.Branch, Hash: branch})
	}
	if p.noted, err = r.noted(ctx, l, p.refs); err != nil {
		return p, false, err
	}
	if p.Remotes, err = r.remotesWith(ctx, l.Branch); err != nil {
		return p, false, err
	}
	p.Notes = len(p.noted)
	p.LogBytes = sizeOf(r.Repo.LoopDir(l.Name))
	return p, true, r.lookAtWorktree(ctx, &p, l.Branch)
}

// remotesWith returns the remotes that have a branch, as far as it is known here.
func (r *Runner) remotesWith(ctx context.Context, branch plumbing.ReferenceName) ([]string, error) {
	names, err := r.Repo.Remotes(ctx)
	if err != nil {
		return nil, err
	}
	var with []string
	for _, name := range names {
		there, err := r.Repo.Resolve(plumbing.NewRemoteReferenceName(name, branch.Short()))
		if err != nil {
			return nil, err
		}
		if !there.IsZero() {
			with = append(with, name)
		}
	}
	return with, nil
}

// noted returns our commits of the loop, those that it moved away from too: each may have a note.
func (r *Runner) noted(ctx context.Context, l gitstate.Loop, refs []gitstate.Ref) (commits []plumbing.Hash, err error) {
	lines := []gitstate.Loop{l}
	for _, ref := range refs {
		below, err := r.Repo.LoopBelow(ref.Hash)
		if err != nil {
			return nil, err
		}
		if below.Name == l.Name {
			lines = append(lines, below)
		}
	}
	seen := map[plumbing.Hash]bool{}
	for _, line := range lines {
		for record, err := range r.Repo.Records(ctx, line) {
			if err != nil {
				return nil, err
			}
			if seen[record.Commit] {
				break // from here on it is a line that was read before
			}
			seen[record.Commit] = true
			commits = append(commits, record.Commit)
		}
	}
	return commits, nil
}

// lookAtWorktree finds out where the branch is checked out, and what keeps it there.
func (r *Runner) lookAtWorktree(ctx context.Context, p *Prunable, branch plumbing.ReferenceName) error {
	if held, err := r.Repo.Running(p.Loop); err != nil {
		return err
	} else if held != nil {
		p.Stays = "it runs"
		return nil
	}
	path, err := r.Repo.CheckedOutAt(ctx, branch)
	if err != nil || path == "" {
		return err
	}
	if path == r.Repo.TopLevel {
		p.Stays = "HEAD is its branch"
		return nil
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		return nil // gone already
	}
	there, err := r.Repo.At(ctx, path)
	if err != nil {
		return err
	}
	defer there.Close()
	if !there.IsLinked() {
		p.Stays = "its branch is checked out at " + path
		return nil
	}
	p.Worktree = path
	dirty, err := there.Dirty(ctx)
	if err != nil {
		return err
	}
	if len(dirty) > 0 {
		p.Stays = fmt.Sprintf("uncommitted work is in %s: %s", path, some(dirty, 3))
	}
	p.Ignored, err = there.Ignored(ctx)
	return err
}

// Prune removes what is left of the loop: its linked worktree, with the ignored files in it, its refs and notes, and its raw output. Killed in the middle it
// can be called again. When the loop has changed since it was looked at, or runs, the error says so and nothing but the worktree is gone. Its lease on a
// remote goes, too, where it is ours; that it does not is a line for the user.
func (r *Runner) Prune(ctx context.Context, p Prunable) (told []string, err error) {
	if p.Stays != "" {
		return nil, &StateError{Fact: fmt.Sprintf("loop %q stays: %s", p.Loop, p.Stays)}
	}
	lock, err := r.Repo.LockLoop(p.Loop)
	if err != nil {
		return nil, err
	}
	if err = r.Repo.RemovePruneLocks(ctx, p.locks, p.refs); err == nil {
		told, err = r.removeLeases(ctx, p)
	}
	if err == nil {
		err = r.remove(ctx, p)
	}
	if err := errors.Join(err, lock.Release()); err != nil {
		return told, err
	}
	if err := os.RemoveAll(r.Repo.LoopDir(p.Loop)); err != nil {
		return told, fmt.Errorf("remove the output of loop %s: %w", p.Loop, err)
	}
	return told, nil
}

// removeLeases removes the loop's leases from the remotes that it was shared on.
func (r *Runner) removeLeases(ctx context.Context, p Prunable) (told []string, err error) {
	for _, name := range gitstate.LeasedOn(p.refs) {
		remote, err := r.Repo.Remote(ctx, name, "")
		if _, gone := errors.AsType[*gitstate.NoRemoteError](err); gone {
			continue
		}
		if err != nil {
			return told, err
		}
		err = remote.RemoveLease(ctx, p.Loop)
		if _, stays := errors.AsType[*gitstate.RemoteError](err); stays {
			told = append(told, fmt.Sprintf("%v: what it knows of loop %s stays there", err, p.Loop))
		} else if err != nil {
			return told, err
		}
	}
	return told, nil
}

func (r *Runner) remove(ctx context.Context, p Prunable) error {
	if p.Worktree != "" {
		if err := r.Repo.RemoveWorktree(ctx, p.Worktree); err != nil {
			return err
		}
	}
	if err := removeOutput(r.Repo.LoopDir(p.Loop)); err != nil { // while the refs still tell of the loop: who is killed finds it again
		return fmt.Errorf("remove the output of loop %s: %w", p.Loop, err)
	}
	return r.Repo.RemoveLoop(ctx, p.Loop, p.refs, p.noted)
}

// removeOutput removes what is in a loop's directory, but for the lock that is held.
func removeOutput(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	for _, entry := range entries {
		if entry.Name() != "lock" {
			err = errors.Join(err, os.RemoveAll(filepath.Join(dir, entry.Name())))
		}
	}
	return err
}

// sizeOf adds up the files in a directory; what cannot be read counts nothing.
func sizeOf(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
