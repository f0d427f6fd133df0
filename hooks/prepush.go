package hooks

import (
	"context"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// PushedRef is a line that git gives a pre-push hook.
type PushedRef struct {
	Local  plumbing.ReferenceName // "(delete)" when the remote's ref is deleted; a push may name a commit, too
	New    plumbing.Hash          // zero: the remote's ref is deleted
	Remote plumbing.ReferenceName // as the remote calls it
	Old    plumbing.Hash          // what the remote has; zero: nothing
}

// ParsePushed reads what git gives a pre-push hook on its standard input. Lines that are none are passed over.
func ParsePushed(stdin string) []PushedRef {
	var refs []PushedRef
	for line := range strings.Lines(stdin) {
		f := strings.Fields(line)
		if len(f) == 4 && plumbing.IsHash(f[1]) && plumbing.IsHash(f[3]) {
			refs = append(refs, PushedRef{plumbing.ReferenceName(f[0]), plumbing.NewHash(f[1]), plumbing.ReferenceName(f[2]), plumbing.NewHash(f[3])})
		}
	}
	return refs
}

// PrePush checks a push before anything of it is sent.
type PrePush struct {
	Repo     *gitstate.Repository // required
	Remote   string               // its name, or its URL where it has none
	Refs     []PushedRef          // that are pushed
	Policy   Policy
	Gitleaks Scanner // looks for more secrets; nil: it is not installed
}

// Finding is one thing that a push should not bring.
type Finding struct {
	Check     Check
	Level     Level         // the policy's for the check
	Commit    plumbing.Hash // zero: unknown
	Loop      string        // empty: none
	Iteration int           // of the loop; zero: none
	Text      string        // what and where, one line
	Hints     []string      // what to type

	content bool   // it is in what the commit brings
	inNote  bool   // it is in the commit's note
	path    string // of the file; empty: it is in the message
}

// Report is what was found.
type Report struct {
	Findings []Finding // empty: nothing stands against the push
	Told     []string  // lines for the user
}

// Refused reports whether the push must not go on.
func (r Report) Refused() bool {
	for _, f := range r.Findings {
		if f.Level == Refuse {
			return true
		}
	}
	return false
}

// push is a push that is being checked.
type push struct {
	PrePush
	Report
	owners    map[plumbing.Hash]gitstate.Record // commits of loops, by id
	landsLoop bool                              // one of the commits lands a loop
}

// Run checks the push, and pushes the notes along if nothing stands against it. A push without a commit of a loop costs one git call. The error is git's; what
// is wrong with the push is a finding.
func (p PrePush) Run(ctx context.Context) (Report, error) {
	q := &push{PrePush: p, owners: map[plumbing.Hash]gitstate.Record{}}
	all, err := q.news(ctx, q.commits()...)
	if err != nil {
		return q.Report, err
	}
	if len(all.Tips) == 0 && !q.pushesNotes() {
		return q.Report, nil
	}
	var ours []gitstate.OurCommit
	if len(all.Tips) > 0 {
		if ours, err = q.Repo.OursIn(ctx, all); err != nil {
			return q.Report, err
		}
	}
	if len(ours) == 0 && p.Policy.Scan != ScanAlways && !q.pushesNotes() {
		return q.Report, nil
	}
	for _, our := range ours {
		if our.Record != nil {
			q.owners[our.Commit] = *our.Record
		}
		q.landsLoop = q.landsLoop || our.Landed != nil
	}
	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return q.checkLoops(ctx, ours) },
		func(ctx context.Context) error { return q.checkContent(ctx, q.unsent(q.commits()...)) },
	} {
		if err := step(ctx); err != nil {
			return q.Report, err
		}
	}
	return q.Report, nil
}

// find adds a finding, unless it is not asked for.
func (q *push) find(check Check, f Finding) {
	f.Check, f.Level = check, q.Policy.level(check)
	if f.Level != Off {
		q.Findings = append(q.Findings, f)
	}
}

// commits are the refs whose commits are looked at: those that bring files.
func (q *push) commits() []PushedRef {
	var refs []PushedRef
	for _, ref := range q.Refs {
		if !ref.New.IsZero() && !isNotes(ref.Remote) && !strings.HasPrefix(ref.Remote.String(), "refs/ralph/lease/") {
			refs = append(refs, ref)
		}
	}
	return refs
}

func isNotes(name plumbing.ReferenceName) bool {
	return strings.HasPrefix(name.String(), "refs/notes/")
}

// unsent is what refs bring that the remote does not have at all.
func (q *push) unsent(refs ...PushedRef) gitstate.PushedRange {
	r := gitstate.PushedRange{Remote: q.Remote}
	if strings.ContainsAny(q.Remote, ":*?[\\") || strings.HasPrefix(q.Remote, "/") || strings.HasPrefix(q.Remote, ".") {
		r.Remote = "" // a URL
	}
	for _, ref := range refs {
		r.Tips = append(r.Tips, ref.New)
	}
	for _, ref := range q.Refs {
		if !ref.Old.IsZero() {
			r.Known = append(r.Known, ref.Old)
		}
	}
	return r
}

// news is what refs bring that they did not have before, and for a new one: that no protected branch of the remote has. What a loop did and the remote has on
// the loop's own branch is new on any other one.
func (q *push) news(ctx context.Context, refs ...PushedRef) (gitstate.PushedRange, error) {
	r := q.unsent(refs...)
	remote := r.Remote
	r.Remote = ""
	if remote == "" || !slices.ContainsFunc(refs, func(ref PushedRef) bool { return ref.Old.IsZero() }) {
		return r, nil
	}
	tracked, err := q.Repo.Tracked(ctx, remote)
	for name, commit := range tracked {
		if q.Policy.protects(name) && !strings.HasPrefix(name, "ralph/") {
			r.Known = append(r.Known, commit)
		}
	}
	return r, err
}

// pushesNotes reports whether the notes of loops are among the refs.
func (q *push) pushesNotes() bool {
	for _, ref := range q.Refs {
		if ref.Local == gitstate.NotesRef && !ref.New.IsZero() {
			return true
		}
	}
	return false
}

// notesRange is what the remote does not have of the notes, as far as it is known here.
func (q *push) notesRange() (gitstate.PushedRange, error) {
	notes, err := q.Repo.Resolve(gitstate.NotesRef)
	if err != nil || notes.IsZero() {
		return gitstate.PushedRange{}, err
	}
	r := gitstate.PushedRange{Tips: []plumbing.Hash{notes}}
	for _, ref := range q.Refs {
		if ref.Local == gitstate.NotesRef && !ref.Old.IsZero() {
			r.Known = append(r.Known, ref.Old)
		}
	}
	fetched, err := q.Repo.Resolve(plumbing.ReferenceName("refs/notes/" + q.Remote + "/ralph"))
	if err == nil && !fetched.IsZero() {
		r.Known = append(r.Known, fetched)
	}
	return r, nil
}
