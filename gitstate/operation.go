package gitstate

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// operation is something that git has begun in a work tree and not ended.
type operation struct {
	name  string
	signs []string // files in the git directory, one of which is there
	heads []string // files in the git directory that name commits which may be nowhere else
	stash string   // file that names the commit of uncommitted work put away at the beginning
	quit  []string // the git call that forgets it and touches neither HEAD nor work tree
}

// operations in the order in which they are ended: a rebase may have a cherry-pick or a merge open within. The last
// cherry-pick is one of several, or a revert of several, between two commits.
var operations = [...]operation{
	{
		name: "am", signs: []string{"rebase-apply/applying"}, heads: []string{"rebase-apply/abort-safety"}, quit: []string{"am", "--quit"},
	},
	{
		name: "rebase", signs: []string{"rebase-merge", "rebase-apply/rebasing", "rebase-apply"},
		heads: []string{"rebase-merge/orig-head", "rebase-apply/orig-head", "rebase-merge/onto", "rebase-apply/onto", "REBASE_HEAD"},
		stash: "rebase-merge/autostash", quit: []string{"rebase", "--quit"},
	},
	{
		name: "cherry-pick", signs: []string{"CHERRY_PICK_HEAD"}, heads: []string{"CHERRY_PICK_HEAD"}, quit: []string{"cherry-pick", "--quit"},
	},
	{name: "revert", signs: []string{"REVERT_HEAD"}, heads: []string{"REVERT_HEAD"}, quit: []string{"revert", "--quit"}},
	{
		name: "merge", signs: []string{"MERGE_HEAD"}, heads: []string{"MERGE_HEAD"}, stash: "MERGE_AUTOSTASH", quit: []string{"merge", "--quit"},
	},
	{name: "cherry-pick", signs: []string{"sequencer/todo"}, quit: []string{"cherry-pick", "--quit"}},
	{name: "bisect", signs: []string{"BISECT_LOG", "BISECT_START"}, quit: []string{"bisect", "reset", "HEAD"}},
}

// Operation names the merge, rebase, cherry-pick, revert, am or bisect that is under way in this work tree; empty:
// none.
func (r *Repository) Operation(ctx context.Context) (string, error) {
	op, err := r.operation(ctx)
	if op == nil || err != nil {
		return "", err
	}
	return op.name, nil
}

// operation returns the first operation that is under way, or nil.
func (r *Repository) operation(ctx context.Context) (*operation, error) {
	for i := range operations {
		for _, sign := range operations[i].signs {
			there, err := r.gitFile(ctx, sign)
			if err != nil || there != "" {
				return &operations[i], err
			}
		}
	}
	return nil, nil
}

// gitFile returns the place of a file in this work tree's git directory, and an empty string when there is none. In a
// repository that keeps its refs in tables, where HEAD is a stub, a file that is a ref counts too.
func (r *Repository) gitFile(ctx context.Context, name string) (string, error) {
	file := filepath.Join(r.GitDir, filepath.FromSlash(name))
	if exists(file) {
		return file, nil
	}
	if strings.ContainsAny(name, "/") || !exists(filepath.Join(r.CommonDir, "reftable")) {
		return "", nil
	}
	_, err := r.git.run(ctx, "rev-parse", "--quiet", "--verify", name)
	if exitCode(err) > 0 {
		return "", nil
	}
	return file, err
}

// endOperations ends what is under way, once its commits are kept.
func (r *Repository) endOperations(ctx context.Context, q GatherRequest, found *Gathered) error {
	for range operations {
		op, err := r.operation(ctx)
		if err != nil || op == nil {
			return err
		}
		if err := r.endOperation(ctx, q, op, found); err != nil {
			return fmt.Errorf("end the %s that the agent left open: %w", op.name, err)
		}
	}
	op, err := r.operation(ctx)
	if err != nil || op == nil {
		return err
	}
	return fmt.Errorf("end the %s that the agent left open: git does not end it", op.name)
}

func (r *Repository) endOperation(ctx context.Context, q GatherRequest, op *operation, found *Gathered) error {
	h, err := r.readHead(ctx, q)
	if err != nil {
		return err
	}
	held := []plumbing.Hash{h.commit, h.branch, q.Tip}
	before := len(found.Kept)
	for _, name := range append([]string{op.stash}, op.heads...) {
		ids, err := r.commitsIn(ctx, name)
		if err != nil {
			return err
		}
		for _, id := range ids {
			if err := r.keepLost(ctx, q, id, held, found); err != nil {
				return err
			}
			held = append(held, id)
		}
	}
	if err := r.dropStashFile(ctx, op.stash); err != nil {
		return err
	}
	if _, err := r.git.run(ctx, op.quit...); err != nil {
		return err
	}
	line := fmt.Sprintf("ended the %s that the agent left open", op.name)
	for _, ref := range found.Kept[before:] {
		line += ", kept " + ref.String()
	}
	found.Told = append(found.Told, line)
	return nil
}

// commitsIn returns the commits that a file in the git directory names, one a line. What is no commit here is passed
// over.
func (r *Repository) commitsIn(ctx context.Context, name string) ([]plumbing.Hash, error) {
	if name == "" {
		return nil, nil
	}
	text, err := os.ReadFile(filepath.Join(r.GitDir, filepath.FromSlash(name)))
	if err != nil { // not a file, or a ref in a table
		text = []byte(name)
	}
	var ids []plumbing.Hash
	for line := range strings.Lines(string(text)) {
		id, err := r.git.line(ctx, "rev-parse", "--quiet", "--verify", strings.TrimSpace(line)+"^{commit}")
		switch {
		case err == nil:
			ids = append(ids, plumbing.NewHash(id))
		case exitCode(err) < 1:
			return nil, err
		}
	}
	return ids, nil
}

// dropStashFile removes the name of the work that was put away, when it is kept: git would put it onto the user's
// stash.
func (r *Repository) dropStashFile(ctx context.Context, name string) error {
	if name == "" {
		return nil
	}
	file, err := r.gitFile(ctx, name)
	if err != nil || file == "" {
		return err
	}
	if !strings.Contains(name, "/") {
		_, err = r.git.run(ctx, "update-ref", "-d", name)
		return err
	}
	if err := os.Remove(file); !errors.Is(err, os.ErrNotExist) {
		return err
	}
	return nil
}
