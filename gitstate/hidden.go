package gitstate

import (
	"context"
	"path"
	"path/filepath"
	"strings"
)

// ownExcludes returns the file with rules that a repository keeps for itself; empty: there are none.
func ownExcludes(root string) string {
	file := filepath.Join(root, ".git", "info", "exclude")
	for line := range strings.Lines(readText(file)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			return file
		}
	}
	return ""
}

// siftHidden takes the paths out that a nested repository hides by rules of its own: once its first files are ours, git
// lists the others too.
func (s *Snapshot) siftHidden(ctx context.Context, untracked []string) (rest, hidden []string, err error) {
	hiding := map[string]bool{} // by directory: whether it is a repository with such rules
	shown := map[string]map[string]bool{}
	for _, name := range untracked {
		isHidden := false
		for dir := path.Dir(strings.TrimSuffix(name, "/")); dir != "." && !isHidden; dir = path.Dir(dir) {
			known, ok := hiding[dir]
			if !ok {
				known = ownExcludes(s.repo.file(dir)) != ""
				hiding[dir] = known
			}
			if !known {
				continue
			}
			if shown[dir] == nil {
				names, err := s.list(ctx, dir)
				if err != nil {
					return nil, nil, err
				}
				shown[dir] = setOf(names)
			}
			isHidden = !holdsPath(shown[dir], name)
		}
		if isHidden {
			hidden = append(hidden, strings.TrimSuffix(name, "/"))
		} else {
			rest = append(rest, name)
		}
	}
	return rest, hidden, nil
}

func setOf(names []string) map[string]bool {
	set := map[string]bool{}
	for _, name := range names {
		set[name] = true
	}
	return set
}

// holdsPath reports whether the names have the path, or a directory above it, which ends in a slash.
func holdsPath(names map[string]bool, name string) bool {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		if names[dir+"/"] {
			return true
		}
	}
	return names[name]
}
