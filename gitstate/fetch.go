package gitstate

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Seen is what a remote has of loops.
type Seen struct {
	Branches map[plumbing.ReferenceName]plumbing.Hash // refs/heads/…
	Leases   map[string]plumbing.Hash                 // commits, by loop
	Notes    plumbing.Hash                            // zero: none
	Kept     []Ref                                    // refs/ralph/kept/…
}

// Look asks the remote what it has of a loop and of the branches that are named; of all loops when the name is empty. Nothing changes here.
func (m *Remote) Look(ctx context.Context, loop string, branches ...plumbing.ReferenceName) (Seen, error) {
	patterns := []string{NotesRef, leasePrefix + "*", "refs/heads/ralph/*", keptRoot + "*"}
	if loop != "" {
		patterns = []string{NotesRef, leasePrefix + loop, "refs/heads/ralph/" + loop, keptPrefix(loop) + "*"}
	}
	for _, branch := range branches {
		patterns = append(patterns, branch.String())
	}
	refs, err := m.list(ctx, patterns...)
	if err != nil {
		return Seen{}, err
	}
	seen := Seen{Branches: map[plumbing.ReferenceName]plumbing.Hash{}, Leases: map[string]plumbing.Hash{}, Notes: refs[NotesRef]}
	for name, id := range refs {
		if loop, ok := strings.CutPrefix(name.String(), leasePrefix); ok {
			seen.Leases[loop] = id
		}
		if name.IsBranch() {
			seen.Branches[name] = id
		}
		if strings.HasPrefix(name.String(), keptRoot) {
			seen.Kept = append(seen.Kept, Ref{Name: name, Hash: id})
		}
	}
	return seen, nil
}

// list asks the remote for refs by their whole names; a * stands for anything.
func (m *Remote) list(ctx context.Context, patterns ...string) (map[plumbing.ReferenceName]plumbing.Hash, error) {
	args := append([]string{"ls-remote", "--refs", "--quiet", m.Name}, patterns...)
	answer, err := m.call(ctx, remoteShort, args...)
	if err != nil {
		return nil, err
	}
	if answer.ExitCode != 0 {
		return nil, m.away(args, answer)
	}
	refs := map[plumbing.ReferenceName]plumbing.Hash{}
	for line := range strings.Lines(answer.Stdout) {
		id, name, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if hash, isHash := parseHash(id); ok && isHash && strings.HasPrefix(name, "refs/") {
			refs[plumbing.ReferenceName(name)] = hash
		}
	}
	return refs, nil
}

// FetchRequest says what to fetch.
type FetchRequest struct {
	Seen     Seen                     // what the remote has, as Look says; its zero value: it is asked for the notes
	Branches []plumbing.ReferenceName // of Seen
	Notes    bool                     // the remote's notes are fetched and joined with ours
}

// Fetch fetches branches into refs/remotes/<remote>/, and the notes into refs/notes/<remote>/ralph, from where they are joined with ours: those that were
// not pushed yet stay. It reports whether anything here is new. Killed at any time it leaves refs as they were, or as they shall be.
func (m *Remote) Fetch(ctx context.Context, q FetchRequest) (bool, error) {
	if q.Seen.Branches == nil {
		refs, err := m.list(ctx, NotesRef)
		if err != nil {
			return false, err
		}
		q.Seen.Notes = refs[NotesRef]
	}
	var specs []string
	for _, branch := range q.Branches {
		spec, err := m.fetchSpec(branch, m.tracking(branch), q.Seen.Branches[branch])
		if err != nil {
			return false, err
		}
		specs = append(specs, spec...)
	}
	if q.Notes {
		spec, err := m.fetchSpec(NotesRef, m.notesRef(), q.Seen.Notes)
		if err != nil {
			return false, err
		}
		specs = append(specs, spec...)
	}
	if err := m.get(ctx, specs...); err != nil {
		return false, err
	}
	if !q.Notes || q.Seen.Notes.IsZero() {
		return len(specs) > 0, nil
	}
	joined, err := m.joinNotes(ctx, q.Seen.Notes)
	return joined || len(specs) > 0, err
}

// joinNotes joins the remote's notes with ours: those that were fetched, which may be later ones than were seen.
func (m *Remote) joinNotes(ctx context.Context, seen plumbing.Hash) (bool, error) {
	if ref := m.notesRef(); ref != "" {
		fetched, err := m.repo.store.Resolve(ref)
		if err != nil {
			return false, err
		}
		seen = fetched
	}
	return m.repo.joinNotes(ctx, seen)
}

// fetchSpec returns the refspec for a ref of the remote; none when it is here already. Without a place here only its objects are fetched.
func (m *Remote) fetchSpec(from, to plumbing.ReferenceName, id plumbing.Hash) ([]string, error) {
	if id.IsZero() {
		return nil, nil
	}
	if to == "" {
		return []string{from.String()}, nil
	}
	now, err := m.repo.store.Resolve(to)
	if err != nil || now == id {
		return nil, err
	}
	return []string{"+" + from.String() + ":" + to.String()}, nil
}

// get runs git fetch; without refspecs it has nothing to do.
func (m *Remote) get(ctx context.Context, specs ...string) error {
	if len(specs) == 0 {
		return nil
	}
	return m.fetch(ctx, specs)
}

// fetch runs git fetch with more options than the usual ones.
func (m *Remote) fetch(ctx context.Context, specs []string, options ...string) error {
	args := append(slices.Clone(m.repo.git.durable(ctx)), "fetch", "--progress", "--atomic", "--no-tags", "--no-prune", "--no-write-fetch-head",
		"--no-recurse-submodules", "--no-auto-maintenance", "--refmap=")
	args = append(append(append(args, options...), m.Name), specs...)
	for try := 1; ; try++ {
		answer, err := m.call(ctx, remoteLong, args...)
		if err != nil || answer.ExitCode == 0 {
			return err
		}
		if movedMeanwhile(answer) && try < fetchTries {
			continue
		}
		lock := m.lockInTheWay(answer)
		if lock == "" {
			return m.away(args, answer)
		}
		gone, err := m.repo.removeAbandoned(ctx, lock)
		if err == nil && !gone && try < fetchTries {
			err = pause(ctx, notesPause) // another git may be done with it in a moment
		} else if !gone || try > fetchTries+len(specs) {
			err = errors.Join(fmt.Errorf("fetch from %s: %w: %s exists", m.Name, ErrLocked, lock), err)
		}
		if err != nil {
			return err
		}
	}
}

// fetchTries is how often a fetch is tried because somebody else moves or holds one of the refs that it writes: a loop that pushes, another fetch.
const fetchTries = 10

// movedMeanwhile reports whether git gave up because a ref here moved between its reading and its writing.
func movedMeanwhile(answer Answer) bool {
	return regexp.MustCompile(`cannot lock ref '[^']+': .*(?:` + moved + `)`).MatchString(answer.Stderr)
}

// lockInTheWay returns the lock file of a ref that holds what the remote had, if that is why git gave up; empty: it is not.
func (m *Remote) lockInTheWay(answer Answer) string {
	found := regexp.MustCompile(lockInMessage).FindStringSubmatch(answer.Stderr)
	if found == nil {
		return ""
	}
	path := filepath.Clean(filepath.Join(m.repo.TopLevel, found[1]))
	if filepath.IsAbs(found[1]) {
		path = filepath.Clean(found[1])
	}
	for _, prefix := range []string{"refs/remotes/", "refs/notes/"} {
		if strings.HasPrefix(path, filepath.Join(m.repo.CommonDir, filepath.FromSlash(prefix+m.Name))+string(filepath.Separator)) {
			return path
		}
	}
	return ""
}

// leaseOf returns the lease of a loop that the remote has; the zero hash is none.
func (m *Remote) leaseOf(ctx context.Context, loop string, id plumbing.Hash) (Lease, error) {
	l, err := m.repo.lease(id)
	if !errors.Is(err, plumbing.ErrObjectNotFound) {
		return l, err
	}
	if err := m.get(ctx, leasePrefix+loop); err != nil {
		return Lease{}, err
	}
	return m.repo.lease(id)
}

// Lease returns the lease of a loop that the remote was seen to have; the zero value: none.
func (m *Remote) Lease(ctx context.Context, loop string, seen Seen) (Lease, error) {
	return m.leaseOf(ctx, loop, seen.Leases[loop])
}

// TakenBack reports whether somebody else took the loop back on the remote from where it is here: theirs is the later word then. The remote's branch is
// known to be behind ours.
func (m *Remote) TakenBack(ctx context.Context, ours Loop, seen Seen) (bool, error) {
	lease, err := m.Lease(ctx, ours.Name, seen)
	if err != nil || lease.Owner == "" {
		return false, err
	}
	known, err := m.repo.store.Resolve(m.leasedRef(ours.Name))
	if err != nil {
		return false, err
	}
	mine, err := m.repo.lease(known)
	if err != nil || mine.Owner == lease.Owner {
		return false, err
	}
	for _, kept := range seen.keptOf(ours.Name) {
		if err := m.repo.store.HasEncodedObject(kept.Hash); errors.Is(err, plumbing.ErrObjectNotFound) {
			err = m.get(ctx, kept.Name.String())
			if err != nil {
				return false, err
			}
		} else if err != nil {
			return false, err
		}
		for _, way := range [][2]plumbing.Hash{{ours.Tip, kept.Hash}, {kept.Hash, ours.Tip}} {
			if held, err := m.repo.holds(ctx, way[0], way[1]); err != nil || held {
				return held, err
			}
		}
	}
	return false, nil
}

// joinNotes joins fetched notes with ours. It reports whether ours changed.
func (r *Repository) joinNotes(ctx context.Context, theirs plumbing.Hash) (bool, error) {
	var failed error
	for try := range notesTries {
		ours, err := r.store.Resolve(NotesRef)
		if err != nil {
			return false, err
		}
		joined, err := MergeNotes(ctx, r.store, ours, theirs, r.anybody(ctx))
		if err != nil || joined == ours {
			return false, err
		}
		failed = r.MoveRef(ctx, "ralph: join notes", RefUpdate{Name: NotesRef, Old: ours, New: joined})
		if failed == nil {
			return true, nil
		}
		_, moved := errors.AsType[*ConflictError](failed)
		if locked := errors.Is(failed, ErrLocked); locked && try == 4 { // git itself waits a moment, too
			if _, err := r.removeAbandoned(ctx, r.refLock(NotesRef)); err != nil {
				return false, err
			}
		} else if !locked && !moved {
			break
		}
		if err := pause(ctx, notesPause/10); err != nil {
			return false, err
		}
	}
	return false, fmt.Errorf("join notes: %w", failed)
}
