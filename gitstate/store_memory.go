package gitstate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/memory"
)

// memoryStore is a store in memory.
type memoryStore struct{ storage *memory.Storage }

// NewMemoryStore returns an empty store that keeps everything in memory. It behaves as the one of a repository on disk
// does, without hooks and reflogs.
func NewMemoryStore() Store { return &memoryStore{storage: memory.NewStorage()} }

// NewEncodedObject returns an object in memory.
func (s *memoryStore) NewEncodedObject() plumbing.EncodedObject { return &plumbing.MemoryObject{} }

// EncodedObject reads an object. One of another type is not found.
func (s *memoryStore) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	o, err := s.storage.EncodedObject(kind, id)
	if err != nil {
		return nil, err
	}
	return copyObject(o)
}

// HasEncodedObject returns nil when there is such an object, and [plumbing.ErrObjectNotFound] when there is none.
func (s *memoryStore) HasEncodedObject(id plumbing.Hash) error { return s.storage.HasEncodedObject(id) }

// EncodedObjectSize returns an object's size in bytes.
func (s *memoryStore) EncodedObjectSize(id plumbing.Hash) (int64, error) {
	return s.storage.EncodedObjectSize(id)
}

// IterEncodedObjects refuses, as the store of a repository on disk does.
func (s *memoryStore) IterEncodedObjects(plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	return nil, errNoListing
}

// AddAlternate refuses.
func (s *memoryStore) AddAlternate(string) error { return errNoAlternate }

// SetEncodedObject keeps a copy of one object.
func (s *memoryStore) SetEncodedObject(o plumbing.EncodedObject) (plumbing.Hash, error) {
	kept, err := copyObject(o)
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object: %w", err)
	}
	return s.storage.SetEncodedObject(kept)
}

// copyObject returns an object that changes with nobody.
func copyObject(o plumbing.EncodedObject) (plumbing.EncodedObject, error) {
	r, err := o.Reader()
	if err != nil {
		return nil, err
	}
	defer r.Close()
	content, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	c := &plumbing.MemoryObject{}
	c.SetType(o.Type())
	_, err = c.Write(bytes.Clone(content))
	return c, err
}

// WriteObjects keeps copies of all objects.
func (s *memoryStore) WriteObjects(_ context.Context, objects []plumbing.EncodedObject) error {
	for _, o := range objects {
		if _, err := s.SetEncodedObject(o); err != nil {
			return err
		}
	}
	return nil
}

// Resolve returns the value of a ref.
func (s *memoryStore) Resolve(name plumbing.ReferenceName) (plumbing.Hash, error) {
	ref, err := s.storage.Reference(name)
	for err == nil && ref.Type() == plumbing.SymbolicReference {
		ref, err = s.storage.Reference(ref.Target())
	}
	if err != nil {
		return plumbing.ZeroHash, nil // the only error is that there is none
	}
	return ref.Hash(), nil
}

// Refs lists refs.
func (s *memoryStore) Refs(_ context.Context, prefixes ...string) ([]Ref, error) {
	var refs []Ref
	for name, ref := range s.storage.ReferenceStorage {
		wanted := func(prefix string) bool {
			return name.String() == prefix || strings.HasPrefix(name.String(), strings.TrimSuffix(prefix, "/")+"/")
		}
		if slices.ContainsFunc(prefixes, wanted) {
			refs = append(refs, Ref{Name: name, Hash: ref.Hash()})
		}
	}
	slices.SortFunc(refs, func(a, b Ref) int { return strings.Compare(a.Name.String(), b.Name.String()) })
	return refs, nil
}

// Transact moves refs after it has checked all of them.
func (s *memoryStore) Transact(_ context.Context, t Transaction) error {
	after := map[plumbing.ReferenceName]bool{}
	for name := range s.storage.ReferenceStorage {
		after[name] = true
	}
	seen := map[plumbing.ReferenceName]bool{}
	for _, u := range t.Updates {
		if err := s.checkUpdate(u); err != nil {
			return fmt.Errorf("move refs: %w", err)
		}
		if seen[u.Name] {
			return fmt.Errorf("move refs: two updates of %s", u.Name)
		}
		seen[u.Name] = true
		after[u.Name] = !u.New.IsZero()
	}
	for _, u := range t.Updates {
		if by := inTheWay(after, u.Name); by != "" && after[u.Name] {
			return fmt.Errorf("move refs: %w", &BlockedRefError{Name: u.Name, By: by})
		}
	}
	for _, u := range t.Updates {
		if u.New.IsZero() {
			delete(s.storage.ReferenceStorage, u.Name)
		} else {
			s.storage.ReferenceStorage[u.Name] = plumbing.NewHashReference(u.Name, u.New)
		}
	}
	return nil
}

// checkUpdate refuses what git refuses of one update.
func (s *memoryStore) checkUpdate(u RefUpdate) error {
	if err := u.Name.Validate(); err != nil {
		return fmt.Errorf("%q: %w", u.Name, err)
	}
	if old, _ := s.Resolve(u.Name); old != u.Old {
		return &ConflictError{Name: u.Name, Err: fmt.Errorf("it is at %s but expected %s", old, u.Old)}
	}
	if u.New.IsZero() || u.New == u.Old {
		return nil
	}
	if u.Name.IsBranch() {
		if _, err := s.EncodedObject(plumbing.CommitObject, u.New); err != nil {
			return fmt.Errorf("point %s to %s: %w", u.Name, u.New, err)
		}
	}
	if err := s.HasEncodedObject(u.New); err != nil {
		return fmt.Errorf("point %s to %s: %w", u.Name, u.New, err)
	}
	return nil
}

// inTheWay returns a ref whose name is the beginning of name, or the other way round; empty: none.
func inTheWay(refs map[plumbing.ReferenceName]bool, name plumbing.ReferenceName) plumbing.ReferenceName {
	var found []plumbing.ReferenceName
	for other, exists := range refs {
		if exists && (strings.HasPrefix(name.String(), other.String()+"/") || strings.HasPrefix(other.String(), name.String()+"/")) {
			found = append(found, other)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.Min(found)
}
