package gitstate

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Outlook is what an iteration needs to know of a loop's refs before it begins.
type Outlook struct {
	Home  bool          // HEAD is the loop branch
	Tip   plumbing.Hash // zero: there is no such ref
	Tells []Tell        // guidance that waits, oldest first
}

// Outlook asks git once for all of it.
func (r *Repository) Outlook(ctx context.Context, l Loop) (Outlook, error) {
	out, err := r.git.run(ctx, "for-each-ref", "--format=%(HEAD)%(objectname) %(refname)", l.Branch.String(), l.TipRef().String(), tellPrefix+l.Name+"/")
	if err != nil {
		return Outlook{}, fmt.Errorf("read the refs of loop %s: %w", l.Name, err)
	}
	var found Outlook
	var waiting []Ref
	for line := range strings.Lines(string(out)) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line[1:], "\n"), " ")
		switch ref := (Ref{Name: plumbing.ReferenceName(name), Hash: plumbing.NewHash(id)}); {
		case ref.Name == l.Branch:
			found.Home = line[0] == '*'
		case ref.Name == l.TipRef():
			found.Tip = ref.Hash
		case strings.HasPrefix(name, tellPrefix):
			waiting = append(waiting, ref)
		}
	}
	found.Tells, err = r.readTells(waiting)
	return found, err
}
