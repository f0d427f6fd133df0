package gitstate

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// noteText returns the note of target in the notes commit, and false when there is none. It reads any fanout.
func noteText(s Store, notes, target plumbing.Hash) ([]byte, bool, error) {
	if notes.IsZero() {
		return nil, false, nil
	}
	commit, err := object.GetCommit(s, notes)
	if err != nil {
		return nil, false, fmt.Errorf("read notes %s: %w", notes, err)
	}
	blob, err := findNote(s, commit.TreeHash, target.String())
	if err != nil || blob.IsZero() {
		return nil, false, err
	}
	text, err := contentOf(s, blob)
	return text, err == nil, err
}

// findNote looks for a note in a tree of notes, under what is left of its name there; the zero hash: there is none.
func findNote(s Store, dir plumbing.Hash, name string) (plumbing.Hash, error) {
	tree, err := object.GetTree(s, dir)
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read notes tree %s: %w", dir, err)
	}
	var below plumbing.Hash
	for _, entry := range tree.Entries {
		switch place, isNotes := placeOf(strings.Repeat("0", 40-len(name)), entry); {
		case !isNotes:
		case place.kind == notePlaceKind && entry.Name == name:
			return entry.Hash, nil
		case place.kind == directoryPlace && strings.HasPrefix(name, entry.Name):
			below = entry.Hash
		}
	}
	if below.IsZero() {
		return plumbing.ZeroHash, nil
	}
	return findNote(s, below, name[2:])
}

// addNotes returns the objects of a notes commit on top of notes (zero: the first one) in which each target has its text, in
// git's own fanout; the commit is the last of them. Nothing is written. Of the other notes nothing is read but the directories
// that change.
func addNotes(s Store, notes plumbing.Hash, texts map[plumbing.Hash][]byte, author object.Signature, message string) ([]plumbing.EncodedObject, error) {
	var parents []plumbing.Hash
	var root plumbing.Hash
	if !notes.IsZero() {
		commit, err := object.GetCommit(s, notes)
		if err != nil {
			return nil, fmt.Errorf("read notes %s: %w", notes, err)
		}
		parents, root = []plumbing.Hash{notes}, commit.TreeHash
	}
	tree, err := openNoteTree(s, root)
	if err != nil {
		return nil, err
	}
	var objects []plumbing.EncodedObject
	for _, target := range slices.SortedFunc(maps.Keys(texts), func(a, b plumbing.Hash) int { return bytes.Compare(a[:], b[:]) }) {
		blob := memoryObject(plumbing.BlobObject, texts[target])
		objects = append(objects, blob)
		if err := tree.set(target, blob.Hash()); err != nil {
			return nil, err
		}
	}
	rest, err := notesCommit(tree, parents, author, message)
	return append(objects, rest...), err
}

// notesCommit returns the objects that a changed notes tree needs, the commit last.
func notesCommit(tree *noteTree, parents []plumbing.Hash, author object.Signature, message string) ([]plumbing.EncodedObject, error) {
	entries, err := tree.entries()
	if err != nil {
		return nil, err
	}
	trees, err := treesOf(entries)
	if err != nil {
		return nil, err
	}
	commit := &object.Commit{
		Author: author, Committer: author, Message: Message{Subject: message}.String(),
		TreeHash: trees[len(trees)-1].Hash(), ParentHashes: parents,
	}
	o := &plumbing.MemoryObject{}
	if err := commit.Encode(o); err != nil {
		return nil, fmt.Errorf("write notes commit: %w", err)
	}
	return append(append(tree.joined, trees...), o), nil
}
