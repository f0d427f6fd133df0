package runner

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// FindPlan returns the folder that holds the .scud folder: the nearest one from dir upwards, in the work tree or at the same place in the main work tree, where an
// ignored .scud lies for all of them. The error is [scud.ErrNoFolder] when there is none.
func FindPlan(repo *gitstate.Repository, dir string) (string, error) {
	root, err := scud.Find(dir, repo.TopLevel)
	main := mainWorktree(repo)
	within, inside := below(repo.TopLevel, dir)
	if err != nil && !errors.Is(err, scud.ErrNoFolder) || main == "" || !inside {
		return root, err
	}
	there, noneThere := scud.Find(filepath.Join(main, within), main)
	if noneThere != nil {
		return root, err
	}
	near, _ := below(repo.TopLevel, root)
	far, _ := below(main, there)
	if down, _ := filepath.Rel(near, far); err == nil && (down == "." || !filepath.IsLocal(down)) {
		return root, nil
	}
	return there, nil // it is nearer
}

// PlanRoot names a folder that [FindPlan] returned as a configuration records it: from the top level of its work tree, with slashes.
func PlanRoot(repo *gitstate.Repository, root string) string {
	for _, top := range []string{repo.TopLevel, mainWorktree(repo)} {
		if within, ok := below(top, root); ok && top != "" {
			return filepath.ToSlash(within)
		}
	}
	return ""
}

// below returns the path from top to a folder below it, whatever links lead there.
func below(top, dir string) (string, bool) {
	for _, real := range []*string{&top, &dir} {
		if resolved, err := filepath.EvalSymlinks(*real); err == nil {
			*real = resolved
		}
	}
	within, err := filepath.Rel(top, dir)
	return within, err == nil && filepath.IsLocal(within)
}

// locatePlan returns the folder that holds the plan of a configuration: where it was found at the start, in this work tree if the tag is there, else in the main
// one. The error is [scud.ErrNoFolder] when there is none.
func locatePlan(ctx context.Context, repo *gitstate.Repository, c Config) (string, error) {
	var roots []string
	for _, top := range slices.Compact([]string{repo.TopLevel, mainWorktree(repo)}) {
		root, err := planBelow(top, c)
		if err == nil {
			roots = append(roots, root)
		} else if !errors.Is(err, scud.ErrNoFolder) && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
	}
	switch len(roots) {
	case 0:
		return "", scud.ErrNoFolder
	case 1:
		return roots[0], nil
	}
	if all, err := scud.Read(ctx, roots[0]); err == nil && c.ScudTag != "" {
		if _, here := all.Tag(c.ScudTag); !here {
			return roots[1], nil
		}
	}
	return roots[0], nil // what cannot be read there its reader says
}

// planBelow returns the folder of a work tree that holds the plan of a configuration. The error is [scud.ErrNoFolder] or [fs.ErrNotExist] when there is none.
func planBelow(top string, c Config) (string, error) {
	dir := filepath.Join(top, filepath.FromSlash(c.PlanRoot))
	upTo := dir
	if c.PlanRoot == "" { // of a loop that an earlier version started
		dir, upTo = filepath.Join(top, filepath.FromSlash(c.Dir)), top
	}
	if _, within := below(top, dir); !within || top == "" {
		return "", scud.ErrNoFolder
	}
	return scud.Find(dir, upTo)
}

// planIsHere makes sure that there is a plan to go on with: among the files of the loop's tip, which the work tree will hold, or on this disk.
func (l *loop) planIsHere(ctx context.Context) error {
	if !l.config.hasPlan() {
		return nil
	}
	from := l.config.PlanRoot
	if from == "" {
		from = l.config.Dir
	}
	for dir := path.Clean(from); ; dir = path.Dir(dir) {
		for _, folder := range scud.Folders() {
			has, err := l.repo.HasPath(l.state.Loop.Tip, path.Join(dir, folder, "tasks"))
			if err != nil || has {
				return err
			}
		}
		if dir == "." || dir == "/" || l.config.PlanRoot != "" {
			break
		}
	}
	root, err := locatePlan(ctx, l.repo, l.config)
	if err != nil {
		return planError(err)
	}
	if held, err := l.repo.PlanHeld(planKey(root, l.config.ScudTag)); err != nil || held != nil {
		return heldOr(held, err)
	}
	_, err = openPlan(root, l.config).look(ctx)
	return err
}
