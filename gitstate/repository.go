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
	index   string // of this work tree, absolute; GIT_INDEX_FILE where the user gave it
	signing *bool  // whether commits are signed; nil: not asked yet

	hooks      hooksPlace          // zero: not asked yet
	packed     packedRefs          // what Outlook saw
	identities map[string]identity // by role; missing: not asked yet
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

// Open finds the repository that holds q.Dir. The error is a *[OwnerError] when git does not trust who owns it. The store's git process starts with the first object that is read; Close
// ends it.
func Open(ctx context.Context, q OpenRequest) (*Repository, error) {
	g := &git{dir: q.Dir, env: q.Env, trace: q.Trace}
	out, err := g.run(ctx, "rev-parse", "--path-format=absolute", "--show-object-format",
		"--git-dir", "--git-common-dir", "--git-path", "index", "--show-prefix", "--show-toplevel")
	lines := strings.Split(string(out), "\n")
	switch {
	case err != nil && len(lines) < 2:
		if exitCode(err) == 128 && strings.Contains(err.Error(), "not a git repository") {
			return nil, ErrNotRepository
		}
		if refused := ownerError(q.Dir, err); refused != nil {
			return nil, refused
		}
		return nil, fmt.Errorf("open %s: %w", q.Dir, err)
	case lines[0] != "sha1":
		return nil, ErrSHA256
	case err != nil && strings.Contains(err.Error(), "must be run in a work tree"): // bare, or we are in the git directory itself
		return nil, ErrBare
	case err != nil:
		return nil, fmt.Errorf("open %s: %w", q.Dir, err)
	}
	values := lines[1:]
	if len(values) != 6 { // a path has a newline in it
		if values, err = askPaths(ctx, g); err != nil {
			return nil, fmt.Errorf("open %s: %w", q.Dir, err)
		}
	}
	r := &Repository{
		GitDir:    filepath.FromSlash(values[0]),
		CommonDir: filepath.FromSlash(values[1]),
		TopLevel:  filepath.FromSlash(values[4]),
		Prefix:    values[3],
		index:     filepath.FromSlash(values[2]),
	}
	r.git = &git{dir: r.TopLevel, env: r.settle(q), trace: q.Trace, locks: &gitLocks{}}
	store := newGitStore(r.git)
	store.config, store.gitDir, store.refDir = filepath.Join(r.CommonDir, "config"), r.GitDir, r.CommonDir
	r.store = store
	return r, nil
}

// askPaths asks for git directory, common directory, index, prefix and top level one by one.
func askPaths(ctx context.Context, g *git) ([]string, error) {
	var values []string
	for _, ask := range [][]string{{"--git-dir"}, {"--git-common-dir"}, {"--git-path", "index"}, {"--show-prefix"}, {"--show-toplevel"}} {
		value, err := g.line(ctx, append([]string{"rev-parse", "--path-format=absolute"}, ask...)...)
		if err != nil {
			return nil, err
		}
		values = append(values, value)
	}
	return values, nil
}

// settle returns the user's environment for calls that run at the top level: what named a place relative to the
// directory that was opened is absolute now (git itself reads the other places relative to the top level), and what
// changes the meaning of pathspecs is left out.
func (r *Repository) settle(q OpenRequest) []string {
	env := make([]string, 0, len(q.Env))
	for _, entry := range q.Env {
		name, _, _ := strings.Cut(entry, "=")
		var value string
		switch name {
		case "GIT_DIR":
			value = r.GitDir
		case "GIT_COMMON_DIR":
			value = r.CommonDir
		case "GIT_WORK_TREE":
			value = r.TopLevel
		case "GIT_INDEX_FILE":
			value = r.index
		case "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS", "GIT_PREFIX":
			continue
		default:
			env = append(env, entry) // as it is: Windows has entries that begin with =
			continue
		}
		env = append(env, name+"="+value)
	}
	return env
}

// Beside returns the same repository for a goroutine that works beside this one. Close it.
func (r *Repository) Beside() *Repository {
	g := &git{dir: r.git.dir, env: r.git.env, trace: r.git.trace, locks: r.git.locks}
	return &Repository{
		TopLevel: r.TopLevel, GitDir: r.GitDir, CommonDir: r.CommonDir, Prefix: r.Prefix, index: r.index, git: g, store: newGitStore(g),
	}
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
