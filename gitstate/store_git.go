package gitstate

import (
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
)

// gitStore is the store of a repository on disk: it reads through one `git cat-file --batch`, and everything it writes
// is written by git.
type gitStore struct {
	git     *git
	read    catFile
	ready   readyCalls
	refs    updater
	config  string                                   // path of the repository's configuration; empty: not known
	gitDir  string                                   // where HEAD is; empty: not known, git is always asked
	refDir  string                                   // where refs/ is
	deflate *zlib.Writer                             // kept: making one costs more than a small object
	trees   map[plumbing.Hash]plumbing.EncodedObject // what was written last: the next notes begin with it
}

// newGitStore returns the store of the repository that g runs in.
func newGitStore(g *git) *gitStore { return &gitStore{git: g, read: catFile{git: g, limit: 256 << 20}} }

// Close ends the git process that reads. The store can still be used; the process then starts again.
func (s *gitStore) Close() error {
	s.ready.drop()
	s.refs.close()
	if said := s.read.stop(); said != "" {
		return errors.New(said)
	}
	return nil
}

// NewEncodedObject returns an object in memory.
func (s *gitStore) NewEncodedObject() plumbing.EncodedObject { return &plumbing.MemoryObject{} }

// EncodedObject reads an object. One of another type is not found.
func (s *gitStore) EncodedObject(kind plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	if o := s.trees[id]; o != nil && (kind == plumbing.TreeObject || kind == plumbing.AnyObject) {
		return o, nil
	}
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
	pack, err := s.packOf(objects)
	if err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	if _, err = s.ready.run(ctx, s.git, s.unpackArgs(ctx), pack); err != nil {
		return fmt.Errorf("write objects: %w", err)
	}
	s.trees = map[plumbing.Hash]plumbing.EncodedObject{}
	for _, o := range objects {
		if o.Type() == plumbing.TreeObject && o.Size() <= seenSize {
			s.trees[o.Hash()] = o
		}
	}
	return nil
}

// unpackArgs are the arguments of the call that writes objects.
func (s *gitStore) unpackArgs(ctx context.Context) []string {
	return append(slices.Clone(s.git.durable(ctx)), "unpack-objects", "-q")
}

// Ready starts the two git processes of a transaction that is to come soon: both wait for their input then.
func (s *gitStore) Ready(ctx context.Context, message string) {
	s.ready.start(ctx, s.git, s.unpackArgs(ctx))
	s.refs.prepare(ctx, s.git, s.updateArgs(ctx, message), s.config)
}
