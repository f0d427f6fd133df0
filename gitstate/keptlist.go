package gitstate

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Kept is a commit that a loop moved away from.
type Kept struct {
	Ref     plumbing.ReferenceName // refs/ralph/kept/<loop>/<n>
	Commit  plumbing.Hash          // that it holds
	Time    time.Time              // when that was committed
	Subject string                 // of it, as the commit has it: it may hold anything but line breaks
}

// Kept returns what is kept of a loop, the last first.
func (r *Repository) Kept(ctx context.Context, loop string) ([]Kept, error) {
	prefix := keptPrefix(loop)
	out, err := r.git.line(ctx, "for-each-ref", "--format=%(refname) %(objectname) %(committerdate:unix) %(contents:subject)", prefix)
	if err != nil {
		return nil, fmt.Errorf("list what is kept: %w", err)
	}
	number := func(name plumbing.ReferenceName) int {
		n, _ := strconv.Atoi(strings.TrimPrefix(name.String(), prefix))
		return n
	}
	var all []Kept
	for line := range strings.Lines(out) {
		fields := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 4)
		if len(fields) < 4 {
			continue // no commit: not ours
		}
		seconds, _ := strconv.ParseInt(fields[2], 10, 64)
		all = append(all, Kept{
			Ref: plumbing.ReferenceName(fields[0]), Commit: plumbing.NewHash(fields[1]), Time: time.Unix(seconds, 0).UTC(), Subject: fields[3],
		})
	}
	slices.SortFunc(all, func(a, b Kept) int { return number(b.Ref) - number(a.Ref) })
	return all, nil
}
