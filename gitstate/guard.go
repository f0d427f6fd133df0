package gitstate

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/gitignore"
)

// Guard says what a snapshot leaves out. It looks at new paths only, never at tracked ones.
type Guard struct {
	MaxFileSize int64    // bytes; zero means 100 MB (100,000,000)
	Allow       []string // paths (gitignore patterns) that are never left out
}

// maxFileSize is what a zero Guard.MaxFileSize means.
const maxFileSize = 100_000_000

// sifted is what a snapshot does not leave to `git add -A`.
type sifted struct {
	clean  bool     // nothing differs from HEAD
	leave  []string // paths that `add -A` passes over, nested repositories among them
	plain  []string // all that differs, where `update-index` can do without looking at everything again; nil: it cannot
	nested []string // nested repositories whose files are added one by one, no slash at the end
}

// sift looks at all paths that HEAD does not have. What the guard leaves out is taken out of the private index, when
// the agent had staged it.
func (s *Snapshot) sift(ctx context.Context) (sifted, error) {
	seen, err := s.survey(ctx)
	if err != nil {
		return sifted{}, err
	}
	s.commit, s.branch = seen.commit, seen.branch
	found := sifted{clean: seen.clean()}
	if found.clean {
		return found, nil
	}
	if err := s.private(); err != nil {
		return sifted{}, err
	}
	staged, gitlinks, untracked := seen.staged, seen.gitlinks, seen.untracked
	if !s.rules.IsZero() {
		if staged, untracked, found.leave, err = s.siftIgnored(ctx, staged, untracked); err != nil {
			return sifted{}, err
		}
	}
	untracked, hidden, err := s.siftHidden(ctx, untracked)
	if err != nil {
		return sifted{}, err
	}
	found.leave = append(found.leave, hidden...)
	paths, repos := staged, gitlinks
	for _, path := range untracked {
		if dir, ok := strings.CutSuffix(path, "/"); ok {
			repos = append(repos, dir)
		} else {
			paths = append(paths, path)
		}
	}
	nested, out, err := s.siftNested(ctx, repos)
	if err != nil {
		return sifted{}, err
	}
	refused, err := s.judge(ctx, paths)
	if err != nil {
		return sifted{}, err
	}
	for _, skipped := range refused {
		out = append(out, skipped.Path)
	}
	s.Skipped = append(s.Skipped, refused...)
	found.nested, found.leave = nested, append(found.leave, out...)
	if len(found.leave)+len(repos)+len(staged)+seen.others == 0 && !seen.warned {
		found.plain = append(seen.edited, untracked...)
	}
	if len(staged)+len(gitlinks) == 0 {
		return found, nil
	}
	return found, s.removeEntries(ctx, out)
}

// removeEntries takes paths out of the private index. What is on disk stays.
func (s *Snapshot) removeEntries(ctx context.Context, paths []string) error {
	if len(paths) == 0 {
		return nil
	}
	_, err := s.git(ctx, call{args: []string{"update-index", "--force-remove", "-z", "--stdin"}, stdin: pathList(paths)})
	return err
}

// Allowed returns what tells whether a path, from the top level, is never left out.
func (g Guard) Allowed() func(path string) bool {
	var patterns []gitignore.Pattern
	for _, p := range g.Allow {
		patterns = append(patterns, gitignore.ParsePattern(p, nil))
	}
	matcher := gitignore.NewMatcher(patterns)
	return func(path string) bool { return matcher.Match(strings.Split(path, "/"), false) }
}

// judge returns those of the new paths that the guard leaves out.
func (s *Snapshot) judge(ctx context.Context, paths []string) ([]SkippedPath, error) {
	limit := s.guard.MaxFileSize
	if limit == 0 {
		limit = maxFileSize
	}
	allowed := s.guard.Allowed()
	var refused, large []SkippedPath
	for _, path := range paths {
		file := s.repo.file(path)
		info, err := os.Lstat(file)
		if err != nil || !info.Mode().IsRegular() || allowed(path) {
			continue // vanished, or a symbolic link, whose target is all that would be committed
		}
		switch {
		case looksSecret(path, file, info.Size()):
			refused = append(refused, SkippedPath{Path: path, Reason: "secret"})
		case info.Size() > limit:
			large = append(large, SkippedPath{Path: path, Reason: sizeText(info.Size())})
		}
	}
	large, err := s.withoutFiltered(ctx, large)
	return append(refused, large...), err
}

// withoutFiltered leaves out the paths with a clean filter: what git stores of them is not the file, but a small
// pointer for example.
func (s *Snapshot) withoutFiltered(ctx context.Context, large []SkippedPath) ([]SkippedPath, error) {
	if len(large) == 0 {
		return nil, nil
	}
	var paths []string
	for _, skipped := range large {
		paths = append(paths, skipped.Path)
	}
	out, err := s.git(ctx, call{args: []string{"check-attr", "-z", "--stdin", "filter"}, stdin: pathList(paths)})
	if err != nil {
		return nil, err
	}
	filtered := map[string]bool{}
	fields := splitNul(out)
	for i := 0; i+2 < len(fields); i += 3 { // path, "filter", value
		filtered[fields[i]] = fields[i+2] != "unspecified" && fields[i+2] != "unset"
	}
	var rest []SkippedPath
	for _, skipped := range large {
		if !filtered[skipped.Path] {
			rest = append(rest, skipped)
		}
	}
	return rest, nil
}

// sizeText says a size as people do, in decimal units: "312 MB".
func sizeText(size int64) string {
	for _, unit := range []struct {
		name  string
		bytes int64
	}{{"GB", 10_000_000_000}, {"MB", 1_000_000}, {"kB", 1_000}} {
		if size >= unit.bytes {
			per := min(unit.bytes, 1_000_000_000)
			return fmt.Sprintf("%d %s", (size+per/2)/per, unit.name)
		}
	}
	return fmt.Sprintf("%d bytes", size)
}

// headTree returns the tree of HEAD, and the empty tree when HEAD is unborn.
func (r *Repository) headTree(ctx context.Context) (plumbing.Hash, error) {
	head, err := r.head(ctx)
	if err != nil || head == "" {
		return plumbing.NewHash(emptyTree), err
	}
	return r.TreeID(plumbing.NewHash(head))
}
