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

// Names of refs.
const (
	tipPrefix  = "refs/ralph/tip/"
	tellPrefix = "refs/ralph/tell/"
)

// ErrNoLoop says that there is no such loop.
var ErrNoLoop = errors.New("no such loop")

// Loop is a loop's name and where it is found.
type Loop struct {
	Name   string
	Branch plumbing.ReferenceName // refs/heads/…: the loop branch, which may not exist here; empty: not read yet
	Tip    plumbing.Hash          // our last commit
	Found  plumbing.ReferenceName // the ref that it was found on: refs/ralph/tip/…, a local or a remote-tracking branch
}

// TipRef returns the ref that names the loop's last commit of ours.
func (l Loop) TipRef() plumbing.ReferenceName { return plumbing.ReferenceName(tipPrefix + l.Name) }

// Loops returns the loops of this clone, sorted by name: by their tips, and those only found on a branch. One that cannot be read has an
// empty Branch; [Repository.State] says why.
func (r *Repository) Loops(ctx context.Context) ([]Loop, error) {
	refs, err := r.store.Refs(ctx, tipPrefix, "refs/heads/", "refs/remotes/")
	if err != nil {
		return nil, fmt.Errorf("list loops: %w", err)
	}
	var loops []Loop
	known := map[string]bool{}
	for _, ref := range refs {
		if name, ok := strings.CutPrefix(ref.Name.String(), tipPrefix); ok {
			l := Loop{Name: name, Tip: ref.Hash, Found: ref.Name}
			if state, err := r.State(ctx, l); err == nil {
				l = state.Loop
			}
			loops = append(loops, l)
			known[name] = true
		}
	}
	for _, prefix := range []string{"refs/heads/", "refs/remotes/origin/", "refs/remotes/"} {
		for _, ref := range refs {
			if !strings.HasPrefix(ref.Name.String(), prefix) {
				continue
			}
			l, ok, err := r.loopOnBranch(ctx, ref)
			if err != nil {
				return nil, err
			}
			if ok && !known[l.Name] {
				loops = append(loops, l)
				known[l.Name] = true
			}
		}
	}
	slices.SortFunc(loops, func(a, b Loop) int { return strings.Compare(a.Name, b.Name) })
	return loops, nil
}

// branchSearchDepth is how many commits above ours are passed over on a branch that is named like a loop's.
const branchSearchDepth = 1000

// loopOnBranch finds the loop whose branch the ref is, by the trailers of the commits on it: its last commit, or for a branch named
// like a loop's the first of ours below it. The opening must agree that this is its branch.
func (r *Repository) loopOnBranch(ctx context.Context, ref Ref) (Loop, bool, error) {
	l, err := r.lastOfOurs(ref)
	if err != nil || l.Tip.IsZero() {
		return Loop{}, false, nil // a ref to something else than a commit, or to one that is not here
	}
	state, err := r.State(ctx, l)
	if err != nil || !sameBranch(ref.Name, state.Loop.Branch) {
		return Loop{}, false, nil
	}
	return state.Loop, true, nil
}

// lastOfOurs finds the last commit of ours on a branch; without a tip there is none.
func (r *Repository) lastOfOurs(ref Ref) (Loop, error) {
	depth := 1
	if strings.Contains(ref.Name.String(), "/ralph/") {
		depth = branchSearchDepth
	}
	id := ref.Hash
	for range depth {
		commit, err := object.GetCommit(r.store, id)
		if errors.Is(err, plumbing.ErrObjectNotFound) {
			return Loop{}, fmt.Errorf("commit %s: %w", id, ErrIncomplete)
		}
		if err != nil {
			return Loop{}, fmt.Errorf("commit %s: %w", id, err)
		}
		record, ours, err := ParseRecord(commit)
		if err == nil && ours && !strings.ContainsAny(record.Loop, `/\`) { // a name that leads out of its directory is none
			return Loop{Name: record.Loop, Tip: commit.Hash, Found: ref.Name}, nil
		}
		if len(commit.ParentHashes) == 0 {
			break
		}
		id = commit.ParentHashes[0]
	}
	return Loop{}, nil
}

// LoopBelow returns the loop that the first-parent line of a commit belongs to, and its last commit there; an empty name: there is none near.
func (r *Repository) LoopBelow(commit plumbing.Hash) (Loop, error) {
	l, err := r.lastOfOurs(Ref{Name: "refs/heads/ralph/", Hash: commit})
	if errors.Is(err, ErrIncomplete) {
		return Loop{}, nil
	}
	return l, err
}

// sameBranch reports whether a local or remote-tracking ref is the given local branch or its copy.
func sameBranch(ref, branch plumbing.ReferenceName) bool {
	if ref == branch {
		return true
	}
	rest, ok := strings.CutPrefix(ref.String(), "refs/remotes/")
	return ok && strings.HasSuffix(rest, "/"+branch.Short())
}

// FindLoop returns the loop of that name; the error wraps [ErrNoLoop].
func (r *Repository) FindLoop(ctx context.Context, name string) (Loop, error) {
	l := Loop{Name: name}
	tip, err := r.store.Resolve(l.TipRef())
	if err != nil {
		return Loop{}, fmt.Errorf("find loop %s: %w", name, err)
	}
	if !tip.IsZero() {
		l.Tip, l.Found = tip, l.TipRef()
		return l, nil
	}
	loops, err := r.Loops(ctx)
	if err != nil {
		return Loop{}, err
	}
	for _, l := range loops {
		if l.Name == name {
			return l, nil
		}
	}
	return Loop{}, fmt.Errorf("loop %q: %w", name, ErrNoLoop)
}

// HeadBranch returns the branch that HEAD names (it may be unborn); empty: detached.
func (r *Repository) HeadBranch(ctx context.Context) (plumbing.ReferenceName, error) {
	name, err := r.git.line(ctx, "symbolic-ref", "-q", "HEAD")
	if exitCode(err) == 1 {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read HEAD: %w", err)
	}
	return plumbing.ReferenceName(name), nil
}

// Resolve returns the value of a ref such as HEAD, and the zero hash when there is none.
func (r *Repository) Resolve(name plumbing.ReferenceName) (plumbing.Hash, error) {
	return r.store.Resolve(name)
}
