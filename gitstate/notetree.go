package gitstate

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// A notes tree names each note by the id of the commit it is for, with as many directories of two hex digits as git finds
// fitting (its fanout). Here it is a tree of hex digits whose directories on disk are read only when something in them
// changes, as in git: which are read and which are not is part of how git finds the fanout.

// noteDigits is one level of a notes tree: a place for each hex digit.
type noteDigits [16]notePlace

// notePlace holds nothing, deeper levels, a directory that was not read, or a note.
type notePlace struct {
	kind  placeKind
	inner *noteDigits   // of deeper levels
	key   string        // of a note: the commit's id in hex; of a directory: the digits that lead to it
	value plumbing.Hash // of a note: its blob; of a directory: its tree
}

type placeKind int

const (
	emptyPlace placeKind = iota
	deeperPlace
	directoryPlace
	notePlaceKind
)

// noteTree is a notes tree that is being changed.
type noteTree struct {
	store  Store
	root   noteDigits
	others []object.TreeEntry       // what is no note, by its whole path
	joined []plumbing.EncodedObject // blobs made of two notes for one commit
}

// openNoteTree reads the root of a notes tree. The zero hash is an empty one.
func openNoteTree(s Store, tree plumbing.Hash) (*noteTree, error) {
	t := &noteTree{store: s}
	if tree.IsZero() {
		return t, nil
	}
	return t, t.load(&t.root, 0, notePlace{value: tree})
}

// load reads a directory into the level to which the digits before it lead.
func (t *noteTree) load(level *noteDigits, depth int, dir notePlace) error {
	tree, err := object.GetTree(t.store, dir.value)
	if err != nil {
		return fmt.Errorf("read notes tree %s: %w", dir.value, err)
	}
	for _, entry := range tree.Entries {
		place, isNotes := placeOf(dir.key, entry)
		if !isNotes {
			entry.Name = fanned(dir.key, len(dir.key)/2) + entry.Name
			t.others = append(t.others, entry)
			continue
		}
		if err := t.insert(level, depth, place, t.join); err != nil {
			return err
		}
	}
	return nil
}

// placeOf tells what an entry of the directory with these digits is: a note, a directory of notes or neither.
func placeOf(digits string, entry object.TreeEntry) (notePlace, bool) {
	place := notePlace{key: digits + entry.Name, value: entry.Hash}
	switch {
	case !isHex(entry.Name):
		return place, false
	case len(place.key) == 40 && entry.Mode.IsFile() && entry.Mode != filemode.Symlink:
		place.kind = notePlaceKind
	case len(entry.Name) == 2 && len(place.key) < 40 && entry.Mode == filemode.Dir:
		place.kind = directoryPlace
	default:
		return place, false
	}
	return place, true
}

func isHex(s string) bool { return strings.Trim(s, "0123456789abcdef") == "" }

func digitAt(key string, depth int) int { return strings.IndexByte("0123456789abcdef", key[depth]) }

// insert puts a note or a directory into a level. When there is a note for the same commit, join makes one blob of the
// old one and the new one.
func (t *noteTree) insert(level *noteDigits, depth int, p notePlace, join func(old, added plumbing.Hash) (plumbing.Hash, error)) error {
	for depth < len(p.key) && level[digitAt(p.key, depth)].kind == deeperPlace {
		level = level[digitAt(p.key, depth)].inner
		depth++
	}
	if depth == len(p.key) { // a directory whose notes stand beside it, too
		return t.load(level, depth, p)
	}
	place := &level[digitAt(p.key, depth)]
	there := *place
	switch {
	case there.kind == emptyPlace:
		*place = p
		return nil
	case there.kind == notePlaceKind && there.key == p.key:
		value, err := join(there.value, p.value)
		place.value = value
		return err
	case there.kind == notePlaceKind && p.kind == directoryPlace && strings.HasPrefix(there.key, p.key):
		return t.load(level, depth, p)
	case there.kind == directoryPlace && strings.HasPrefix(p.key, there.key):
		*place = notePlace{}
		if err := t.load(level, depth, there); err != nil {
			return err
		}
		return t.insert(level, depth, p, join)
	}
	deeper := &noteDigits{}
	*place = notePlace{kind: deeperPlace, inner: deeper}
	if err := t.insert(deeper, depth+1, there, join); err != nil {
		return err
	}
	return t.insert(deeper, depth+1, p, join)
}

// set puts a note in, in the place of the one for the same commit.
func (t *noteTree) set(target, blob plumbing.Hash) error {
	replace := func(_, added plumbing.Hash) (plumbing.Hash, error) { return added, nil }
	return t.insert(&t.root, 0, notePlace{kind: notePlaceKind, key: target.String(), value: blob}, replace)
}

// join makes one blob of two notes for one commit, which only a tree of mixed fanouts can have.
func (t *noteTree) join(old, added plumbing.Hash) (plumbing.Hash, error) {
	if old == added {
		return old, nil
	}
	first, err := contentOf(t.store, old)
	if err != nil {
		return old, err
	}
	second, err := contentOf(t.store, added)
	if err != nil {
		return old, err
	}
	blob := memoryObject(plumbing.BlobObject, []byte(strings.TrimSuffix(string(first), "\n")+"\n\n"+string(second)))
	t.joined = append(t.joined, blob)
	return blob.Hash(), nil
}

// entries returns everything in the tree by its path. Directories that were not read are entries of their own.
func (t *noteTree) entries() ([]object.TreeEntry, error) {
	notes, err := t.collect(nil, &t.root, 0, 0)
	entries := append(notes, t.others...)
	slices.SortFunc(entries, func(a, b object.TreeEntry) int { return strings.Compare(a.Name, b.Name) })
	return entries, err
}

// collect adds what is at a level and below. A fanout grows by one directory where all sixteen places of an even level have
// more than a note; a directory that lies deeper than that is read, so that its notes move up.
func (t *noteTree) collect(entries []object.TreeEntry, level *noteDigits, depth, fanout int) ([]object.TreeEntry, error) {
	if depth%2 == 0 && depth <= 2*fanout && isDense(level) {
		fanout++
	}
	var err error
	for i := range level {
		for level[i].kind == directoryPlace && depth >= 2*fanout {
			dir := level[i]
			level[i] = notePlace{}
			if err := t.load(level, depth, dir); err != nil {
				return nil, err
			}
		}
		switch p := level[i]; p.kind {
		case deeperPlace:
			if entries, err = t.collect(entries, p.inner, depth+1, fanout); err != nil {
				return nil, err
			}
		case directoryPlace:
			path := strings.TrimSuffix(fanned(p.key, len(p.key)/2), "/")
			entries = append(entries, object.TreeEntry{Name: path, Mode: filemode.Dir, Hash: p.value})
		case notePlaceKind:
			entries = append(entries, object.TreeEntry{Name: fanned(p.key, fanout), Mode: filemode.Regular, Hash: p.value})
		}
	}
	return entries, nil
}

func isDense(level *noteDigits) bool {
	return !slices.ContainsFunc(level[:], func(p notePlace) bool { return p.kind == emptyPlace || p.kind == notePlaceKind })
}

// fanned returns the path of a note below so many directories.
func fanned(key string, fanout int) string {
	var b strings.Builder
	for i := range fanout {
		b.WriteString(key[2*i:2*i+2] + "/")
	}
	return b.String() + key[2*fanout:]
}
