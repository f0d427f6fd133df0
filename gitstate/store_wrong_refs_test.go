package gitstate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

func resolveMistakes() []mistake {
	return []mistake{
		{"Resolve", "always zero", func(w *wrongStore) {
			w.resolve = func(plumbing.ReferenceName) (plumbing.Hash, error) { return plumbing.ZeroHash, nil }
		}},
		{"Resolve", "an error for a missing one", func(w *wrongStore) {
			w.resolve = func(name plumbing.ReferenceName) (plumbing.Hash, error) {
				id, err := w.Store.Resolve(name)
				if id.IsZero() {
					err = plumbing.ErrReferenceNotFound
				}
				return id, err
			}
		}},
		{"Resolve", "remembers", func(w *wrongStore) {
			seen := map[plumbing.ReferenceName]plumbing.Hash{}
			w.resolve = func(name plumbing.ReferenceName) (plumbing.Hash, error) {
				if seen[name].IsZero() {
					seen[name], _ = w.Store.Resolve(name)
				}
				return seen[name], nil
			}
		}},
		{"Resolve", "takes ids for names", func(w *wrongStore) {
			w.resolve = func(name plumbing.ReferenceName) (plumbing.Hash, error) {
				if plumbing.IsHash(name.String()) {
					return plumbing.NewHash(name.String()), nil
				}
				return w.Store.Resolve(name)
			}
		}},
		{"Resolve", "reads expressions", func(w *wrongStore) {
			w.resolve = func(name plumbing.ReferenceName) (plumbing.Hash, error) {
				before, _, _ := strings.Cut(name.String(), "^")
				return w.Store.Resolve(plumbing.ReferenceName(before))
			}
		}},
	}
}

func refsMistakes() []mistake {
	return []mistake{
		{"Refs", "backwards", func(w *wrongStore) {
			w.refs = func(ctx context.Context, prefixes ...string) ([]Ref, error) {
				refs, err := w.Store.Refs(ctx, prefixes...)
				slices.Reverse(refs)
				return refs, err
			}
		}},
		{"Refs", "all of them", func(w *wrongStore) {
			w.refs = func(ctx context.Context, _ ...string) ([]Ref, error) { return w.Store.Refs(ctx, "refs/") }
		}},
		{"Refs", "all without a prefix", func(w *wrongStore) {
			w.refs = func(ctx context.Context, prefixes ...string) ([]Ref, error) {
				if len(prefixes) == 0 {
					prefixes = []string{"refs/"}
				}
				return w.Store.Refs(ctx, prefixes...)
			}
		}},
		{"Refs", "of the first prefix", func(w *wrongStore) {
			w.refs = func(ctx context.Context, prefixes ...string) ([]Ref, error) {
				return w.Store.Refs(ctx, prefixes[:min(1, len(prefixes))]...)
			}
		}},
		{"Refs", "twice where prefixes overlap", func(w *wrongStore) {
			w.refs = func(ctx context.Context, prefixes ...string) (all []Ref, err error) {
				for _, prefix := range prefixes {
					refs, _ := w.Store.Refs(ctx, prefix)
					all = append(all, refs...)
				}
				slices.SortFunc(all, func(a, b Ref) int { return strings.Compare(a.Name.String(), b.Name.String()) })
				return all, ctx.Err()
			}
		}},
		{"Refs", "prefixes cut words", func(w *wrongStore) {
			w.refs = func(ctx context.Context, prefixes ...string) ([]Ref, error) {
				refs, err := w.Store.Refs(ctx, "refs/")
				return slices.DeleteFunc(refs, func(ref Ref) bool {
					begins := func(prefix string) bool { return strings.HasPrefix(ref.Name.String(), prefix) }
					return !slices.ContainsFunc(prefixes, begins)
				}), err
			}
		}},
		{"Refs", "without values", func(w *wrongStore) {
			w.refs = func(ctx context.Context, prefixes ...string) ([]Ref, error) {
				refs, err := w.Store.Refs(ctx, prefixes...)
				for i := range refs {
					refs[i].Hash = plumbing.ZeroHash
				}
				return refs, err
			}
		}},
		{"Refs", "cannot be cancelled", func(w *wrongStore) {
			w.refs = func(_ context.Context, prefixes ...string) ([]Ref, error) {
				return w.Store.Refs(context.Background(), prefixes...)
			}
		}},
	}
}

func transactMistakes() []mistake {
	errBroken := errors.New("broken")
	return []mistake{
		{"Transact", "does nothing", func(w *wrongStore) {
			w.transact = func(context.Context, Transaction) error { return nil }
		}},
		{"Transact", "one after the other", func(w *wrongStore) {
			w.transact = func(ctx context.Context, t Transaction) error {
				for _, u := range t.Updates {
					if err := w.Store.Transact(ctx, Transaction{Updates: []RefUpdate{u}}); err != nil {
						return err
					}
				}
				return nil
			}
		}},
		{"Transact", "the error is lost", func(w *wrongStore) {
			w.transact = func(ctx context.Context, t Transaction) error {
				_ = w.Store.Transact(ctx, t)
				return nil
			}
		}},
		{"Transact", "conflicts without a name", func(w *wrongStore) {
			w.transact = func(ctx context.Context, t Transaction) error {
				err := w.Store.Transact(ctx, t)
				if conflict, ok := errors.AsType[*ConflictError](err); ok {
					return &ConflictError{Err: conflict.Err}
				}
				return err
			}
		}},
		{"Transact", "errors are words only", func(w *wrongStore) {
			w.transact = func(ctx context.Context, t Transaction) error {
				if err := w.Store.Transact(ctx, t); err != nil {
					return fmt.Errorf("%w: %v", errBroken, err)
				}
				return nil
			}
		}},
		{"Transact", "cannot be cancelled", func(w *wrongStore) {
			w.transact = func(_ context.Context, t Transaction) error { return w.Store.Transact(context.Background(), t) }
		}},
		{"Transact", "ignores old values", forEachUpdate(func(now plumbing.Hash, u RefUpdate) (RefUpdate, bool) {
			return RefUpdate{u.Name, now, u.New}, true
		})},
		{"Transact", "ignores old values of what it deletes", forEachUpdate(func(now plumbing.Hash, u RefUpdate) (RefUpdate, bool) {
			if u.New.IsZero() {
				u.Old = now
			}
			return u, true
		})},
		{"Transact", "makes over what is there", forEachUpdate(func(now plumbing.Hash, u RefUpdate) (RefUpdate, bool) {
			if u.Old.IsZero() {
				u.Old = now
			}
			return u, true
		})},
		{"Transact", "does not verify", forEachUpdate(func(_ plumbing.Hash, u RefUpdate) (RefUpdate, bool) { return u, u.Old != u.New })},
		{"Transact", "does not verify absence", forEachUpdate(func(_ plumbing.Hash, u RefUpdate) (RefUpdate, bool) {
			return u, !u.Old.IsZero() || !u.New.IsZero()
		})},
		{"Transact", "does not delete", forEachUpdate(func(_ plumbing.Hash, u RefUpdate) (RefUpdate, bool) { return u, !u.New.IsZero() })},
	}
}

// forEachUpdate is a Transact that changes or leaves out updates.
func forEachUpdate(edit func(now plumbing.Hash, u RefUpdate) (RefUpdate, bool)) func(w *wrongStore) {
	return func(w *wrongStore) {
		w.transact = func(ctx context.Context, t Transaction) error {
			var updates []RefUpdate
			for _, u := range t.Updates {
				now, _ := w.Store.Resolve(u.Name)
				if changed, keep := edit(now, u); keep {
					updates = append(updates, changed)
				}
			}
			return w.Store.Transact(ctx, Transaction{Message: t.Message, Updates: updates})
		}
	}
}
