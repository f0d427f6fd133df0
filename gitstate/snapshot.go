package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Snapshot is the work tree as a tree, with the private index that made it.
type Snapshot struct {
	Tree    plumbing.Hash // what git would commit
	Skipped []SkippedPath // paths left out by the guard, or that could not be read
	Told    []string      // lines for the user: nested repositories taken in, linked worktrees left out

	repo           *Repository
	guard          Guard
	rules          plumbing.Hash // commit whose ignore rules count beside those in the work tree; zero: none
	index          *privateIndex // nil: not needed so far
	left           []string      // paths that were passed over by a rule, all of them uncommitted still
	commit, branch string        // where HEAD was, as git status says
	clean          bool          // nothing differs from HEAD, and the user's index neither
}

// Snapshot writes everything that git would commit with `add -A` as a tree, from a private index: the user's index,
// HEAD and work tree stay as they are. Close it.
func (r *Repository) Snapshot(ctx context.Context, g Guard) (*Snapshot, error) {
	return r.snapshot(ctx, g, plumbing.ZeroHash)
}

// snapshot leaves out what is new and what the rules of a commit ignore, too. A zero commit has none.
func (r *Repository) snapshot(ctx context.Context, g Guard, rules plumbing.Hash) (*Snapshot, error) {
	s := &Snapshot{repo: r, guard: g, rules: rules}
	err := s.take(ctx)
	if _, gaveUp := errors.AsType[*addError](err); exitCode(err) > 0 && !gaveUp {
		// The index may name objects that were pruned, or be damaged. HEAD's tree and all files read again need
		// neither.
		if again := s.readHead(ctx); again == nil {
			err = s.take(ctx)
		}
	}
	if err != nil {
		return nil, s.abandon(fmt.Errorf("snapshot the work tree: %w", err))
	}
	return s, nil
}

// LeftOut returns the paths (from the top level) that are uncommitted and that Tree has not, by a rule: the skipped ones, linked
// worktrees, what a repository in this one hides. A directory ends in a slash.
func (s *Snapshot) LeftOut() []string {
	var paths []string
	for _, path := range s.left {
		if info, err := os.Lstat(s.repo.file(path)); err == nil && info.IsDir() {
			path += "/"
		}
		paths = append(paths, path)
	}
	for _, skipped := range s.Skipped {
		paths = append(paths, skipped.Path)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// Close removes the private index.
func (s *Snapshot) Close() error {
	if s.index == nil {
		return nil
	}
	return s.index.close()
}

// private makes sure that there is a private index, a copy of the user's at first.
func (s *Snapshot) private() error {
	if s.index != nil {
		return nil
	}
	index, err := s.repo.newPrivateIndex()
	if err != nil {
		return err
	}
	s.index = index
	return index.copyFrom(s.repo.index)
}

// abandon closes a snapshot that came to nothing.
func (s *Snapshot) abandon(err error) error {
	_ = s.Close() // err says more
	return err
}

// git runs git on the private index.
func (s *Snapshot) git(ctx context.Context, c call) ([]byte, error) {
	if err := s.private(); err != nil {
		return nil, err
	}
	c.env = append(c.env, s.index.env()...)
	return s.repo.git.do(ctx, c)
}

// readHead replaces the private index by HEAD's tree.
func (s *Snapshot) readHead(ctx context.Context) error {
	if err := s.private(); err != nil {
		return err
	}
	if err := os.RemoveAll(s.index.path); err != nil {
		return err
	}
	head, err := s.repo.head(ctx)
	if err != nil || head == "" {
		return err
	}
	_, err = s.git(ctx, call{args: []string{"read-tree", head}})
	return err
}

// take brings the private index to the state of the work tree and writes its tree.
func (s *Snapshot) take(ctx context.Context) error {
	s.Skipped, s.Told, s.left, s.clean = nil, nil, nil, false
	found, err := s.sift(ctx)
	if err != nil {
		return err
	}
	s.left = slices.DeleteFunc(slices.Clone(found.leave), func(path string) bool { return slices.Contains(found.nested, path) })
	if found.clean {
		s.clean = true
		s.Tree, err = s.repo.headTree(ctx)
		return err
	}
	if !s.addPlain(ctx, found.plain) {
		if err := s.addAll(ctx, found.leave); err != nil {
			return err
		}
	}
	if err := s.addNested(ctx, found.nested); err != nil {
		return err
	}
	return s.writeTree(ctx)
}

func (s *Snapshot) writeTree(ctx context.Context) error {
	out, err := s.git(ctx, call{args: append(slices.Clone(s.repo.git.durable(ctx)), "write-tree")})
	if err != nil {
		return err
	}
	s.Tree = plumbing.NewHash(strings.TrimSpace(string(out)))
	slices.SortFunc(s.Skipped, func(a, b SkippedPath) int { return strings.Compare(a.Path, b.Path) })
	s.Skipped = slices.Compact(s.Skipped)
	return nil
}

// fewPaths is up to how many paths are staged by name. For more of them a walk through the work tree is as fast.
const fewPaths = 1000

// addPlain stages just these paths and reports whether it did. What it meets in its way is left to `add -A`, which knows more: the
// sparse checkout, files that vanish, directories where files were.
func (s *Snapshot) addPlain(ctx context.Context, paths []string) bool {
	if len(paths) == 0 || len(paths) > fewPaths || exists(filepath.Join(s.repo.GitDir, "info", "sparse-checkout")) {
		return false
	}
	args := append(slices.Clone(s.repo.git.durable(ctx)), "-c", "core.safecrlf=false", "update-index", "--add", "--remove", "-z", "--stdin")
	var said bytes.Buffer // a path that git refuses is passed over with no more than a word
	_, err := s.git(ctx, call{args: args, stdin: pathList(paths), stderr: &said})
	return err == nil && said.Len() == 0
}

// addError is the error of a `git add` that was tried often enough: another index would not help it.
type addError struct{ error }

// Unwrap returns what git said.
func (e *addError) Unwrap() error { return e.error }

// addTries is how often `add -A` is tried: it gives up when a file vanishes under it. Paths that can be read and are not
// added in sameTries tries in a row are those that git refuses.
const (
	addTries  = 6
	sameTries = 2
)

// addAll stages the work tree but for the paths that are to be left.
func (s *Snapshot) addAll(ctx context.Context, leave []string) error {
	args := append(slices.Clone(s.repo.git.durable(ctx)), "-c", "core.safecrlf=false", "-c", "advice.addEmbeddedRepo=false",
		"add", "-A", "--sparse", "--ignore-errors")
	if len(leave) > 0 {
		args = append(args, "--pathspec-from-file=-", "--pathspec-file-nul")
	}
	pathspecs := []string{":(top)"}
	for _, path := range leave {
		pathspecs = append(pathspecs, ":(top,exclude,literal)"+path)
	}
	wait, same, before := 50*time.Millisecond, 0, []SkippedPath(nil)
	for try := 1; ; try++ {
		c := call{args: args}
		if len(leave) > 0 {
			c.stdin = pathList(pathspecs)
		}
		_, err := s.git(ctx, c)
		switch {
		case err == nil:
			return nil
		case exitCode(err) == 1:
			missing, readable, failed := s.notAdded(ctx, leave)
			if failed != nil {
				return failed
			}
			if same++; !slices.Equal(missing, before) {
				same, before = 1, missing
			}
			if readable == 0 || same == sameTries || try == addTries {
				s.Skipped = append(s.Skipped, missing...)
				return nil
			}
		case exitCode(err) != 128 || try == addTries:
			return &addError{err}
		}
		if err := pause(ctx, wait); err != nil {
			return err
		}
		wait = min(2*wait, 400*time.Millisecond)
	}
}

// notAdded returns the paths that differ from the index still, and how many of them could be read now. A tracked one of
// them keeps its old content in the tree.
func (s *Snapshot) notAdded(ctx context.Context, leave []string) (paths []SkippedPath, readable int, err error) {
	untracked, err := s.git(ctx, call{args: []string{"ls-files", "-o", "--exclude-standard", "-z"}})
	if err != nil {
		return nil, 0, err
	}
	tracked, err := s.git(ctx, call{args: []string{"diff-files", "--name-only", "--ignore-submodules=dirty", "-z"}})
	if err != nil {
		return nil, 0, err
	}
	left := map[string]bool{}
	for _, path := range leave {
		left[path] = true
	}
	for _, path := range append(splitNul(untracked), splitNul(tracked)...) {
		if left[strings.TrimSuffix(path, "/")] {
			continue
		}
		reason := unreadable
		if canRead(s.repo.file(path)) {
			reason = refused
			readable++
		}
		paths = append(paths, SkippedPath{Path: path, Reason: reason})
	}
	return paths, readable, nil
}

// Reasons of a path that could not be read, and of one that git adds under no circumstances: for its name, for example.
const (
	unreadable = "unreadable"
	refused    = "refused by git"
)

// canRead reports whether git could read the content of a file or symbolic link.
func canRead(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	if !info.Mode().IsRegular() {
		return info.Mode()&os.ModeSymlink != 0
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	_, err = f.Read(make([]byte, 1))
	return err == nil || info.Size() == 0
}

// file returns the place of a path as git names it.
func (r *Repository) file(path string) string {
	return filepath.Join(r.TopLevel, filepath.FromSlash(path))
}
