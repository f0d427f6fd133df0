package gitstate

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// pruneNotes is where a loop's notes are taken away before that becomes the notes' ref.
func pruneNotes(loop string) plumbing.ReferenceName {
	return plumbing.ReferenceName("refs/notes/ralph-prune-" + loop)
}

// LoopRefs returns the refs that a loop has in this clone, but for its branch: tip, kept refs, guidance that waits, lease.
func (r *Repository) LoopRefs(ctx context.Context, loop string) ([]Ref, error) {
	var prefixes []string
	for _, kind := range []string{"tip", "kept", "tell", "lease", "moving"} {
		prefixes = append(prefixes, "refs/ralph/"+kind+"/"+loop)
	}
	refs, err := r.store.Refs(ctx, prefixes...)
	if err != nil {
		return nil, fmt.Errorf("list the refs of loop %s: %w", loop, err)
	}
	leased, err := r.store.Refs(ctx, strings.TrimSuffix(leasedPrefix, "/"))
	if err != nil {
		return nil, fmt.Errorf("list the leases of loop %s: %w", loop, err)
	}
	for _, ref := range leased {
		if _, of, ok := leasedBy(ref.Name); ok && of == loop {
			refs = append(refs, ref)
		}
	}
	return refs, nil
}

// leasedBy takes the name of a ref apart that holds a lease which we wrote; false: it is another ref.
func leasedBy(name plumbing.ReferenceName) (remote, loop string, ok bool) {
	rest, ok := strings.CutPrefix(name.String(), leasedPrefix)
	i := strings.LastIndexByte(rest, '/') // a remote's name may have slashes
	if !ok || i < 0 {
		return "", "", false
	}
	return rest[:i], rest[i+1:], true
}

// LeasedOn returns the remotes that a loop's refs say it was shared on.
func LeasedOn(refs []Ref) []string {
	var remotes []string
	for _, ref := range refs {
		if remote, _, ok := leasedBy(ref.Name); ok {
			remotes = append(remotes, remote)
		}
	}
	return remotes
}

// RemoveLease removes the lease of a loop from the remote where it is this clone's. Somebody else's stays, and is no error.
func (m *Remote) RemoveLease(ctx context.Context, loop string) error {
	seen, err := m.Look(ctx, loop)
	if err != nil {
		return err
	}
	lease, err := m.Lease(ctx, loop, seen)
	if err != nil {
		return err
	}
	if ours, err := m.Ours(lease); err != nil || !ours {
		return err
	}
	ref := leasePrefix + loop
	args := []string{"push", "--porcelain", "--no-verify", fmt.Sprintf("--force-with-lease=%s:%s", ref, seen.Leases[loop]), m.Name, ":" + ref}
	answer, err := m.call(ctx, remoteShort, args...)
	if err != nil {
		return err
	}
	report, err := m.readReport(args, answer)
	if refusal, refused := report.refused[plumbing.ReferenceName(ref)]; refused && err == nil && !refusal.stale() {
		return &RemoteError{Remote: m.Name, Reason: refusal.reason}
	}
	return err
}

// RemovePruneLocks removes the locks of refs that a prune of the loop left that was killed. The caller holds the loop's lock.
func (r *Repository) RemovePruneLocks(ctx context.Context, q OwnLocks, refs []Ref) error {
	q.Refs = true
	if _, err := r.RemoveOwnLocks(ctx, q); err != nil {
		return err
	}
	paths := []string{r.refLock(pruneNotes(q.Loop))}
	for _, ref := range refs {
		paths = append(paths, r.refLock(ref.Name))
	}
	leases := filepath.Join(r.CommonDir, filepath.FromSlash(leasedPrefix))
	_ = filepath.WalkDir(leases, func(path string, _ fs.DirEntry, err error) error { // one that cannot be read has no lock of ours
		if err == nil && filepath.Base(path) == q.Loop+".lock" {
			paths = append(paths, path)
		}
		return nil
	})
	for _, path := range paths {
		if _, err := r.removeDeadLock(ctx, path); err != nil {
			return fmt.Errorf("remove our own lock: %w", err)
		}
	}
	return nil
}

// RemoveLoop deletes a loop's refs and takes the notes of commits away. Refs that are not where they are said to be are a *[ConflictError]; then nothing is
// gone. Tip and branch go last: git deletes packed refs before others, and whoever is killed in the middle must find the loop again. The caller holds the
// loop's lock.
func (r *Repository) RemoveLoop(ctx context.Context, loop string, refs []Ref, noted []plumbing.Hash) error {
	var first, last []RefUpdate
	for _, ref := range refs {
		gone := RefUpdate{Name: ref.Name, Old: ref.Hash}
		if ref.Name.IsBranch() || ref.Name == (Loop{Name: loop}).TipRef() {
			last = append(last, gone)
			gone.New = gone.Old // for now it must be what it is
		}
		first = append(first, gone)
	}
	message := "ralph: prune " + loop
	for try := 1; ; try++ {
		updates, err := r.withoutNotes(ctx, pruneNotes(loop), noted)
		if err != nil {
			return fmt.Errorf("remove the notes of loop %s: %w", loop, err)
		}
		err = r.store.Transact(ctx, Transaction{Message: message, Updates: append(first, updates...)})
		if err == nil {
			return r.store.Transact(ctx, Transaction{Message: message, Updates: last})
		}
		if try == keepTries || len(updates) == 0 || !r.onlyNotesInTheWay(err, first, updates[0].Old) {
			return err
		}
	}
}

// withoutNotes lets git take notes away, on a ref for that alone, and returns the updates that make it so.
func (r *Repository) withoutNotes(ctx context.Context, on plumbing.ReferenceName, noted []plumbing.Hash) ([]RefUpdate, error) {
	old, err := r.store.Resolve(NotesRef)
	if err != nil || old.IsZero() || len(noted) == 0 {
		return nil, err
	}
	if _, err := r.git.run(ctx, "update-ref", on.String(), old.String()); err != nil {
		return nil, err
	}
	var list bytes.Buffer
	for _, commit := range noted {
		fmt.Fprintln(&list, commit)
	}
	args := append(append([]string{}, r.git.durable(ctx)...), "notes", "--ref="+on.String(), "remove", "--ignore-missing", "--stdin")
	if _, err := r.git.do(ctx, call{args: args, stdin: &list}); err != nil {
		return nil, err
	}
	now, err := r.store.Resolve(on)
	if err != nil {
		return nil, err
	}
	if err := r.MoveRef(ctx, "ralph: prune", RefUpdate{Name: on, Old: now}); err != nil {
		return nil, err
	}
	return []RefUpdate{{Name: NotesRef, Old: old, New: now}}, nil
}

// Ignored returns the ignored files of this work tree; a directory with nothing else in it is one path that ends in a slash.
func (r *Repository) Ignored(ctx context.Context) ([]string, error) {
	out, err := r.git.run(ctx, "ls-files", "-o", "-i", "--exclude-standard", "--directory", "-z")
	if err != nil {
		return nil, fmt.Errorf("list ignored files: %w", err)
	}
	return splitNul(out), nil
}

// IsLinked reports whether this is a linked work tree, which can be removed.
func (r *Repository) IsLinked() bool { return filepath.Clean(r.GitDir) != filepath.Clean(r.CommonDir) }

// RemoveWorktree removes a linked work tree, with the ignored files in it. git refuses when there is uncommitted work in it.
func (r *Repository) RemoveWorktree(ctx context.Context, path string) error {
	if _, err := r.git.run(ctx, "worktree", "remove", "--", path); err != nil {
		return fmt.Errorf("remove worktree %s: %w", strings.TrimSpace(path), err)
	}
	return nil
}
