package gitstate

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// mend repairs what keeps git from working at all: a HEAD, and then a loop branch, in which nothing is that git can
// read. git neither replaces nor deletes such files, so they are moved into the loop's directory.
func (r *Repository) mend(ctx context.Context, q GatherRequest, found *Gathered) error {
	file := filepath.Join(r.GitDir, "HEAD")
	if r.inPlace(ctx) != nil && !readableHead(file) && exists(r.GitDir) {
		if exists(file) {
			if err := r.moveLeft(q.Loop, file); err != nil {
				return err
			}
		}
		if err := os.WriteFile(file, []byte("ref: "+q.Branch.String()+"\n"), 0o666); err != nil {
			return fmt.Errorf("write HEAD: %w", err)
		}
		found.Told = append(found.Told, fmt.Sprintf("HEAD could not be read: it is on %s again", q.Branch.Short()))
	}
	if err := r.inPlace(ctx); err != nil {
		return err
	}
	return r.moveBrokenBranch(ctx, q, found)
}

// inPlace makes sure that git finds our repository still. Without it git would go on to one in a directory above, and
// work there.
func (r *Repository) inPlace(ctx context.Context) error {
	dir, err := r.git.line(ctx, "rev-parse", "--path-format=absolute", "--git-dir")
	switch {
	case err != nil:
		return fmt.Errorf("read the repository: %w", err)
	case filepath.FromSlash(dir) != r.GitDir:
		return fmt.Errorf("read the repository: %s is none any more", r.GitDir)
	}
	return nil
}

// readableHead reports whether HEAD names a ref or an object.
func readableHead(file string) bool {
	text := strings.TrimSpace(readText(file))
	return strings.HasPrefix(text, "ref: refs/") || plumbing.IsHash(text)
}

// moveBrokenBranch moves the file of the loop branch away where git, which works otherwise, finds no commit in it.
func (r *Repository) moveBrokenBranch(ctx context.Context, q GatherRequest, found *Gathered) error {
	file := filepath.Join(r.CommonDir, filepath.FromSlash(q.Branch.String()))
	info, err := os.Lstat(file)
	if err != nil || !info.Mode().IsRegular() {
		return nil // packed, or none, or a branch below it that git will name
	}
	_, err = r.git.run(ctx, "rev-parse", "--quiet", "--verify", q.Branch.String()+"^{commit}")
	if exitCode(err) < 1 {
		return err
	}
	found.Told = append(found.Told, fmt.Sprintf("moved the file of %s away: it named no commit", q.Branch.Short()))
	return r.moveLeft(q.Loop, file)
}
