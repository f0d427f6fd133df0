package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// siftNested sorts new nested repositories. Those that .gitmodules names are git's: `add -A` makes gitlinks of them.
// The files of the others are added one by one; linked worktrees are another branch's and are left out. Both are left
// by `add -A`.
func (s *Snapshot) siftNested(ctx context.Context, dirs []string) (nested, leave []string, err error) {
	if len(dirs) == 0 {
		return nil, nil, nil
	}
	modules, err := s.repo.submodules(ctx)
	if err != nil {
		return nil, nil, err
	}
	for _, dir := range dirs {
		switch kind := repositoryKind(s.repo.file(dir)); {
		case modules[dir] || kind == notRepository:
		case kind == linkedWorktree:
			leave = append(leave, dir)
			s.Told = append(s.Told, fmt.Sprintf("left out %q: a linked worktree", dir))
		default:
			leave = append(leave, dir)
			nested = append(nested, dir)
		}
	}
	return nested, leave, nil
}

// submodules returns the paths that .gitmodules in the work tree names.
func (r *Repository) submodules(ctx context.Context) (map[string]bool, error) {
	file := r.file(".gitmodules")
	if _, err := os.Lstat(file); err != nil {
		return nil, nil
	}
	out, err := r.git.run(ctx, "config", "-z", "--file", file, "--get-regexp", `^submodule\..*\.path$`)
	if code := exitCode(err); code > 0 {
		return nil, nil // no path in it, or git cannot read it: then it makes no submodules of it either
	}
	paths := map[string]bool{}
	for _, entry := range splitNul(out) {
		if _, value, ok := strings.Cut(entry, "\n"); ok {
			paths[path.Clean(value)] = true
		}
	}
	return paths, err
}

// What a directory in the work tree may be.
const (
	notRepository = iota
	ordinaryRepository
	linkedWorktree
)

// repositoryKind tells by its .git what a directory is.
func repositoryKind(dir string) int {
	dotGit := filepath.Join(dir, ".git")
	info, err := os.Lstat(dotGit)
	switch {
	case err != nil:
		return notRepository
	case !info.Mode().IsRegular():
		return ordinaryRepository
	}
	target, ok := strings.CutPrefix(readText(dotGit), "gitdir:")
	if ok && path.Base(path.Dir(filepath.ToSlash(strings.TrimSpace(target)))) == "worktrees" {
		return linkedWorktree
	}
	return ordinaryRepository
}

// addNested puts the files of nested repositories into the private index, where they are ordinary entries from then on.
func (s *Snapshot) addNested(ctx context.Context, dirs []string) error {
	var files []string
	for _, dir := range dirs {
		within, err := s.listNested(ctx, dir)
		if err != nil {
			return err
		}
		files = append(files, within...)
		s.Told = append(s.Told, fmt.Sprintf("took in the files of %q, a repository in the repository, without its .git", dir))
	}
	files, err := s.withoutIgnored(ctx, files)
	if err != nil || len(files) == 0 {
		return err
	}
	refused, err := s.judge(ctx, files)
	if err != nil {
		return err
	}
	out := map[string]bool{}
	for _, skipped := range refused {
		out[skipped.Path] = true
	}
	var add []string
	for _, file := range files {
		switch {
		case out[file]:
		case canRead(s.repo.file(file)):
			add = append(add, file)
		case exists(s.repo.file(file)):
			refused = append(refused, SkippedPath{Path: file, Reason: unreadable})
		}
	}
	s.Skipped = append(s.Skipped, refused...)
	return s.addEntries(ctx, add)
}

// addEntries puts files into the private index, whatever ignore rules say and whatever repository they are in. A file
// that vanished is passed over.
func (s *Snapshot) addEntries(ctx context.Context, files []string) error {
	args := append(slices.Clone(s.repo.git.durable(ctx)), "-c", "core.safecrlf=false", "update-index", "--add", "--replace", "--remove", "-z", "--stdin")
	_, err := s.git(ctx, call{args: args, stdin: pathList(files)})
	return err
}

// listNested lists the files of a nested repository that its own rules do not ignore, and of those in it, as paths from
// our top level.
func (s *Snapshot) listNested(ctx context.Context, dir string) ([]string, error) {
	names, err := s.list(ctx, dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, name := range names {
		inner, isDir := strings.CutSuffix(name, "/")
		switch {
		case !isDir:
			files = append(files, name)
		case repositoryKind(s.repo.file(inner)) == linkedWorktree:
			s.Told = append(s.Told, fmt.Sprintf("left out %q: a linked worktree", inner))
		default:
			within, err := s.listNested(ctx, inner)
			if err != nil {
				return nil, err
			}
			files = append(files, within...)
		}
	}
	return files, nil
}

// list lists what is in a nested repository and not ignored by its own rules; a repository in it is one path that ends
// in a slash.
//
// git runs as if the directory were a work tree of our repository with an empty index: the nested repository's
// configuration is not read, so nothing in it can name a program to run.
func (s *Snapshot) list(ctx context.Context, dir string) ([]string, error) {
	root := s.repo.file(dir)
	args := []string{"-c", "core.fsmonitor=false", "-c", "core.untrackedCache=false", "ls-files", "-o", "-z", "--exclude-per-directory=.gitignore"}
	if exclude := ownExcludes(root); exclude != "" {
		args = append(args, "--exclude-from="+exclude)
	}
	out, err := s.repo.git.do(ctx, call{args: args, dir: root, env: []string{
		"GIT_DIR=" + s.repo.GitDir, "GIT_WORK_TREE=" + root, "GIT_INDEX_FILE=" + filepath.Join(s.index.dir, "none"),
	}})
	if err != nil {
		return nil, err
	}
	names := splitNul(out)
	for i := range names {
		names[i] = dir + "/" + names[i]
	}
	return names, nil
}

// withoutIgnored leaves out the paths that the rules of our repository ignore.
func (s *Snapshot) withoutIgnored(ctx context.Context, paths []string) ([]string, error) {
	if len(paths) == 0 {
		return nil, nil
	}
	out, err := s.git(ctx, call{args: []string{"check-ignore", "-z", "--stdin"}, stdin: pathList(paths)})
	if exitCode(err) == 1 {
		return paths, nil // none is ignored
	}
	if err != nil {
		return nil, err
	}
	ignored := map[string]bool{}
	for _, path := range splitNul(out) {
		ignored[path] = true
	}
	var rest []string
	for _, path := range paths {
		if !ignored[path] {
			rest = append(rest, path)
		}
	}
	return rest, nil
}

// exists reports whether there is anything at the path.
func exists(path string) bool {
	_, err := os.Lstat(path)
	return !isMissing(err)
}

// isMissing reports whether err says that there is nothing at a path: no such name, or a file where a directory would have to be. Reftable repositories
// have a file refs/heads.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
