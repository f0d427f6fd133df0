package gitstate

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// siftIgnored takes the new paths out that the rules of a commit ignore, where the work tree is to become that
// commit's: an agent that switches to a branch with other rules makes no work out of what is built or installed there.
// It returns the others, and the paths that `add -A` has to pass over: whole directories where nothing else is in them.
func (s *Snapshot) siftIgnored(ctx context.Context, staged, untracked []string) (stagedLeft, untrackedLeft, leave []string, err error) {
	ignored, err := s.ignoredBy(ctx, s.rules, append(append([]string(nil), staged...), untracked...))
	if err != nil || len(ignored) == 0 {
		return staged, untracked, nil, err
	}
	stagedLeft, remove := split(staged, ignored)
	if err := s.removeEntries(ctx, remove); err != nil {
		return nil, nil, nil, err
	}
	untrackedLeft, out := split(untracked, ignored)
	tracked, err := s.git(ctx, call{args: []string{"ls-files", "-z"}})
	if err != nil {
		return nil, nil, nil, err
	}
	wanted := directories(append(splitNul(tracked), untrackedLeft...))
	seen := map[string]bool{}
	for _, path := range append(out, remove...) {
		if top := topmostOutside(strings.TrimSuffix(path, "/"), wanted); !seen[top] {
			seen[top] = true
			leave = append(leave, top)
		}
	}
	return stagedLeft, untrackedLeft, leave, nil
}

// ignoredBy returns those paths that the .gitignore files of a commit ignore, and the rules that are the repository's
// or the user's.
//
// git is asked in a directory that has these files and nothing else.
func (s *Snapshot) ignoredBy(ctx context.Context, commit plumbing.Hash, paths []string) (map[string]bool, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	root := filepath.Join(s.index.dir, "rules")
	if err := s.writeRules(ctx, commit, root); err != nil {
		return nil, fmt.Errorf("read the ignore rules of %s: %w", commit, err)
	}
	var names []string
	for _, path := range paths {
		name, isDir := strings.CutSuffix(path, "/")
		if isDir { // there it has to be, to be matched as a directory
			if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(name)), 0o777); err != nil {
				return nil, err
			}
		}
		names = append(names, name)
	}
	out, err := s.repo.git.do(ctx, call{args: []string{"check-ignore", "--no-index", "-z", "--stdin"}, dir: root, stdin: pathList(names), env: []string{
		"GIT_DIR=" + s.repo.GitDir, "GIT_WORK_TREE=" + root, "GIT_INDEX_FILE=" + filepath.Join(s.index.dir, "none"),
	}})
	if err != nil && exitCode(err) != 1 { // 1: none is ignored
		return nil, err
	}
	ignored := map[string]bool{}
	for _, name := range splitNul(out) {
		ignored[name] = true
	}
	return ignored, nil
}

// writeRules writes the .gitignore files of a commit, each at its place below root.
func (s *Snapshot) writeRules(ctx context.Context, commit plumbing.Hash, root string) error {
	if err := os.MkdirAll(root, 0o777); err != nil {
		return err
	}
	out, err := s.repo.git.run(ctx, "ls-tree", "-r", "-z", commit.String())
	if err != nil {
		return err
	}
	for _, entry := range splitNul(out) { // "100644 blob <id>\t<path>"
		head, name, _ := strings.Cut(entry, "\t")
		fields := strings.Fields(head)
		if path.Base(name) != ".gitignore" || len(fields) != 3 || !strings.HasPrefix(fields[0], "100") {
			continue
		}
		text, err := s.repo.git.run(ctx, "cat-file", "blob", fields[2])
		if err != nil {
			return err
		}
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// split parts paths in two: those that are not ignored and those that are.
func split(paths []string, ignored map[string]bool) (not, are []string) {
	for _, path := range paths {
		if ignored[strings.TrimSuffix(path, "/")] {
			are = append(are, path)
		} else {
			not = append(not, path)
		}
	}
	return not, are
}

// directories returns all directories that the paths are in.
func directories(paths []string) map[string]bool {
	dirs := map[string]bool{}
	for _, p := range paths {
		for dir := path.Dir(strings.TrimSuffix(p, "/")); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
			dirs[dir] = true
		}
	}
	return dirs
}

// topmostOutside returns the highest directory above the path that is not one of dirs, or the path.
func topmostOutside(p string, dirs map[string]bool) string {
	top := p
	for dir := path.Dir(p); dir != "." && !dirs[dir]; dir = path.Dir(dir) {
		top = dir
	}
	return top
}
