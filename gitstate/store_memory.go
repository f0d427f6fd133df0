package gitstate

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
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
func (s *memoryStore) WriteObjects(ctx context.Context, objects []plumbing.EncodedObject) error {
	if err := context.Cause(ctx); err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
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
func (s *memoryStore) Refs(ctx context.Context, prefixes ...string) ([]Ref, error) {
	if err := context.Cause(ctx); err != nil {
		return nil, fmt.Errorf("list refs: %w", err)
	}
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
func (s *memoryStore) Transact(ctx context.Context, t Transaction) error {
	err := context.Cause(ctx)
	for i, u := range t.Updates {
		if slices.ContainsFunc(t.Updates[:i], func(earlier RefUpdate) bool { return earlier.Name == u.Name }) {
			err = fmt.Errorf("two updates of %s", u.Name)
		}
		if err == nil {
			err = s.checkUpdate(u)
		}
	}
	if err == nil {
		err = s.checkNames(t.Updates)
	}
	if err != nil {
		return fmt.Errorf("move refs: %w", err)
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

// checkNames refuses a new ref when another one has the beginning of its name, or the other way round, even if that one is
// deleted in the same transaction.
func (s *memoryStore) checkNames(updates []RefUpdate) error {
	names := slices.Collect(maps.Keys(s.storage.ReferenceStorage))
	for _, u := range updates {
		names = append(names, u.Name)
	}
	slices.Sort(names)
	for _, u := range updates {
		if !u.Old.IsZero() || u.New.IsZero() {
			continue
		}
		for _, other := range names {
			if strings.HasPrefix(u.Name.String(), other.String()+"/") || strings.HasPrefix(other.String(), u.Name.String()+"/") {
				return &BlockedRefError{Name: u.Name, By: other}
			}
		}
	}
	return nil
}
