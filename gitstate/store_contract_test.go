package gitstate

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// reporter is told what a store does wrong.
type reporter interface {
	Errorf(format string, args ...any)
}

// storeContract is what every store must do. Each check gets an empty store.
func storeContract() map[string]func(r reporter, s Store) {
	return map[string]func(r reporter, s Store){
		"objects are given back":             checkObjects,
		"objects have their type":            checkTypes,
		"missing objects are not found":      checkMissing,
		"objects belong to who reads them":   checkOwnership,
		"many objects are written at once":   checkWriteObjects,
		"listing and alternates are refused": checkRefused,
		"refs resolve":                       checkResolve,
		"refs are listed":                    checkRefs,
		"refs are made, moved and deleted":   checkMoves,
		"refs move by compare-and-swap":      checkConflicts,
		"a transaction is all or nothing":    checkAtomic,
		"names do not get into each other":   checkNames,
		"nonsense is refused":                checkNonsense,
		"a cancelled context is an end":      checkCancelled,
	}
}

func TestStores(t *testing.T) {
	for name, check := range storeContract() {
		t.Run("memory/"+name, func(t *testing.T) { check(t, NewMemoryStore()) })
		t.Run("git/"+name, func(t *testing.T) {
			t.Parallel()
			check(t, newDisk(t))
		})
	}
}

func blobOf(text string) plumbing.EncodedObject {
	return memoryObject(plumbing.BlobObject, []byte(text))
}

// noEntries is the tree without entries.
func noEntries() plumbing.EncodedObject { return memoryObject(plumbing.TreeObject, nil) }

// newCommit writes a commit.
func newCommit(r reporter, s Store, message string) plumbing.Hash {
	c := &object.Commit{Author: ada, Committer: ada, Message: message, TreeHash: noEntries().Hash()}
	o := &plumbing.MemoryObject{}
	if err := c.Encode(o); err != nil {
		r.Errorf("encode commit: %v", err)
	}
	if err := s.WriteObjects(context.Background(), []plumbing.EncodedObject{noEntries(), o}); err != nil {
		r.Errorf("write commit: %v", err)
	}
	return o.Hash()
}

// wantText compares what the store has under an id.
func wantText(r reporter, s Store, kind plumbing.ObjectType, id plumbing.Hash, want string) {
	o, err := s.EncodedObject(kind, id)
	if err != nil || o == nil {
		r.Errorf("read %s %s: %v, %v", kind, id, o, err)
		return
	}
	content, err := o.Reader()
	if err != nil {
		r.Errorf("read %s: %v", id, err)
		return
	}
	defer content.Close()
	got, err := io.ReadAll(content)
	if err != nil || string(got) != want || o.Hash() != id || o.Size() != int64(len(want)) {
		r.Errorf("%s: got %.40q (%d bytes, id %s), %v, want %.40q", id, got, o.Size(), o.Hash(), err, want)
	}
	size, err := s.EncodedObjectSize(id)
	if err != nil || size != int64(len(want)) {
		r.Errorf("size of %s is %d, %v, want %d", id, size, err, len(want))
	}
	if err := s.HasEncodedObject(id); err != nil {
		r.Errorf("has %s: %v", id, err)
	}
}

func checkObjects(r reporter, s Store) {
	var written []plumbing.Hash
	texts := []string{"", "\n", "text", "text\n", "\x00\xff\r\n", "missing\n", strings.Repeat("0123456789abcdef", 1<<16)}
	for _, text := range texts {
		o := s.NewEncodedObject()
		if o == nil {
			r.Errorf("no new object")
			return
		}
		o.SetType(plumbing.BlobObject)
		w, _ := o.Writer()
		_, _ = io.WriteString(w, text)
		id, err := s.SetEncodedObject(o)
		if want := plumbing.ComputeHash(plumbing.BlobObject, []byte(text)); err != nil || id != want {
			r.Errorf("write %.40q: %s, %v, want %s", text, id, err, want)
		}
		written = append(written, id)
	}
	for i, id := range written {
		wantText(r, s, plumbing.BlobObject, id, texts[i])
		wantText(r, s, plumbing.AnyObject, id, texts[i])
	}
}

func checkTypes(r reporter, s Store) {
	blob, err := s.SetEncodedObject(blobOf("x"))
	if err != nil {
		r.Errorf("write: %v", err)
	}
	commit := newCommit(r, s, "message\n")
	kinds := []plumbing.ObjectType{plumbing.BlobObject, plumbing.TreeObject, plumbing.CommitObject, plumbing.TagObject}
	for id, kind := range map[plumbing.Hash]plumbing.ObjectType{
		blob: plumbing.BlobObject, noEntries().Hash(): plumbing.TreeObject, commit: plumbing.CommitObject,
	} {
		for _, asked := range kinds {
			o, err := s.EncodedObject(asked, id)
			if asked == kind && (err != nil || o.Type() != kind) || asked != kind && !errors.Is(err, plumbing.ErrObjectNotFound) {
				r.Errorf("read a %s as a %s: %v, %v", kind, asked, o, err)
			}
		}
	}
	if c, err := object.GetCommit(s, commit); err != nil || c.Message != "message\n" {
		r.Errorf("read commit: %v, %v", c, err)
	}
}

func checkMissing(r reporter, s Store) {
	absent := blobOf("never written").Hash()
	for _, id := range []plumbing.Hash{absent, plumbing.ZeroHash} {
		if o, err := s.EncodedObject(plumbing.AnyObject, id); !errors.Is(err, plumbing.ErrObjectNotFound) {
			r.Errorf("read %s: %v, %v", id, o, err)
		}
		if err := s.HasEncodedObject(id); !errors.Is(err, plumbing.ErrObjectNotFound) {
			r.Errorf("has %s: %v", id, err)
		}
		if size, err := s.EncodedObjectSize(id); !errors.Is(err, plumbing.ErrObjectNotFound) {
			r.Errorf("size of %s: %d, %v", id, size, err)
		}
	}
	if _, err := s.SetEncodedObject(blobOf("never written")); err != nil {
		r.Errorf("write: %v", err)
	}
	wantText(r, s, plumbing.BlobObject, absent, "never written") // it was looked for before it was there
}

func checkOwnership(r reporter, s Store) {
	mine := blobOf("kept")
	id, err := s.SetEncodedObject(mine)
	if err != nil {
		r.Errorf("write: %v", err)
	}
	o, err := s.EncodedObject(plumbing.BlobObject, id)
	if err != nil {
		r.Errorf("read: %v", err)
		return
	}
	for _, changed := range []plumbing.EncodedObject{mine, o} {
		w, _ := changed.Writer()
		_, _ = io.WriteString(w, " and changed")
	}
	wantText(r, s, plumbing.BlobObject, id, "kept")
	if a, b := s.NewEncodedObject(), s.NewEncodedObject(); a == b {
		r.Errorf("new objects are one object")
	}
}

func checkWriteObjects(r reporter, s Store) {
	ctx := context.Background()
	if err := s.WriteObjects(ctx, nil); err != nil {
		r.Errorf("write nothing: %v", err)
	}
	_, _ = s.SetEncodedObject(blobOf("0"))
	var objects []plumbing.EncodedObject
	for i := range 40 {
		objects = append(objects, blobOf(fmt.Sprint(i)))
	}
	objects = append(objects, objects[7], noEntries()) // one twice
	for range 2 {                                      // and all again
		if err := s.WriteObjects(ctx, objects); err != nil {
			r.Errorf("write: %v", err)
		}
	}
	for i := range 40 {
		wantText(r, s, plumbing.BlobObject, objects[i].Hash(), fmt.Sprint(i))
	}
	wantText(r, s, plumbing.TreeObject, noEntries().Hash(), "")
}

func checkRefused(r reporter, s Store) {
	if _, err := s.IterEncodedObjects(plumbing.AnyObject); err == nil {
		r.Errorf("objects are listed")
	}
	if err := s.AddAlternate("/nowhere"); err == nil {
		r.Errorf("an alternate is taken")
	}
}
