package gitstate

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
)

// TreePair is two trees to compare.
type TreePair struct{ Base, To plumbing.Hash } // trees, not commits; a zero hash is the empty tree

// FileLines counts the lines of one file that differ between two trees.
type FileLines struct {
	Path    string // as git has it, unquoted
	From    string // path before it was renamed; empty: it was not
	Added   int    // zero for a binary file
	Removed int    // zero for a binary file
	Binary  bool   // git counts no lines in it
}

// Lines compares trees with one git call, however many pairs there are, and returns the files of each pair in git's order. A pair that is not all in
// this clone is missing in the answer; one without a difference has no files.
func (r *Repository) Lines(ctx context.Context, pairs []TreePair) (map[TreePair][]FileLines, error) {
	if len(pairs) == 0 {
		return nil, nil
	}
	var stdin strings.Builder
	for _, p := range pairs {
		fmt.Fprintf(&stdin, "%s %s\n", treeName(p.Base), treeName(p.To))
	}
	out, err := r.compare(ctx, call{args: append(diffTree(), "--stdin", "--numstat", "-z"), stdin: strings.NewReader(stdin.String())})
	if err != nil {
		return nil, fmt.Errorf("count changed lines: %w", err)
	}
	found := parseLines(out)
	answer := map[TreePair][]FileLines{}
	for _, p := range pairs {
		if files, ok := found[treeName(p.Base)+" "+treeName(p.To)]; ok {
			answer[p] = files
		}
	}
	return answer, nil
}

// treeName is the id of a tree; of the empty one for the zero hash.
func treeName(id plumbing.Hash) string {
	if id.IsZero() {
		return emptyTree
	}
	return id.String()
}

// linesHead is what stands before the files of a pair.
var linesHead = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{40} [0-9a-f]{40}\n`) })

// parseLines reads `diff-tree --stdin --numstat -z`: a line for each pair, then its files, each ended by NUL. The path of a renamed file is empty and two
// fields follow. A count of "-" is that of a binary file.
func parseLines(out []byte) map[string][]FileLines {
	found := map[string][]FileLines{}
	pair := ""
	fields := splitNul(out)
	for i := 0; i < len(fields); i++ {
		field := fields[i]
		for head := linesHead().FindString(field); head != ""; head = linesHead().FindString(field) {
			pair, field = strings.TrimSuffix(head, "\n"), field[len(head):]
			found[pair] = []FileLines{} // not twice as many when the same pair was asked for twice
		}
		counts := strings.SplitN(field, "\t", 3)
		if len(counts) != 3 || pair == "" {
			continue
		}
		file := FileLines{Path: counts[2], Binary: counts[0] == "-"}
		file.Added, _ = strconv.Atoi(counts[0])
		file.Removed, _ = strconv.Atoi(counts[1])
		if file.Path == "" && i+2 < len(fields) {
			file.From, file.Path = fields[i+1], fields[i+2]
			i += 2
		}
		found[pair] = append(found[pair], file)
	}
	return found
}
