package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// Repository is a repository with a work tree. It is not safe for concurrent use.
type Repository struct {
	TopLevel  string // of this work tree, absolute
	GitDir    string // of this work tree, absolute
	CommonDir string // shared by all work trees, absolute
	Prefix    string // from the top level to the directory that was opened; empty or ends in a slash

	git     *git
	store   Store
	signing *bool // whether commits are signed; nil: not asked yet
}

// OpenRequest says which repository to open.
type OpenRequest struct {
	Dir   string              // required: any directory inside the work tree
	Env   []string            // required: the environment for git, as the user gave it
	Trace func(args []string) // told of every git call; may be nil
}

// What [Open] refuses.
var (
	ErrNotRepository = errors.New("not a git repository")
	ErrBare          = errors.New("this repository has no work tree")
	ErrSHA256        = errors.New("this repository uses SHA-256, which git-ralph cannot read yet")
)

// Open finds the repository that holds q.Dir. The store's git process starts with the first object that is read; Close ends it.
func Open(ctx context.Context, q OpenRequest) (*Repository, error) {
	g := &git{dir: q.Dir, env: q.Env, trace: q.Trace}
	out, err := g.run(ctx, "rev-parse", "--path-format=absolute", "--git-dir", "--git-common-dir",
		"--show-object-format", "--is-inside-work-tree", "--show-prefix", "--show-toplevel")
	lines := strings.Split(string(out), "\n")
	switch {
	case err != nil && len(lines) < 5:
		if exitCode(err) == 128 && strings.Contains(err.Error(), "not a git repository") {
			return nil, ErrNotRepository
		}
		return nil, fmt.Errorf("open %s: %w", q.Dir, err)
	case lines[2] != "sha1":
		return nil, ErrSHA256
	case lines[3] != "true":
		return nil, ErrBare
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", q.Dir, err)
	}
	r := &Repository{GitDir: lines[0], CommonDir: lines[1], Prefix: lines[4], TopLevel: lines[5]}
	r.git = &git{dir: r.TopLevel, env: q.Env, trace: q.Trace}
	r.store = newGitStore(r.git)
	return r, nil
}

// Close ends the store's git process.
func (r *Repository) Close() error {
	if c, ok := r.store.(interface{ Close() error }); ok {
		return c.Close()
	}
	return nil
}

// LoopDir returns the directory for what need not survive of a loop. It may not exist.
func (r *Repository) LoopDir(loop string) string { return filepath.Join(r.CommonDir, "ralph", loop) }
