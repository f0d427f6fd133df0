package gitstate

import (
	"errors"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// treeDiff compares two trees by reading those directories that differ, for the common case of few changes: starting git takes longer.
type treeDiff struct {
	repo    *Repository
	left    int // directories that may still be read
	changes Changes
}

// fewTrees is how many directories are read before git is asked, which is faster then.
const fewTrees = 60

// errManyTrees says that more differs than is to be compared here.
var errManyTrees = errors.New("compare trees: too many differ")

// plainChanges compares two commits or trees, unless there may be renames, which only git finds, or too much differs.
func (r *Repository) plainChanges(base, to plumbing.Hash) (Changes, bool) {
	d := treeDiff{repo: r, left: fewTrees}
	from, err := d.root(base)
	if err != nil {
		return Changes{}, false
	}
	with, err := d.root(to)
	if err != nil || d.compare("", from, with) != nil || len(d.changes.Created) > 0 && len(d.changes.Deleted) > 0 {
		return Changes{}, false
	}
	for _, paths := range [][]string{d.changes.Created, d.changes.Modified, d.changes.Deleted} {
		slices.Sort(paths)
	}
	return d.changes, true
}

// root reads the tree of a commit, or a tree. The zero hash is the empty tree.
func (d *treeDiff) root(id plumbing.Hash) ([]object.TreeEntry, error) {
	if id.IsZero() {
		return nil, nil
	}
	entries, err := d.entries(id)
	if errors.Is(err, plumbing.ErrObjectNotFound) { // no tree
		if id, err = d.repo.TreeID(id); err == nil {
			entries, err = d.entries(id)
		}
	}
	return entries, err
}

// entries reads one directory.
func (d *treeDiff) entries(id plumbing.Hash) ([]object.TreeEntry, error) {
	if d.left--; d.left < 0 {
		return nil, errManyTrees
	}
	if id.String() == emptyTree {
		return nil, nil
	}
	tree, err := object.GetTree(d.repo.store, id)
	if err != nil {
		return nil, err
	}
	return tree.Entries, nil
}

// compare notes what differs between two directories.
func (d *treeDiff) compare(prefix string, from, to []object.TreeEntry) error {
	before := map[string]object.TreeEntry{}
	for _, e := range from {
		before[e.Name] = e
	}
	for _, e := range to {
		if err := d.entry(prefix+e.Name, before[e.Name], e); err != nil {
			return err
		}
		delete(before, e.Name)
	}
	for name, gone := range before {
		if err := d.entry(prefix+name, gone, object.TreeEntry{}); err != nil {
			return err
		}
	}
	return nil
}

// entry notes what became of an entry; the zero entry: it was not there, or is not there any more.
func (d *treeDiff) entry(path string, was, is object.TreeEntry) error {
	switch appears, goes := was.Hash.IsZero(), is.Hash.IsZero(); {
	case was.Hash == is.Hash && was.Mode == is.Mode:
	case was.Mode == filemode.Dir && (goes || is.Mode == filemode.Dir), appears && is.Mode == filemode.Dir:
		return d.descend(path+"/", was.Hash, is.Hash)
	case was.Mode == filemode.Dir || is.Mode == filemode.Dir: // a file becomes a directory, or a directory a file
		return errManyTrees // git's words for it are git's
	case appears:
		d.changes.Created = append(d.changes.Created, path)
	case goes:
		d.changes.Deleted = append(d.changes.Deleted, path)
	default:
		d.changes.Modified = append(d.changes.Modified, path)
	}
	return nil
}

// descend compares two versions of a directory; the zero hash: there is none.
func (d *treeDiff) descend(prefix string, from, to plumbing.Hash) error {
	var sides [2][]object.TreeEntry
	for i, id := range []plumbing.Hash{from, to} {
		if id.IsZero() {
			continue
		}
		var err error
		if sides[i], err = d.entries(id); err != nil {
			return err
		}
	}
	return d.compare(prefix, sides[0], sides[1])
}
