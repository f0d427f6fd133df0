package gitstate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// keptPrefix is where the refs are that hold what was moved away from in a loop.
func keptPrefix(loop string) string { return keptRoot + loop + "/" }

// keptRoot is where they are of all loops.
const keptRoot = "refs/ralph/kept/"

// Keep writes HEAD and the uncommitted work as a commit under the next refs/ralph/kept/<loop>/<n> and returns the ref.
// Without uncommitted work it is HEAD itself that is kept. Neither HEAD nor index nor work tree change.
func (r *Repository) Keep(ctx context.Context, loop string, g Guard, message string) (plumbing.ReferenceName, error) {
	snap, err := r.Snapshot(ctx, g)
	if err != nil {
		return "", err
	}
	defer snap.Close()
	commit, err := r.headWith(ctx, loop, snap.Tree, plumbing.ZeroHash, message)
	if err != nil {
		return "", fmt.Errorf("keep uncommitted work: %w", err)
	}
	return r.keepCommit(ctx, loop, commit)
}

// KeepCommit keeps a commit under the next refs/ralph/kept/<loop>/<n>, unless a kept ref holds it already, and returns the ref.
func (r *Repository) KeepCommit(ctx context.Context, loop string, commit plumbing.Hash) (plumbing.ReferenceName, error) {
	return r.keepCommit(ctx, loop, commit)
}

// HeldByRef reports whether a commit can be reached from any ref, HEAD aside.
func (r *Repository) HeldByRef(ctx context.Context, commit plumbing.Hash) (bool, error) {
	out, err := r.git.line(ctx, "for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit.String())
	if err != nil {
		return false, fmt.Errorf("look which ref holds %s: %w", commit, err)
	}
	return out != "", nil
}

// Reaches reports whether a commit can be reached from another one, or is it.
func (r *Repository) Reaches(ctx context.Context, from, commit plumbing.Hash) (bool, error) {
	return r.holds(ctx, commit, from)
}

// headWith returns HEAD when its tree is the given one, else a commit with that tree on HEAD, or on the fallback when
// HEAD has no commit (zero: on none). It is a new commit, unless a kept ref has such a one from before a crash.
func (r *Repository) headWith(ctx context.Context, loop string, tree, fallback plumbing.Hash, message string) (plumbing.Hash, error) {
	head, err := r.head(ctx)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	parent := fallback
	if head != "" {
		parent = plumbing.NewHash(head)
		now, err := r.headTree(ctx)
		if err != nil || now == tree {
			return parent, err
		}
	}
	var parents []plumbing.Hash
	if !parent.IsZero() {
		parents = append(parents, parent)
	}
	all, err := r.keptRefs(ctx, loop)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	for _, kept := range all {
		if kept.tree == tree && slices.Equal(kept.parents, parents) {
			return kept.commit, nil
		}
	}
	return r.CommitTree(ctx, tree, parents, message)
}

// keptRef is a ref that holds what was moved away from.
type keptRef struct {
	name         plumbing.ReferenceName
	number       int
	commit, tree plumbing.Hash
	parents      []plumbing.Hash
}

// keptRefs lists the kept refs of a loop.
func (r *Repository) keptRefs(ctx context.Context, loop string) ([]keptRef, error) {
	prefix := keptPrefix(loop)
	out, err := r.git.line(ctx, "for-each-ref", "--format=%(refname) %(objectname) %(tree) %(parent)", prefix)
	if err != nil {
		return nil, fmt.Errorf("list kept refs: %w", err)
	}
	var all []keptRef
	for line := range strings.Lines(out) {
		fields := strings.Fields(line)
		n, ok := keptNumber(loop, plumbing.ReferenceName(fields[0]))
		if !ok || len(fields) < 3 {
			continue // not ours
		}
		kept := keptRef{name: plumbing.ReferenceName(fields[0]), number: n, commit: plumbing.NewHash(fields[1]), tree: plumbing.NewHash(fields[2])}
		for _, parent := range fields[3:] {
			kept.parents = append(kept.parents, plumbing.NewHash(parent))
		}
		all = append(all, kept)
	}
	return all, nil
}

// keptNumber takes the name of a kept ref of a loop apart; false: it is another ref.
func keptNumber(loop string, name plumbing.ReferenceName) (int, bool) {
	rest, ours := strings.CutPrefix(name.String(), keptPrefix(loop))
	n, err := strconv.Atoi(rest)
	return n, ours && err == nil
}

// keepTries is how often a number is tried that another process takes meanwhile.
const keepTries = 5

// keepCommit makes the next kept ref of the loop point at a commit. A ref that holds it already is good enough: so a
// step that is repeated after a crash keeps nothing twice.
func (r *Repository) keepCommit(ctx context.Context, loop string, commit plumbing.Hash) (plumbing.ReferenceName, error) {
	var failed error
	for range keepTries {
		next, there, err := r.keptFor(ctx, loop, commit)
		if err != nil || there {
			return next, err
		}
		if failed = r.updateRef(ctx, next, commit, plumbing.ZeroHash, "ralph: keep"); failed == nil {
			return next, nil
		}
	}
	return "", fmt.Errorf("keep %s: %w", commit, failed)
}

// keptFor returns the kept ref that holds a commit, or the next one that is free for it.
func (r *Repository) keptFor(ctx context.Context, loop string, commit plumbing.Hash) (name plumbing.ReferenceName, there bool, err error) {
	all, err := r.keptRefs(ctx, loop)
	if err != nil {
		return "", false, err
	}
	greatest := 0
	for _, kept := range all {
		if kept.commit == commit {
			return kept.name, true, nil
		}
		greatest = max(greatest, kept.number)
	}
	return plumbing.ReferenceName(keptPrefix(loop) + strconv.Itoa(greatest+1)), false, nil
}

// updateRef moves one ref from the value that was read. A zero old value: it must not exist.
func (r *Repository) updateRef(ctx context.Context, name plumbing.ReferenceName, to, old plumbing.Hash, message string) error {
	args := append([]string{}, r.git.durable(ctx)...)
	_, err := r.git.run(ctx, append(args, "update-ref", "-m", message, name.String(), to.String(), old.String())...)
	return err
}

// holds reports whether commit is reachable from any of the others. Zero hashes hold nothing.
func (r *Repository) holds(ctx context.Context, commit plumbing.Hash, others ...plumbing.Hash) (bool, error) {
	for _, other := range others {
		if other.IsZero() {
			continue
		}
		_, err := r.git.run(ctx, "merge-base", "--is-ancestor", commit.String(), other.String())
		if err == nil {
			return true, nil
		}
		if exitCode(err) != 1 {
			return false, err
		}
	}
	return false, nil
}
