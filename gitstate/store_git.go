package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/memory"
)

// gitStore is the store of a repository on disk: it reads through one `git cat-file --batch`, and everything it writes
// is written by git.
type gitStore struct {
	git  *git
	read catFile
}

// newGitStore returns the store of the repository that g runs in.
func newGitStore(g *git) Store { return &gitStore{git: g, read: catFile{git: g, limit: 256 << 20}} }

// Close ends the git process that reads. The store can still be used; the process then starts again.
func (s *gitStore) Close() error {
	if said := s.read.stop(); said != "" {
		return errors.New(said)
	}
	return nil
}

// NewEncodedObject returns an object in memory.
func (s *gitStore) NewEncodedObject() plumbing.EncodedObject { return &plumbing.MemoryObject{} }

// EncodedObject reads an object. One of another type is not found.
func (s *gitStore) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	answer, err := s.read.ask(id.String(), true)
	if err != nil {
		return nil, err
	}
	if kind != plumbing.AnyObject && kind != answer.kind {
		return nil, plumbing.ErrObjectNotFound
	}
	o := &plumbing.MemoryObject{}
	o.SetType(answer.kind)
	_, err = o.Write(answer.content)
	return o, err
}

// HasEncodedObject returns nil when there is such an object, and [plumbing.ErrObjectNotFound] when there is none.
func (s *gitStore) HasEncodedObject(id plumbing.Hash) error {
	_, err := s.EncodedObjectSize(id)
	return err
}

// EncodedObjectSize returns an object's size in bytes.
func (s *gitStore) EncodedObjectSize(id plumbing.Hash) (int64, error) {
	answer, err := s.read.ask(id.String(), false)
	if errors.Is(err, errTooLarge) {
		err = nil
	}
	return answer.size, err
}

// IterEncodedObjects refuses: a repository has millions of objects, and nothing of ours may read them all.
func (s *gitStore) IterEncodedObjects(plumbing.ObjectType) (storer.EncodedObjectIter, error) {
	return nil, errNoListing
}

// AddAlternate refuses: alternates are git's.
func (s *gitStore) AddAlternate(string) error { return errNoAlternate }

// SetEncodedObject writes one object.
func (s *gitStore) SetEncodedObject(o plumbing.EncodedObject) (plumbing.Hash, error) {
	content, err := o.Reader()
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object: %w", err)
	}
	defer content.Close()
	ctx := context.Background()
	args := append(slices.Clone(s.git.durable(ctx)), "hash-object", "-w", "-t", o.Type().String(), "--stdin")
	out, err := s.git.do(ctx, call{args: args, stdin: content})
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write object: %w", err)
	}
	id, ok := parseHash(strings.TrimSuffix(string(out), "\n"))
	if !ok {
		return plumbing.ZeroHash, fmt.Errorf("write object: git answers %q", out)
	}
	return id, nil
}

// WriteObjects writes all objects with one call of git. Those that are there already are left alone.
func (s *gitStore) WriteObjects(ctx context.Context, objects []plumbing.EncodedObject) error {
	if len(objects) == 0 {
		return nil
	}
	pack, err := packOf(objects)
	if err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	args := append(slices.Clone(s.git.durable(ctx)), "unpack-objects", "-q")
	if _, err = s.git.do(ctx, call{args: args, stdin: pack}); err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	return nil
}

// packOf returns a pack of the objects, without deltas.
func packOf(objects []plumbing.EncodedObject) (io.Reader, error) {
	var pack bytes.Buffer
	storage := memory.NewStorage()
	var ids []plumbing.Hash
	for _, o := range objects {
		if storage.HasEncodedObject(o.Hash()) == nil {
			continue
		}
		id, err := storage.SetEncodedObject(o)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	_, err := packfile.NewEncoder(&pack, storage, false).Encode(ids, 0)
	return &pack, err
}
