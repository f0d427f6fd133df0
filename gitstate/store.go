package gitstate

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// Store is the objects and refs of one repository. Two exist: the git program's (store_git.go) and one in memory for
// tests (store_memory.go); the same contract suite runs over both. It is not safe for concurrent use.
type Store interface {
	// EncodedObjectStorer lets go-git's object types read from the store. Single objects are written with it too.
	storer.EncodedObjectStorer
	// Resolve returns the value of a ref given by its whole name (or "HEAD"), following symbolic refs, and the zero hash when there
	// is none.
	Resolve(name plumbing.ReferenceName) (plumbing.Hash, error)
	// Refs returns the refs whose names begin with one of the prefixes (each a whole path, such as "refs/ralph/"), sorted by name; none without a prefix.
	Refs(ctx context.Context, prefixes ...string) ([]Ref, error)
	// WriteObjects writes all objects, or returns an error; objects that no ref reaches do no harm.
	WriteObjects(ctx context.Context, objects []plumbing.EncodedObject) error
	// Transact moves all refs or none. When one has not its expected value the error is a *[ConflictError].
	Transact(ctx context.Context, t Transaction) error
}

// Ref is a ref and its value.
type Ref struct {
	Name plumbing.ReferenceName
	Hash plumbing.Hash
}

// Transaction is a set of ref updates that happen together.
type Transaction struct {
	Message string // for the reflog
	Updates []RefUpdate
}

// RefUpdate moves one ref from Old to New. A zero Old means that the ref must not exist, a zero New deletes it; Old equal
// to New verifies it.
type RefUpdate struct {
	Name     plumbing.ReferenceName
	Old, New plumbing.Hash
}

// ConflictError says that a ref was not where a transaction expected it; nothing was moved.
type ConflictError struct {
	Name plumbing.ReferenceName // empty when it is not known which ref it was
	Err  error                  // what git said
}

func (e *ConflictError) Error() string {
	if e.Name == "" {
		return "refs moved meanwhile: " + e.Err.Error()
	}
	return e.Name.String() + " moved meanwhile"
}

// Unwrap returns what git said.
func (e *ConflictError) Unwrap() error { return e.Err }

// ErrLocked is wrapped by the error of a transaction when another process held a ref's lock all the time. The error names
// the lock file, and [LockFile] returns it.
var ErrLocked = errors.New("ref is locked")

// ErrVetoed is wrapped by the error of a transaction that the repository's reference-transaction hook refused.
var ErrVetoed = errors.New("refused by the reference-transaction hook")

// BlockedRefError says that a ref cannot be made because another one has its name, or begins with it: refs/heads/ralph
// and refs/heads/ralph/x cannot both be.
type BlockedRefError struct {
	Name plumbing.ReferenceName // cannot be made
	By   plumbing.ReferenceName // stands in the way
}

func (e *BlockedRefError) Error() string {
	return fmt.Sprintf("%s cannot be made beside %s", e.Name, e.By)
}

// The errors of stores for what they cannot do.
var (
	errNoListing   = errors.New("this store hands out objects by name only")
	errNoAlternate = errors.New("this store takes no alternates")
)
