package gitstate

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// wrongStore is a right store with one method made wrong: the one that is set.
type wrongStore struct {
	Store
	newObject func() plumbing.EncodedObject
	set       func(plumbing.EncodedObject) (plumbing.Hash, error)
	get       func(plumbing.ObjectType, plumbing.Hash) (plumbing.EncodedObject, error)
	iter      func() (storer.EncodedObjectIter, error)
	has       func(plumbing.Hash) error
	size      func(plumbing.Hash) (int64, error)
	alternate func() error
	resolve   func(plumbing.ReferenceName) (plumbing.Hash, error)
	refs      func(context.Context, ...string) ([]Ref, error)
	write     func(context.Context, []plumbing.EncodedObject) error
	transact  func(context.Context, Transaction) error
}

func (w *wrongStore) NewEncodedObject() plumbing.EncodedObject {
	if w.newObject != nil {
		return w.newObject()
	}
	return w.Store.NewEncodedObject()
}

func (w *wrongStore) SetEncodedObject(o plumbing.EncodedObject) (plumbing.Hash, error) {
	if w.set != nil {
		return w.set(o)
	}
	return w.Store.SetEncodedObject(o)
}

func (w *wrongStore) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	if w.get != nil {
		return w.get(kind, id)
	}
	return w.Store.EncodedObject(kind, id)
}

func (w *wrongStore) IterEncodedObjects(kind plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	if w.iter != nil {
		return w.iter()
	}
	return w.Store.IterEncodedObjects(kind)
}

func (w *wrongStore) HasEncodedObject(id plumbing.Hash) error {
	if w.has != nil {
		return w.has(id)
	}
	return w.Store.HasEncodedObject(id)
}

func (w *wrongStore) EncodedObjectSize(id plumbing.Hash) (int64, error) {
	if w.size != nil {
		return w.size(id)
	}
	return w.Store.EncodedObjectSize(id)
}

func (w *wrongStore) AddAlternate(path string) error {
	if w.alternate != nil {
		return w.alternate()
	}
	return w.Store.AddAlternate(path)
}

func (w *wrongStore) Resolve(name plumbing.ReferenceName) (plumbing.Hash, error) {
	if w.resolve != nil {
		return w.resolve(name)
	}
	return w.Store.Resolve(name)
}

func (w *wrongStore) Refs(ctx context.Context, prefixes ...string) ([]Ref, error) {
	if w.refs != nil {
		return w.refs(ctx, prefixes...)
	}
	return w.Store.Refs(ctx, prefixes...)
}

func (w *wrongStore) WriteObjects(ctx context.Context, objects []plumbing.EncodedObject) error {
	if w.write != nil {
		return w.write(ctx, objects)
	}
	return w.Store.WriteObjects(ctx, objects)
}

func (w *wrongStore) Transact(ctx context.Context, t Transaction) error {
	if w.transact != nil {
		return w.transact(ctx, t)
	}
	return w.Store.Transact(ctx, t)
}

// mistake is one way in which a method can be wrong.
type mistake struct {
	method string
	what   string
	make   func(w *wrongStore)
}

// complaints counts what a contract reports.
type complaints struct{ list []string }

func (c *complaints) Errorf(format string, args ...any) {
	c.list = append(c.list, fmt.Sprintf(format, args...))
}

// check runs one check; a panic is a complaint too.
func (c *complaints) check(check func(reporter, Store), s Store) {
	defer func() {
		if cause := recover(); cause != nil {
			c.Errorf("panic: %v", cause)
		}
	}()
	check(c, s)
}

func TestContractFailsForAStoreWithOneWrongMethod(t *testing.T) {
	mistakes := slices.Concat(objectMistakes(), readMistakes(), writeMistakes(), resolveMistakes(), refsMistakes(), transactMistakes())
	for _, m := range mistakes {
		var found complaints
		for _, check := range storeContract() {
			w := &wrongStore{Store: NewMemoryStore()}
			m.make(w)
			found.check(check, w)
		}
		if len(found.list) == 0 {
			t.Errorf("%s: %s: the contract says nothing", m.method, m.what)
		}
	}
	var right complaints
	for _, check := range storeContract() {
		right.check(check, &wrongStore{Store: NewMemoryStore()})
	}
	if len(right.list) > 0 {
		t.Errorf("of a right store the contract says %q", right.list)
	}
	for method := range reflect.TypeFor[Store]().Methods() {
		if !slices.ContainsFunc(mistakes, func(m mistake) bool { return m.method == method.Name }) {
			t.Errorf("no mistake in %s is tried", method.Name)
		}
	}
}
