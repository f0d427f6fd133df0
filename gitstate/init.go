package gitstate

import (
	"context"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// Init makes an empty repository in q.Dir, which exists, with the given settings (key, value) in its own configuration, and opens it.
func Init(ctx context.Context, q OpenRequest, branch string, settings map[string]string) (*Repository, error) {
	g := &git{dir: q.Dir, env: q.Env, trace: q.Trace}
	if _, err := g.run(ctx, "init", "--quiet", "--initial-branch="+branch); err != nil {
		return nil, fmt.Errorf("make a repository in %s: %w", q.Dir, err)
	}
	for key, value := range settings {
		if _, err := g.run(ctx, "config", key, value); err != nil {
			return nil, fmt.Errorf("configure the repository in %s: %w", q.Dir, err)
		}
	}
	return Open(ctx, q)
}

// CommitAll commits everything in the work tree on the branch that HEAD names.
func (r *Repository) CommitAll(ctx context.Context, message string) error {
	branch, err := r.HeadBranch(ctx)
	if err != nil {
		return err
	}
	old, err := r.store.Resolve(branch)
	if err != nil {
		return err
	}
	snapshot, err := r.Snapshot(ctx, Guard{})
	if err != nil {
		return err
	}
	defer snapshot.Close()
	var parents []plumbing.Hash
	if !old.IsZero() {
		parents = append(parents, old)
	}
	commit, err := r.CommitTree(ctx, snapshot.Tree, parents, message+"\n")
	if err != nil {
		return err
	}
	if err := r.MoveRef(ctx, message, RefUpdate{Name: branch, Old: old, New: commit}); err != nil {
		return err
	}
	_, err = snapshot.FollowIndex(ctx)
	return err
}

// LogText returns what `git log` with these arguments prints.
func (r *Repository) LogText(ctx context.Context, args ...string) (string, error) {
	out, err := r.git.run(ctx, append([]string{"log", "--no-color"}, args...)...)
	if err != nil {
		return "", fmt.Errorf("read the history: %w", err)
	}
	return string(out), nil
}
