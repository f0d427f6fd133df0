package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Outlook is what an iteration needs to know of a loop's refs before it begins.
type Outlook struct {
	Home  bool          // HEAD is the loop branch
	Tip   plumbing.Hash // zero: there is no such ref
	Tells []Tell        // guidance that waits, oldest first
}

// Outlook asks git once for all of it, or not at all where the files show that nothing new can be there.
func (r *Repository) Outlook(ctx context.Context, l Loop) (Outlook, error) {
	if r.quiet(l) {
		branch, err := r.store.Resolve(l.Branch)
		if err != nil {
			return Outlook{}, err
		}
		tip, err := r.store.Resolve(l.TipRef())
		return Outlook{Home: !branch.IsZero(), Tip: tip}, err
	}
	packed, known := r.packedRefs() // as it was before git reads it
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
	r.packed = packedRefs{file: packed, known: known && len(waiting) == 0}
	found.Tells, err = r.readTells(waiting)
	return found, err
}

// quiet reports whether HEAD is the loop branch and no guidance waits for the loop, as far as files tell it without a call of git: no ref of
// that kind is in a file of its own, and the packed ones are those that git listed before. Where refs are not kept in files, HEAD does not
// hold the branch.
func (r *Repository) quiet(l Loop) bool {
	if !r.packed.known || readText(filepath.Join(r.GitDir, "HEAD")) != "ref: "+l.Branch.String()+"\n" {
		return false
	}
	loose, err := os.ReadDir(filepath.Join(r.CommonDir, filepath.FromSlash(tellPrefix+l.Name)))
	if len(loose) > 0 || err != nil && !isMissing(err) {
		return false
	}
	now, known := r.packedRefs()
	return known && sameFile(r.packed.file, now)
}

// packedRefs is the file of packed refs when no guidance for the loop was in it.
type packedRefs struct {
	file  fs.FileInfo // nil: there was none
	known bool        // git listed the refs, and there was no guidance among them
}

// packedRefs returns the state of the file of packed refs, nil when there is none.
func (r *Repository) packedRefs() (info fs.FileInfo, known bool) {
	info, err := os.Stat(filepath.Join(r.CommonDir, "packed-refs"))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, true
	}
	return info, err == nil
}
