package gitstate

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// errTreeTwice is the error for a path that is a file and a directory.
var errTreeTwice = errors.New("a path is there twice")

// treesOf returns the trees for entries that are sorted by their paths; the root is the last one.
func treesOf(entries []object.TreeEntry) ([]plumbing.EncodedObject, error) {
	var trees []plumbing.EncodedObject
	var tree object.Tree
	for len(entries) > 0 {
		first := entries[0]
		dir, _, nested := strings.Cut(first.Name, "/")
		if !nested {
			tree.Entries, entries = append(tree.Entries, first), entries[1:]
			continue
		}
		var inner []object.TreeEntry
		for len(entries) > 0 && strings.HasPrefix(entries[0].Name, dir+"/") {
			entry := entries[0]
			entry.Name = strings.TrimPrefix(entry.Name, dir+"/")
			inner, entries = append(inner, entry), entries[1:]
		}
		below, err := treesOf(inner)
		if err != nil {
			return nil, err
		}
		trees = append(trees, below...)
		tree.Entries = append(tree.Entries, object.TreeEntry{Name: dir, Mode: filemode.Dir, Hash: below[len(below)-1].Hash()})
	}
	slices.SortFunc(tree.Entries, func(a, b object.TreeEntry) int { return strings.Compare(sortName(a), sortName(b)) })
	names := map[string]bool{}
	for _, entry := range tree.Entries {
		if names[entry.Name] {
			return nil, fmt.Errorf("write tree: %q: %w", entry.Name, errTreeTwice)
		}
		names[entry.Name] = true
	}
	o := &plumbing.MemoryObject{}
	if err := tree.Encode(o); err != nil {
		return nil, fmt.Errorf("write tree: %w", err)
	}
	return append(trees, o), nil
}

// sortName is what git sorts the entries of a tree by.
func sortName(e object.TreeEntry) string {
	if e.Mode == filemode.Dir {
		return e.Name + "/"
	}
	return e.Name
}

// memoryObject returns an object that is not written yet.
func memoryObject(kind plumbing.ObjectType, content []byte) plumbing.EncodedObject {
	o := &plumbing.MemoryObject{}
	o.SetType(kind)
	_, _ = o.Write(content) // into memory
	return o
}

// contentOf returns the content of a blob.
func contentOf(s Store, id plumbing.Hash) ([]byte, error) {
	o, err := s.EncodedObject(plumbing.BlobObject, id)
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	r, err := o.Reader()
	if err != nil {
		return nil, fmt.Errorf("read blob %s: %w", id, err)
	}
	defer r.Close()
	return io.ReadAll(r)
}
