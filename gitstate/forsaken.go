package gitstate

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// keepForsaken keeps what HEAD was on since our tip was written and no ref holds any more: commits that the agent made and then reset, amended or rebased
// away, and those of a branch that it deleted. One of them is kept as it is, several as the parents of one commit with the tree of the last.
func (r *Repository) keepForsaken(ctx context.Context, q GatherRequest, found *Gathered) error {
	named := r.headSince(ctx, q.Tip)
	if len(named) == 0 {
		return nil
	}
	lost, err := r.unheld(ctx, q.Tip, named)
	if exitCode(err) > 0 { // a repository so broken is no reason to lose what lies in the work tree, too
		found.Told = append(found.Told, fmt.Sprintf("commits that the agent may have taken back are not looked for: %v", err))
		return nil
	}
	if err != nil {
		return fmt.Errorf("look for commits that the agent took back: %w", err)
	}
	for some := range slices.Chunk(lost, maxJoined) {
		commit, err := r.joined(ctx, q.Loop, some)
		if err != nil {
			return err
		}
		ref, err := r.keepCommit(ctx, q.Loop, commit)
		if err != nil {
			return err
		}
		found.Kept = append(found.Kept, ref)
		what := "a commit"
		if len(some) > 1 {
			what = fmt.Sprintf("%d commits", len(some))
		}
		found.Told = append(found.Told, fmt.Sprintf("kept %s that the agent took back: %s", what, ref))
	}
	return nil
}

// Forsaken reports whether HEAD was, since the tip was written, on commits that no ref holds any more: [Repository.Gather] and [Repository.Collect] keep them.
// Where that cannot be found out it reports false.
func (r *Repository) Forsaken(ctx context.Context, tip plumbing.Hash) (bool, error) {
	named := r.headSince(ctx, tip)
	if len(named) == 0 {
		return false, nil
	}
	lost, err := r.unheld(ctx, tip, named)
	if exitCode(err) > 0 {
		return false, nil
	}
	return len(lost) > 0, err
}

// maxJoined is how many commits one may have as parents, so that a call of git can name them.
const maxJoined = 1000

// joined returns the commit that holds all of them, the last first.
func (r *Repository) joined(ctx context.Context, loop string, commits []plumbing.Hash) (plumbing.Hash, error) {
	if len(commits) == 1 {
		return commits[0], nil
	}
	tree, err := r.git.line(ctx, "rev-parse", "--verify", commits[0].String()+"^{tree}")
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read %s: %w", commits[0], err)
	}
	return r.CommitTree(ctx, plumbing.NewHash(tree), commits, "ralph: commits kept for "+loop+"\n\nThe agent took them back. The parents are these commits, the last first.\n")
}

// unheld returns those of the commits that no ref, no HEAD of a work tree and no other of them holds, in their order. Commits that are no more here are passed over.
func (r *Repository) unheld(ctx context.Context, tip plumbing.Hash, commits []plumbing.Hash) ([]plumbing.Hash, error) {
	var ids strings.Builder
	fmt.Fprintf(&ids, "^%s\n", tip)
	for _, id := range commits {
		fmt.Fprintln(&ids, id)
	}
	out, err := r.git.do(ctx, call{
		args: []string{"rev-list", "--parents", "--ignore-missing", "--stdin", "--not", "--all"}, stdin: strings.NewReader(ids.String()),
	})
	if err != nil {
		return nil, err
	}
	here, parent := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(string(out)) {
		names := strings.Fields(line)
		here[names[0]] = true
		for _, name := range names[1:] {
			parent[name] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(commits), func(id plumbing.Hash) bool { return !here[id.String()] || parent[id.String()] }), nil
}
