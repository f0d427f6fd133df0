package runner

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// LandMode says what becomes of a loop's commits on the branch that they land on.
type LandMode string

// The ways to land.
const (
	LandSquash  LandMode = "squash"   // one commit
	LandMerge   LandMode = "merge"    // a merge commit
	LandRebase  LandMode = "rebase"   // all of them, one by one
	LandPerWave LandMode = "per-wave" // one commit for each wave of a plan
)

// LandRequest says which loop is to land, and how.
type LandRequest struct {
	Loop      string            // required
	Into      string            // short name of the branch; empty: the one that the loop began on
	Mode      LandMode          // empty: squash
	Message   string            // of the commit that lands it, without trailers; empty: made from the prompt and the summaries. Not with rebase
	Force     bool              // also a loop that is not done, was not verified, has landed before, or whose verify fails on the result
	EnvValues map[string]string // of variables that verify needs
	Hooks     io.Writer         // gets what the user's hooks say; nil: nobody does
}

// LandOutcome is what has landed.
type LandOutcome struct {
	Loop    string
	Into    string        // short name of the branch, which is HEAD now
	Commit  plumbing.Hash // that lands the loop
	Commits int           // that came onto the branch, without those that a merge brings along
	Verify  *bool         // whether verify passed on the result; nil: the loop has none
	Already bool          // it had landed before; nothing was done
	Told    []string      // lines for the user
}

// Land brings a loop's work onto a branch, in this work tree, which must be clean, with the user's hooks and signing. The branch moves last, when verify has
// passed on the result; HEAD is the branch then. After an error HEAD, index and work tree are what they were; after a kill the next command takes them back.
//
// The error is a *[NotReadyError] for a loop that is not done or not verified, a *[ConflictsError] when the branch has changed the same, a
// *[UnverifiedError] when verify fails on the result, a *[DirtyError], a *[UntrustedError] for verify commands from elsewhere, or a *[gitstate.HeldError].
func (r *Runner) Land(ctx context.Context, q LandRequest) (LandOutcome, error) {
	l, err := r.landable(ctx, q)
	if err != nil {
		return LandOutcome{}, err
	}
	defer l.release()
	defer context.AfterFunc(ctx, l.control.Interrupt)()
	o := LandOutcome{Loop: q.Loop, Into: l.into.Short()}
	if err := l.check(ctx); err != nil {
		return o, err
	}
	if o.Commit, err = l.landedBefore(ctx); err != nil || !o.Commit.IsZero() && !q.Force {
		o.Already, o.Told = true, l.lines
		return o, err
	}
	if err := l.land(ctx, &o); err != nil {
		return o, err
	}
	o.Told = l.lines
	return o, nil
}

// landing is a loop that is about to land.
type landing struct {
	*loopAtRest
	LandRequest
	into    plumbing.ReferenceName
	ref     plumbing.ReferenceName // has the loop's commits
	branch  plumbing.Hash          // its value: the tip, or what stands above it
	waves   []gitstate.Record      // that land, the last first
	on      *gitstate.Landing
	summary string        // body of the message
	result  *verifyResult // what verify said of the result; nil: it did not run
	tree    plumbing.Hash // that it ran on
}

// landable finds the loop and takes the locks. Its own work tree, if it has another one, is not touched.
func (r *Runner) landable(ctx context.Context, q LandRequest) (*landing, error) {
	rest, err := r.atRest(ctx, q.Loop)
	if err != nil {
		return nil, err
	}
	l := &landing{loopAtRest: rest, LandRequest: q}
	if err := l.takeHome(ctx); err != nil {
		l.release()
		return nil, err
	}
	return l, nil
}

func (l *landing) takeHome(ctx context.Context) error {
	if held, err := l.repo.Running(l.Loop); err != nil {
		return err
	} else if held != nil {
		return held
	}
	if err := l.target(ctx); err != nil {
		return err
	}
	if err := l.lockWorktree(ctx, l.Loop); err != nil {
		return err
	}
	if err := l.lock(l.Loop); err != nil {
		return err
	}
	if err := l.rereadState(ctx); err != nil {
		return err
	}
	if err := l.cleanUp(ctx); err != nil {
		return err
	}
	if err := l.withEnv(ctx, l.EnvValues); err != nil {
		return err
	}
	if l.ref = l.state.Loop.Found; l.ref == l.state.Loop.TipRef() {
		l.ref = l.state.Loop.Branch
	}
	var err error
	l.branch, err = l.repo.Resolve(l.ref)
	return err
}

// target finds the branch that the loop is to land on.
func (l *landing) target(ctx context.Context) error {
	name := l.Into
	if name == "" && l.state.Base != nil && l.state.Base.Branch != "HEAD" {
		name = l.state.Base.Branch
	}
	if name == "" {
		return &InvalidError{Fact: fmt.Sprintf("loop %q began on no branch", l.Loop), Hints: []string{"git ralph land " + l.Loop + " --into main"}}
	}
	l.into = plumbing.NewBranchReferenceName(name)
	if l.into == l.state.Loop.Branch {
		return &InvalidError{Fact: fmt.Sprintf("branch %q is the loop's own", name), Hints: []string{"git ralph land " + l.Loop + " --into main"}}
	}
	commit, err := l.repo.Resolve(l.into)
	if err != nil {
		return err
	}
	if commit.IsZero() {
		return &StateError{Fact: fmt.Sprintf("there is no branch %q", name), Hints: []string{"git ralph land " + l.Loop + " --into BRANCH"}}
	}
	path, err := l.repo.CheckedOutAt(ctx, l.into)
	if err == nil && path != "" && path != l.repo.TopLevel {
		return &StateError{Fact: fmt.Sprintf("branch %q is checked out at %s", name, path), Hints: []string{fmt.Sprintf("land there: cd %s && git ralph land %s", joinWords([]string{path}), l.Loop)}}
	}
	return err
}

// check makes sure that the loop may land, and that the work tree is free for it.
func (l *landing) check(ctx context.Context) error {
	if err := checkIdentity(ctx, l.repo); err != nil {
		return err
	}
	if err := checkOperation(ctx, l.repo); err != nil {
		return err
	}
	dirty, err := l.repo.Dirty(ctx)
	if err != nil {
		return err
	}
	if dirty, err = l.usersOwn(ctx, dirty); err != nil {
		return err
	}
	if len(dirty) > 0 {
		return &DirtyError{Paths: dirty}
	}
	if why := l.notReady(); why != "" && !l.Force {
		return &NotReadyError{Loop: l.Loop, Why: why, Done: l.state.Totals.Exit.Done()}
	}
	if l.Mode == LandPerWave {
		if err := l.findWaves(ctx); err != nil {
			return err
		}
	}
	return l.approve(verifyClaims(l.claims()))
}

// findWaves reads the waves of a plan.
func (l *landing) findWaves(ctx context.Context) error {
	for record, err := range l.repo.Records(ctx, l.state.Loop) {
		if err != nil {
			return err
		}
		if record.Kind == gitstate.Wave {
			l.waves = append(l.waves, record)
		}
	}
	if len(l.waves) == 0 {
		return &StateError{Fact: fmt.Sprintf("loop %q has no waves", l.Loop), Hints: []string{"as one commit: git ralph land " + l.Loop}}
	}
	return nil
}

// notReady says why the loop should not land; empty: it may.
func (l *landing) notReady() string {
	t := l.state.Totals
	switch {
	case !t.Exit.Done() && t.Exit != "":
		return fmt.Sprintf("it is not done: it stopped with %s", t.Exit)
	case !t.Exit.Done():
		return "it is not done"
	case len(l.config.Verify) == 0:
		return "it has no verify command, so nothing has checked its work"
	case t.Verify == nil || !t.Verify.Passed:
		return "verify has not passed"
	}
	return ""
}

// landedBefore returns the commit on the branch that lands just this; the zero hash: there is none.
func (l *landing) landedBefore(ctx context.Context) (plumbing.Hash, error) {
	revisions := []string{l.into.String()}
	if l.state.Base != nil && !l.state.Base.Commit.IsZero() {
		revisions = append(revisions, "^"+l.state.Base.Commit.String())
	}
	landed, err := l.repo.LandedIn(ctx, revisions...)
	for _, at := range landed {
		if at.Loop != l.Loop || at.Tip != l.branch {
			continue
		}
		if brings, err := l.repo.BringsWork(ctx, at.Commit, l.branch); err != nil || brings {
			return at.Commit, err
		}
	}
	return plumbing.ZeroHash, err
}

// land does it. On the way HEAD is detached; after an error it goes back.
func (l *landing) land(ctx context.Context, o *LandOutcome) (err error) {
	l.busy("landing " + l.Loop + " on " + l.into.Short())
	if l.on, err = l.repo.BeginLanding(ctx, l.Loop, l.ref, l.into); l.on == nil {
		return err
	}
	defer func() {
		if err == nil {
			return
		}
		kept, failed := l.on.Back(context.WithoutCancel(ctx), l.guard())
		for _, ref := range kept {
			l.tell("what verify or somebody else wrote meanwhile is kept: %s", ref)
		}
		err = errors.Join(err, failed)
	}()
	if err != nil {
		return err
	}
	files, err := l.repo.InTheWay(ctx, l.guard(), l.branch)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		return &StateError{Fact: fmt.Sprintf("the loop has files where ignored ones are on %s: %s", l.into.Short(), some(files, 3)), Hints: []string{"move them away, then land again: git ralph land " + l.Loop}}
	}
	commit, err := l.put(ctx, o)
	if err != nil {
		return l.explain(err)
	}
	note := l.note()
	if err := l.on.Arrive(ctx, commit, &note); err != nil {
		return err
	}
	o.Commit = commit
	if l.result != nil {
		o.Verify = &l.result.passed
	}
	if paths, err := l.repo.Dirty(ctx); err == nil && len(paths) > 0 {
		l.tell("verify wrote %s: not committed", some(paths, 3))
	}
	return nil
}

// explain tells a merge's conflict in the words of a landing.
func (l *landing) explain(err error) error {
	if e, ok := errors.AsType[*gitstate.MergeConflictError](err); ok {
		return &ConflictsError{Loop: l.Loop, Branch: l.state.Loop.Branch.Short(), Into: l.into.Short(), Mode: l.Mode, At: e.At, Paths: e.Paths}
	}
	return err
}
