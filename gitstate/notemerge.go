package gitstate

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// MergeNotes joins the notes of two clones and returns the notes commit, which has both as parents, or one of them where that one
// can be followed by both clones: theirs when it holds all of ours, ours when it comes after theirs. Of two notes for one commit the one
// with more keys wins, then the greater blob id. A zero hash has no notes.
func MergeNotes(ctx context.Context, s Store, ours, theirs plumbing.Hash, author object.Signature) (plumbing.Hash, error) {
	if ours.IsZero() || theirs.IsZero() || ours == theirs {
		return later(ours, theirs), nil
	}
	a, err := object.GetCommit(s, ours)
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read notes %s: %w", ours, err)
	}
	b, err := object.GetCommit(s, theirs)
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read notes %s: %w", theirs, err)
	}
	u := union{store: s, ours: newNoteSet(), theirs: newNoteSet()}
	if err := u.compare(a.TreeHash, b.TreeHash, ""); err != nil {
		return plumbing.ZeroHash, err
	}
	tree, err := openNoteTree(s, a.TreeHash)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	gained, lacking, err := u.apply(tree)
	switch {
	case err != nil:
		return plumbing.ZeroHash, err
	case !gained && comesAfter(s, a, b):
		return ours, nil
	case !lacking:
		return theirs, nil
	}
	objects, err := notesCommit(tree, []plumbing.Hash{ours, theirs}, author, "ralph: join notes")
	if err != nil {
		return plumbing.ZeroHash, err
	}
	return objects[len(objects)-1].Hash(), s.WriteObjects(ctx, objects)
}

// later returns the one of two hashes that is not zero.
func later(a, b plumbing.Hash) plumbing.Hash {
	if a.IsZero() {
		return b
	}
	return a
}

// union is two notes trees, without the directories that are the same in both.
type union struct {
	store        Store
	ours, theirs noteSet
}

// noteSet is what a notes tree holds.
type noteSet struct {
	notes  map[string]plumbing.Hash    // blobs by the id of their commit
	others map[string]object.TreeEntry // what is no note, by its path
}

func newNoteSet() noteSet {
	return noteSet{notes: map[string]plumbing.Hash{}, others: map[string]object.TreeEntry{}}
}

// add takes in one directory and returns the directories of notes in it.
func (n noteSet) add(s Store, dir plumbing.Hash, digits string) (map[string]plumbing.Hash, error) {
	if dir.IsZero() {
		return nil, nil
	}
	tree, err := object.GetTree(s, dir)
	if err != nil {
		return nil, fmt.Errorf("read notes tree %s: %w", dir, err)
	}
	below := map[string]plumbing.Hash{}
	for _, entry := range tree.Entries {
		switch place, isNotes := placeOf(digits, entry); {
		case !isNotes:
			n.others[fanned(digits, len(digits)/2)+entry.Name] = entry
		case place.kind == directoryPlace:
			below[place.key] = place.value
		default:
			n.notes[place.key] = place.value
		}
	}
	return below, nil
}

// compare takes in two directories of the same name; the zero hash is none.
func (u *union) compare(ours, theirs plumbing.Hash, digits string) error {
	if ours == theirs {
		return nil
	}
	a, err := u.ours.add(u.store, ours, digits)
	if err != nil {
		return err
	}
	b, err := u.theirs.add(u.store, theirs, digits)
	if err != nil {
		return err
	}
	for key := range a {
		if err := u.compare(a[key], b[key], key); err != nil {
			return err
		}
	}
	for key := range b {
		if _, seen := a[key]; !seen {
			if err := u.compare(plumbing.ZeroHash, b[key], key); err != nil {
				return err
			}
		}
	}
	return nil
}

// apply puts into our tree what theirs has and ours has not, or not as well. It reports whether our tree gained anything, and
// whether theirs lacks anything.
func (u *union) apply(tree *noteTree) (gained, lacking bool, err error) {
	for key, theirs := range u.theirs.notes {
		ours, both := u.ours.notes[key]
		takeTheirs := !both
		if both && ours != theirs {
			if takeTheirs, err = u.prefersTheirs(ours, theirs); err != nil {
				return false, false, err
			}
			lacking = lacking || !takeTheirs
		}
		if takeTheirs {
			gained = true
			if err := tree.set(plumbing.NewHash(key), theirs); err != nil {
				return false, false, err
			}
		}
	}
	for key := range u.ours.notes {
		if _, both := u.theirs.notes[key]; !both {
			lacking = true
		}
	}
	for path, ours := range u.ours.others {
		lacking = lacking || u.theirs.others[path] != ours
	}
	for path, theirs := range u.theirs.others {
		if _, both := u.ours.others[path]; !both && !strings.Contains(path, "/") {
			gained = true
			tree.others = append(tree.others, theirs)
		}
	}
	return gained, lacking, nil
}

// prefersTheirs chooses between two notes for one commit.
func (u *union) prefersTheirs(ours, theirs plumbing.Hash) (bool, error) {
	a, err := contentOf(u.store, ours)
	if err != nil {
		return false, err
	}
	b, err := contentOf(u.store, theirs)
	if err != nil {
		return false, err
	}
	if ourKeys, theirKeys := noteKeyCount(a), noteKeyCount(b); ourKeys != theirKeys {
		return theirKeys > ourKeys, nil
	}
	return bytes.Compare(theirs[:], ours[:]) > 0, nil
}

// noteKeyCount counts the keys of a note at any depth. What is no note of ours has none.
func noteKeyCount(text []byte) int {
	raw, err := noteRaw(text)
	if err != nil {
		return 0
	}
	return keyCount(raw)
}

func keyCount(t map[string]any) int {
	n := len(t)
	for _, v := range t {
		switch v := v.(type) {
		case map[string]any:
			n += keyCount(v)
		case []map[string]any:
			for _, element := range v {
				n += keyCount(element)
			}
		}
	}
	return n
}

// comesAfter reports whether b is among a's ancestors. Where clocks were wrong by more than a day it may say no, and a
// merge that was not needed is written.
func comesAfter(s Store, a, b *object.Commit) bool {
	oldest := b.Committer.When.Add(-24 * time.Hour)
	seen := map[plumbing.Hash]bool{}
	for queue := []*object.Commit{a}; len(queue) > 0; queue = queue[1:] {
		for _, id := range queue[0].ParentHashes {
			if id == b.Hash {
				return true
			}
			if seen[id] {
				continue
			}
			seen[id] = true
			if parent, err := object.GetCommit(s, id); err == nil && parent.Committer.When.After(oldest) {
				queue = append(queue, parent)
			}
		}
	}
	return false
}
