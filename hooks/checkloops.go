package hooks

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// checkLoops looks at the loops in the push: their own branches must be whole, and what goes to another branch must be done.
func (q *push) checkLoops(ctx context.Context, ours []gitstate.OurCommit) error {
	if len(ours) == 0 {
		return nil
	}
	refs := q.commits()
	for _, ref := range refs {
		isLoop, err := q.checkWhole(ctx, ref)
		if err != nil {
			return err
		}
		if isLoop || !ref.Remote.IsBranch() || !q.Policy.protects(ref.Remote.Short()) || q.Policy.level(CheckUnfinished) == Off {
			continue
		}
		in := ours
		if len(refs) > 1 {
			news, err := q.news(ctx, ref)
			if err != nil {
				return err
			}
			if in, err = q.Repo.OursIn(ctx, news); err != nil {
				return err
			}
		}
		if err := q.checkFinished(ctx, ref, in); err != nil {
			return err
		}
	}
	return nil
}

// checkWhole checks a loop's branch, and reports whether it is one. A missing note is no reason to refuse: notes only repeat and add.
func (q *push) checkWhole(ctx context.Context, ref PushedRef) (bool, error) {
	loop, err := q.Repo.LoopBelow(ref.New)
	if err != nil || loop.Name == "" {
		return false, err
	}
	if _, pushed := q.owners[loop.Tip]; !pushed && !ref.Old.IsZero() {
		return false, nil // the remote has all of the loop that is in it
	}
	found, err := q.Repo.Fsck(ctx, loop)
	if err != nil {
		return false, err
	}
	if branch := found.Loop.Branch; branch != "" && branch != ref.Remote && !strings.HasPrefix(ref.Remote.String(), "refs/ralph/") {
		return false, nil
	}
	for _, f := range found.Findings {
		if f.Kind == gitstate.NoteMissing {
			continue
		}
		q.find(CheckWhole, Finding{
			Commit: f.Commit, Loop: loop.Name, Iteration: f.Iteration, Text: f.Text, Hints: []string{"see all that is wrong: git ralph fsck " + loop.Name},
		})
	}
	return true, nil
}

// checkFinished looks at the loops whose work goes to a branch that is not a loop's.
func (q *push) checkFinished(ctx context.Context, ref PushedRef, ours []gitstate.OurCommit) error {
	for _, our := range ours {
		if our.Landed == nil {
			continue
		}
		why := ""
		switch v := our.Landed.Verify; {
		case v == nil:
			why = "nothing has verified it"
		case !v.Passed:
			why = "verify failed on it"
		default:
			why = q.unfinishedAt(ctx, our.Landed.Loop, our.Landed.Tip)
		}
		q.unfinished(ref, our.Landed.Loop, our.Commit, why)
	}
	left, err := q.notLanded(ctx, ref, ours)
	if err != nil {
		return err
	}
	for name, last := range left {
		state, err := q.Repo.State(ctx, gitstate.Loop{Name: name, Tip: last})
		if err != nil {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			q.unfinished(ref, name, last, "it cannot be read: "+err.Error())
			continue
		}
		q.unfinished(ref, name, last, unproven(state))
	}
	return nil
}

// unfinishedAt says why a loop that landed was not done, if its last commit is here and says so.
func (q *push) unfinishedAt(ctx context.Context, name string, tip plumbing.Hash) string {
	loop, err := q.Repo.LoopBelow(tip)
	if err != nil || loop.Name != name {
		return ""
	}
	state, err := q.Repo.State(ctx, loop)
	if err != nil || state.Totals.Exit.Done() {
		return ""
	}
	return "it is not done"
}

// unproven says why a loop's work is not done and verified; empty: it is.
func unproven(s gitstate.State) string {
	switch v := s.Totals.Verify; {
	case !s.Totals.Exit.Done() && s.Totals.Exit != "":
		return "it ended unfinished: " + string(s.Totals.Exit)
	case !s.Totals.Exit.Done():
		return "it is not done"
	case v == nil:
		return "nothing has verified it"
	case !v.Passed:
		return "verify failed on it"
	}
	return ""
}

// unfinished adds the finding; an empty reason is none.
func (q *push) unfinished(ref PushedRef, loop string, commit plumbing.Hash, why string) {
	if why == "" {
		return
	}
	q.find(CheckUnfinished, Finding{
		Commit: commit, Loop: loop, Iteration: q.owners[commit].Iteration, Text: fmt.Sprintf("work of loop %s goes to %s, but %s", loop, ref.Remote.Short(), why),
		Hints: []string{"see how it stands: git ralph status " + loop, "push the loop instead: git ralph push --loop " + loop},
	})
}
