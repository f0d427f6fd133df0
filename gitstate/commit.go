package gitstate

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// ErrNoIdentity says that git does not know who commits.
var ErrNoIdentity = errors.New("git does not know who commits here")

// identity is who git writes into a commit.
type identity struct {
	who   object.Signature
	fixed bool // the environment says when, too
}

// now returns the signature for a commit that is written now.
func (i identity) now() object.Signature {
	who := i.who
	if !i.fixed {
		who.When = time.Now().Truncate(time.Second)
	}
	return who
}

// identity returns who git writes as author or committer. It asks git once for each.
func (r *Repository) identity(ctx context.Context, role string) (identity, error) {
	if known, ok := r.identities[role]; ok {
		return known, nil
	}
	line, err := r.git.line(ctx, "var", "GIT_"+role+"_IDENT")
	if exitCode(err) > 0 {
		return identity{}, fmt.Errorf("%w: %w", ErrNoIdentity, err)
	}
	if err != nil {
		return identity{}, fmt.Errorf("ask git who commits: %w", err)
	}
	var found identity
	found.who.Decode([]byte(line))
	date := "GIT_" + role + "_DATE="
	found.fixed = slices.ContainsFunc(r.git.env, func(kv string) bool { return strings.HasPrefix(kv, date) && len(kv) > len(date) })
	if r.identities == nil {
		r.identities = map[string]identity{}
	}
	r.identities[role] = found
	return found, nil
}

// Committer returns the identity that git commits with, at this time; the error wraps [ErrNoIdentity] when there is none.
func (r *Repository) Committer(ctx context.Context) (object.Signature, error) {
	committer, err := r.identity(ctx, "COMMITTER")
	return committer.now(), err
}

// newCommit makes a commit, signed where the user's configuration says so. An unsigned one is not written yet: it is returned to be written
// together with others.
func (r *Repository) newCommit(ctx context.Context, tree plumbing.Hash, parents []plumbing.Hash, message string) (*object.Commit, plumbing.EncodedObject, error) {
	sign, err := r.signs(ctx)
	if err != nil {
		return nil, nil, err
	}
	if sign {
		id, err := r.signedCommit(ctx, tree, parents, message)
		if err != nil {
			return nil, nil, err
		}
		commit, err := object.GetCommit(r.store, id)
		if err != nil {
			return nil, nil, fmt.Errorf("read commit %s: %w", id, err)
		}
		return commit, nil, nil
	}
	return r.plainCommit(ctx, tree, parents, message)
}

// plainCommit makes a commit that is not signed and not written yet.
func (r *Repository) plainCommit(ctx context.Context, tree plumbing.Hash, parents []plumbing.Hash, message string) (*object.Commit, plumbing.EncodedObject, error) {
	author, err := r.identity(ctx, "AUTHOR")
	if err != nil {
		return nil, nil, err
	}
	committer, err := r.identity(ctx, "COMMITTER")
	if err != nil {
		return nil, nil, err
	}
	commit := &object.Commit{Author: author.now(), Committer: committer.now(), Message: message, TreeHash: tree, ParentHashes: parents}
	encoded := &plumbing.MemoryObject{}
	if err := commit.Encode(encoded); err != nil {
		return nil, nil, fmt.Errorf("write commit: %w", err)
	}
	commit.Hash = encoded.Hash()
	return commit, encoded, nil
}

// CommitTree writes a commit, signed where the user's configuration says so. No hook runs and no ref moves.
func (r *Repository) CommitTree(ctx context.Context, tree plumbing.Hash, parents []plumbing.Hash, message string) (plumbing.Hash, error) {
	commit, pending, err := r.newCommit(ctx, tree, parents, message)
	if err != nil {
		return plumbing.ZeroHash, err
	}
	if pending != nil {
		if err := r.store.WriteObjects(ctx, []plumbing.EncodedObject{pending}); err != nil {
			return plumbing.ZeroHash, fmt.Errorf("write commit: %w", err)
		}
	}
	return commit.Hash, nil
}

// signedCommit lets git write and sign a commit.
func (r *Repository) signedCommit(ctx context.Context, tree plumbing.Hash, parents []plumbing.Hash, message string) (plumbing.Hash, error) {
	args := append(slices.Clone(r.git.durable(ctx)), "-c", "i18n.commitEncoding=UTF-8", "commit-tree", "-S", tree.String())
	for _, parent := range parents {
		args = append(args, "-p", parent.String())
	}
	out, err := r.git.do(ctx, call{args: append(args, "-F", "-"), stdin: strings.NewReader(message)})
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("write commit: %w", err)
	}
	return plumbing.NewHash(strings.TrimSpace(string(out))), nil
}

// signs reports whether commits are to be signed. It asks git once.
func (r *Repository) signs(ctx context.Context) (bool, error) {
	if r.signing == nil {
		value, err := r.git.line(ctx, "config", "--type=bool", "--get", "commit.gpgSign")
		if err != nil && exitCode(err) != 1 {
			return false, fmt.Errorf("read commit.gpgSign: %w", err)
		}
		sign := value == "true"
		r.signing = &sign
	}
	return *r.signing, nil
}
