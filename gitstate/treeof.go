package gitstate

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// TreeOf returns HEAD's tree with the given paths (from the top level, files or directories, as they are in the work
// tree; missing and ignored ones are passed over) put in, or the empty tree with them when HEAD is unborn. It is how
// the loop's own files get into the opening. What else the user has staged is in neither the tree nor lost: FollowIndex
// adds only these paths to the user's index. Close the snapshot.
func (r *Repository) TreeOf(ctx context.Context, paths []string) (*Snapshot, error) {
	index, err := r.newPrivateIndex()
	if err != nil {
		return nil, err
	}
	s := &Snapshot{repo: r, index: index}
	if err := s.takePaths(ctx, paths); err != nil {
		return nil, s.abandon(fmt.Errorf("snapshot %s: %w", strings.Join(paths, ", "), err))
	}
	return s, nil
}

// takePaths writes the tree from an index of HEAD, then leaves a copy of the real index with the same paths staged.
func (s *Snapshot) takePaths(ctx context.Context, paths []string) error {
	var files []string
	if len(paths) > 0 {
		if err := s.readHead(ctx); err != nil {
			return err
		}
		out, err := s.git(ctx, call{args: append([]string{"--literal-pathspecs", "ls-files", "-c", "-o", "--exclude-standard", "--deduplicate", "-z", "--"}, paths...)})
		if err != nil {
			return err
		}
		for _, path := range splitNul(out) {
			if canRead(s.repo.file(path)) {
				files = append(files, path)
			}
		}
	}
	if err := s.treeWith(ctx, files); err != nil {
		return err
	}
	if err := s.index.copyFrom(s.repo.index); err != nil || len(files) == 0 {
		return err
	}
	return s.addEntries(ctx, files)
}

// treeWith sets the tree: HEAD's with the files put in.
func (s *Snapshot) treeWith(ctx context.Context, files []string) error {
	if len(files) > 0 {
		if err := s.addEntries(ctx, files); err != nil {
			return err
		}
		return s.writeTree(ctx)
	}
	tree, err := s.repo.headTree(ctx)
	if err != nil {
		return err
	}
	s.Tree = tree
	if tree == plumbing.NewHash(emptyTree) { // git knows it anyway; other programs look for the object
		_, err = s.repo.git.run(ctx, "mktree")
	}
	return err
}

// Retake takes files (from the top level) as they are now into a snapshot that was taken before, if it has them: ignored ones stay out.
func (s *Snapshot) Retake(ctx context.Context, files ...string) error {
	out, err := s.git(ctx, call{args: append([]string{"--literal-pathspecs", "ls-files", "-c", "-z", "--"}, files...)})
	if err != nil || len(out) == 0 {
		return err
	}
	if err := s.addEntries(ctx, splitNul(out)); err != nil {
		return err
	}
	s.clean = false
	return s.writeTree(ctx)
}
