package gitstate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Resolve returns the value of a ref.
func (s *gitStore) Resolve(name plumbing.ReferenceName) (plumbing.Hash, error) {
	if name.Validate() != nil {
		return plumbing.ZeroHash, nil
	}
	if id := s.loose(name).String(); id != plumbing.ZeroHash.String() {
		if found, err := s.read.present([]string{id}); err == nil && len(found) == 1 {
			return found[id].id, nil
		}
	}
	// When there is no such ref, git also looks for it below refs/tags/ and the like. Where nothing is there either, it
	// cannot have taken the name for anything but the ref. (What looks like a name by git describe, and so like a commit,
	// looks like one there, too.)
	names := []string{name.String()}
	for _, pattern := range []string{"refs/%s", "refs/tags/%s", "refs/heads/%s", "refs/remotes/%s", "refs/remotes/%s/HEAD"} {
		names = append(names, fmt.Sprintf(pattern, name))
	}
	found, err := s.read.present(names)
	answer, there := found[name.String()]
	switch {
	case err != nil: // it died, or met an object beyond its limit
		return s.resolveExactly(name)
	case !there:
		return plumbing.ZeroHash, nil
	case len(found) > 1:
		return s.resolveExactly(name)
	}
	return answer.id, nil
}

// loose returns what stands in the ref's own file, which git reads first, too. It is zero where there is none such: then git is to be asked.
func (s *gitStore) loose(name plumbing.ReferenceName) plumbing.Hash {
	if s.gitDir == "" {
		return plumbing.ZeroHash
	}
	file := filepath.Join(s.gitDir, "HEAD")
	if name != plumbing.HEAD {
		if !strings.HasPrefix(name.String(), "refs/heads/") && !strings.HasPrefix(name.String(), "refs/ralph/") && name != NotesRef {
			return plumbing.ZeroHash // some others belong to a work tree
		}
		file = filepath.Join(s.refDir, filepath.FromSlash(name.String()))
	}
	text, whole := readEnd(file, 1<<10)
	if target, ok := strings.CutPrefix(text, "ref: "); ok && name == plumbing.HEAD {
		if branch := plumbing.ReferenceName(strings.TrimSuffix(target, "\n")); branch.Validate() == nil && branch.IsBranch() {
			return s.loose(branch)
		}
	}
	id, ok := parseHash(strings.TrimSuffix(text, "\n"))
	if !whole || !ok {
		return plumbing.ZeroHash
	}
	return id
}

// resolveExactly asks git for the ref of exactly that name.
func (s *gitStore) resolveExactly(name plumbing.ReferenceName) (plumbing.Hash, error) {
	out, err := s.git.run(context.Background(), "show-ref", "--verify", "--hash", name.String())
	if failed, ok := errors.AsType[*gitError](err); ok && strings.Contains(failed.stderr, "not a valid ref") {
		return plumbing.ZeroHash, nil
	}
	if err != nil {
		return plumbing.ZeroHash, fmt.Errorf("read ref %s: %w", name, err)
	}
	id, _ := parseHash(strings.TrimSpace(string(out)))
	return id, nil
}

// Refs lists refs.
func (s *gitStore) Refs(ctx context.Context, prefixes ...string) ([]Ref, error) {
	if len(prefixes) == 0 {
		return nil, nil
	}
	out, err := s.git.run(ctx, append([]string{"for-each-ref", "--sort=refname", "--format=%(objectname) %(refname)"}, prefixes...)...)
	if err != nil {
		return nil, fmt.Errorf("list refs: %w", err)
	}
	var refs []Ref
	for line := range strings.Lines(string(out)) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		refs = append(refs, Ref{Name: plumbing.ReferenceName(name), Hash: plumbing.NewHash(id)})
	}
	return refs, nil
}

// Transact moves refs with one `git update-ref`.
func (s *gitStore) Transact(ctx context.Context, t Transaction) error {
	if len(t.Updates) == 0 {
		return nil
	}
	for _, u := range t.Updates {
		if err := u.Name.Validate(); err != nil { // git would read on beyond a NUL
			return fmt.Errorf("move refs: %q: %w", u.Name, err)
		}
	}
	err := s.refs.run(ctx, s.git, s.updateArgs(ctx, t.Message), s.config, updateScript(t.Updates).Bytes())
	if failed, ok := errors.AsType[*gitError](err); ok {
		return fmt.Errorf("move refs: %w", s.refFailure(ctx, failed))
	}
	if err != nil {
		return fmt.Errorf("move refs: %w", err)
	}
	return nil
}

// updateArgs are the arguments of the call that moves refs.
func (s *gitStore) updateArgs(ctx context.Context, message string) []string {
	args := append(slices.Clone(s.git.durable(ctx)), "update-ref", "--stdin", "-z")
	if message != "" {
		args = append(args, "-m", message)
	}
	return args
}

// updateScript puts updates into the words of `git update-ref --stdin -z`.
func updateScript(updates []RefUpdate) *bytes.Buffer {
	var b bytes.Buffer
	b.WriteString("start\x00")
	for _, u := range updates {
		switch {
		case u.Old == u.New:
			fmt.Fprintf(&b, "verify %s\x00%s\x00", u.Name, u.Old)
		case u.New.IsZero():
			fmt.Fprintf(&b, "delete %s\x00%s\x00", u.Name, u.Old)
		default:
			fmt.Fprintf(&b, "update %s\x00%s\x00%s\x00", u.Name, u.New, u.Old)
		}
	}
	b.WriteString("prepare\x00commit\x00")
	return &b
}

// What git says of updates of refs that fail, as regular expressions. They are compiled when one fails.
const (
	refInMessage = `cannot (?:lock|update) ref '([^']+)'`
	refsInTheWay = `'([^']+)' exists; cannot create '([^']+)'`
	refsTogether = `cannot process '([^']+)' and '([^']+)' at the same time`
	moved        = `but expected|reference already exists|unable to resolve reference|reference is missing|expected symref`
	vetoed       = `aborted by (?:the reference-transaction )?hook`
)

// refFailure tells what a failed update of refs means. Of the lock of all tables git does not say where it is.
func (s *gitStore) refFailure(ctx context.Context, failed *gitError) error {
	if !strings.Contains(failed.stderr, "cannot lock references") {
		return refFailure(failed)
	}
	out, err := s.git.run(ctx, "rev-parse", "--path-format=absolute", "--git-common-dir", "--git-dir")
	if err != nil {
		return failed
	}
	var path string
	for dir := range strings.Lines(string(out)) {
		if lock := tablesLock(filepath.FromSlash(strings.TrimSuffix(dir, "\n"))); path == "" || exists(lock) {
			path = lock
		}
	}
	return &lockedError{path: path}
}

func refFailure(failed *gitError) error {
	var name plumbing.ReferenceName
	if m := regexp.MustCompile(refInMessage).FindStringSubmatch(failed.stderr); m != nil {
		name = plumbing.ReferenceName(m[1])
	}
	if m := regexp.MustCompile(refsInTheWay).FindStringSubmatch(failed.stderr); m != nil {
		return &BlockedRefError{Name: plumbing.ReferenceName(m[2]), By: plumbing.ReferenceName(m[1])}
	}
	if m := regexp.MustCompile(refsTogether).FindStringSubmatch(failed.stderr); m != nil {
		return &BlockedRefError{Name: plumbing.ReferenceName(m[2]), By: plumbing.ReferenceName(m[1])}
	}
	if path := failed.heldLock(); path != "" {
		return &lockedError{path: path}
	}
	switch {
	case regexp.MustCompile(vetoed).MatchString(failed.stderr):
		return fmt.Errorf("%w: %w", ErrVetoed, failed)
	case regexp.MustCompile(moved).MatchString(failed.stderr) && !strings.Contains(failed.stderr, "reference broken"):
		return &ConflictError{Name: name, Err: failed}
	}
	return failed
}
