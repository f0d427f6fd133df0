package gitstate

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// keptPrefix is where the refs are that hold what was moved away from in a loop.
func keptPrefix(loop string) string { return "refs/ralph/kept/" + loop + "/" }

// Keep writes HEAD and the uncommitted work as a commit under the next refs/ralph/kept/<loop>/<n> and returns the ref. Without
// uncommitted work it is HEAD itself that is kept. Neither HEAD nor index nor work tree change.
func (r *Repository) Keep(ctx context.Context, loop string, g Guard, message string) (plumbing.ReferenceName, error) {
	snap, err := r.Snapshot(ctx, g)
	if err != nil {
		return "", err
	}
	defer snap.Close()
	commit, err := r.headWith(ctx, snap.Tree, plumbing.ZeroHash, message)
	if err != nil {
		return "", fmt.Errorf("keep uncommitted work: %w", err)
	}
	return r.keepCommit(ctx, loop, commit)
}

// headWith returns HEAD when its tree is the given one, else a new commit with that tree on HEAD, or on the fallback when HEAD has
// no commit (zero: on none).
func (r *Repository) headWith(ctx context.Context, tree, fallback plumbing.Hash, message string) (plumbing.Hash, error) {
	head, err := r.head(ctx)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	var parents []plumbing.Hash
	switch {
	case head != "":
		now, err := r.headTree(ctx)
		if err != nil || now == tree {
			return plumbing.NewHash(head), err
		}
		parents = []plumbing.Hash{plumbing.NewHash(head)}
	case !fallback.IsZero():
		parents = []plumbing.Hash{fallback}
	}
	return r.CommitTree(ctx, tree, parents, message)
}

// keepTries is how often a number is tried that another process takes meanwhile.
const keepTries = 5

// keepCommit makes the next kept ref of the loop point at a commit. A ref that holds it already is good enough: so a step that is
// repeated after a crash keeps nothing twice.
func (r *Repository) keepCommit(ctx context.Context, loop string, commit plumbing.Hash) (plumbing.ReferenceName, error) {
	var failed error
	for range keepTries {
		next, held, err := r.nextKept(ctx, loop, commit)
		if err != nil {
			return "", err
		}
		if held != "" {
			return held, nil
		}
		if failed = r.updateRef(ctx, next, commit, plumbing.ZeroHash, "ralph: keep"); failed == nil {
			return next, nil
		}
	}
	return "", fmt.Errorf("keep %s: %w", commit, failed)
}

// nextKept returns the name after the greatest number, and the ref that holds the commit already.
func (r *Repository) nextKept(ctx context.Context, loop string, commit plumbing.Hash) (next, held plumbing.ReferenceName, err error) {
	prefix := keptPrefix(loop)
	out, err := r.git.line(ctx, "for-each-ref", "--format=%(objectname) %(refname)", prefix)
	if err != nil {
		return "", "", fmt.Errorf("list kept refs: %w", err)
	}
	greatest := 0
	for line := range strings.Lines(out) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if n, err := strconv.Atoi(strings.TrimPrefix(name, prefix)); err == nil {
			greatest = max(greatest, n)
		}
		if id == commit.String() {
			held = plumbing.ReferenceName(name)
		}
	}
	return plumbing.ReferenceName(prefix + strconv.Itoa(greatest+1)), held, nil
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
