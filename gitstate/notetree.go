package gitstate

import (
	"context"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// noteText returns the note of target in the notes commit, and false when there is none. It reads any fanout.
func noteText(s Store, notes, target plumbing.Hash) ([]byte, bool, error) { return nil, false, nil }

// addNotes returns the objects of a notes commit on top of notes (zero: the first one) in which each target has its text, in
// git's own fanout; the commit is the last of them. Nothing is written.
func addNotes(s Store, notes plumbing.Hash, texts map[plumbing.Hash][]byte, author object.Signature, message string) ([]plumbing.EncodedObject, error) {
	return nil, nil
}

// MergeNotes joins the notes of two clones and returns the notes commit, which has both as parents (or one of them where that holds
// it all already). Of two notes for one commit the one with more keys wins, then the greater blob id.
func MergeNotes(ctx context.Context, s Store, ours, theirs plumbing.Hash, author object.Signature) (plumbing.Hash, error) {
	return plumbing.ZeroHash, nil
}
