package gitstate

import (
	"context"
	"errors"
	"io"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

func objectMistakes() []mistake {
	errBroken := errors.New("broken")
	return []mistake{
		{"NewEncodedObject", "nil", func(w *wrongStore) { w.newObject = func() plumbing.EncodedObject { return nil } }},
		{"NewEncodedObject", "always the same", func(w *wrongStore) {
			o := &plumbing.MemoryObject{}
			w.newObject = func() plumbing.EncodedObject { return o }
		}},
		{"SetEncodedObject", "loses the object", func(w *wrongStore) {
			w.set = func(o plumbing.EncodedObject) (plumbing.Hash, error) { return o.Hash(), nil }
		}},
		{"SetEncodedObject", "says no id", func(w *wrongStore) {
			w.set = func(o plumbing.EncodedObject) (plumbing.Hash, error) {
				_, err := w.Store.SetEncodedObject(o)
				return plumbing.ZeroHash, err
			}
		}},
		{"SetEncodedObject", "makes everything a blob with a newline", func(w *wrongStore) {
			w.set = func(o plumbing.EncodedObject) (plumbing.Hash, error) {
				text, err := textOf(o)
				_, _ = w.Store.SetEncodedObject(blobOf(text + "\n"))
				return o.Hash(), err
			}
		}},
		{"HasEncodedObject", "has everything", func(w *wrongStore) { w.has = func(plumbing.Hash) error { return nil } }},
		{"HasEncodedObject", "has nothing", func(w *wrongStore) {
			w.has = func(plumbing.Hash) error { return plumbing.ErrObjectNotFound }
		}},
		{"HasEncodedObject", "another error for a missing one", func(w *wrongStore) {
			w.has = func(id plumbing.Hash) error {
				if w.Store.HasEncodedObject(id) != nil {
					return errBroken
				}
				return nil
			}
		}},
		{"EncodedObjectSize", "counts one more", func(w *wrongStore) {
			w.size = func(id plumbing.Hash) (int64, error) {
				n, err := w.Store.EncodedObjectSize(id)
				return n + 1, err
			}
		}},
		{"EncodedObjectSize", "zero for a missing one", func(w *wrongStore) {
			w.size = func(id plumbing.Hash) (int64, error) {
				n, _ := w.Store.EncodedObjectSize(id)
				return n, nil
			}
		}},
		{"IterEncodedObjects", "lists", func(w *wrongStore) {
			w.iter = func() (storer.EncodedObjectIter, error) { return nil, nil }
		}},
		{"AddAlternate", "is silent", func(w *wrongStore) { w.alternate = func() error { return nil } }},
	}
}

func readMistakes() []mistake {
	errBroken := errors.New("broken")
	return []mistake{
		{"EncodedObject", "ignores the type", func(w *wrongStore) {
			w.get = func(_ plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
				return w.Store.EncodedObject(plumbing.AnyObject, id)
			}
		}},
		{"EncodedObject", "knows not any type", func(w *wrongStore) {
			w.get = func(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
				if kind == plumbing.AnyObject {
					return nil, plumbing.ErrObjectNotFound
				}
				return w.Store.EncodedObject(kind, id)
			}
		}},
		{"EncodedObject", "cuts the content", func(w *wrongStore) {
			w.get = func(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
				o, err := w.Store.EncodedObject(kind, id)
				if err != nil || o.Size() <= 4096 {
					return o, err
				}
				text, err := textOf(o)
				return memoryObject(o.Type(), []byte(text[:4096])), err
			}
		}},
		{"EncodedObject", "another error for a missing one", func(w *wrongStore) {
			w.get = func(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
				o, err := w.Store.EncodedObject(kind, id)
				if err != nil {
					err = errBroken
				}
				return o, err
			}
		}},
		{"EncodedObject", "hands out what others change", func(w *wrongStore) {
			cache := map[plumbing.Hash]plumbing.EncodedObject{}
			w.get = func(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
				o, err := w.Store.EncodedObject(kind, id)
				if err == nil && cache[id] == nil {
					cache[id] = o
				}
				return cache[id], err
			}
		}},
		{"EncodedObject", "remembers that one was missing", func(w *wrongStore) {
			missing := map[plumbing.Hash]bool{}
			w.get = func(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
				o, err := w.Store.EncodedObject(kind, id)
				missing[id] = missing[id] || kind == plumbing.AnyObject && err != nil
				if missing[id] {
					return nil, plumbing.ErrObjectNotFound
				}
				return o, err
			}
		}},
	}
}

func writeMistakes() []mistake {
	errBroken := errors.New("broken")
	return []mistake{
		{"WriteObjects", "loses all", func(w *wrongStore) {
			w.write = func(context.Context, []plumbing.EncodedObject) error { return nil }
		}},
		{"WriteObjects", "loses the last but one", func(w *wrongStore) {
			w.write = func(ctx context.Context, objects []plumbing.EncodedObject) error {
				if n := len(objects); n > 2 {
					objects = append(slices.Clone(objects[:n-3]), objects[n-2:]...)
				}
				return w.Store.WriteObjects(ctx, objects)
			}
		}},
		{"WriteObjects", "refuses what is there", func(w *wrongStore) {
			w.write = func(ctx context.Context, objects []plumbing.EncodedObject) error {
				for _, o := range objects {
					if o.Type() == plumbing.BlobObject && w.Store.HasEncodedObject(o.Hash()) == nil {
						return errBroken
					}
				}
				return w.Store.WriteObjects(ctx, objects)
			}
		}},
		{"WriteObjects", "refuses nothing to write", func(w *wrongStore) {
			w.write = func(ctx context.Context, objects []plumbing.EncodedObject) error {
				if len(objects) == 0 {
					return errBroken
				}
				return w.Store.WriteObjects(ctx, objects)
			}
		}},
		{"WriteObjects", "cannot be cancelled", func(w *wrongStore) {
			w.write = func(_ context.Context, objects []plumbing.EncodedObject) error {
				return w.Store.WriteObjects(context.Background(), objects)
			}
		}},
	}
}

// textOf returns an object's content.
func textOf(o plumbing.EncodedObject) (string, error) {
	r, err := o.Reader()
	if err != nil {
		return "", err
	}
	defer r.Close()
	text, err := io.ReadAll(r)
	return string(text), err
}
