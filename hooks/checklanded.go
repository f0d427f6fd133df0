package hooks

import (
	"context"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// lander is a commit in the push that says that it lands a loop, and what that excuses.
type lander struct {
	loop   string
	commit plumbing.Hash          // the commit itself: of a rebase it is one of the loop's
	holds  map[plumbing.Hash]bool // the loop's own commits in the push that have landed
	below  map[plumbing.Hash]bool // what the push brings up to the commit itself
	copied map[plumbing.Hash]bool // the loop's own commits that have landed and are not below it
	copies bool                   // copies of them are, as a rebase makes them
}

// landers looks at the commits that say that they land one of the loops.
func (q *push) landers(ctx context.Context, ref PushedRef, ours []gitstate.OurCommit, loops map[string][]gitstate.Record) ([]lander, error) {
	var all []lander
	for _, our := range ours {
		if our.Landed == nil || len(loops[our.Landed.Loop]) == 0 {
			continue
		}
		believed, err := q.lands(ctx, our)
		if err != nil {
			return nil, err
		}
		if !believed {
			continue
		}
		l, tip := lander{loop: our.Landed.Loop, commit: our.Commit}, our.Landed.Tip
		if l.holds, err = q.between(ctx, ref.Old, tip); err != nil {
			return nil, err
		}
		if l.below, err = q.between(ctx, ref.Old, our.Commit); err != nil {
			return nil, err
		}
		if l.copied, err = q.between(ctx, our.Commit, tip); err != nil {
			return nil, err
		}
		l.copies = slices.ContainsFunc(ours, func(our gitstate.OurCommit) bool { return our.Record != nil && l.isCopy(*our.Record) })
		all = append(all, l)
	}
	return all, nil
}

// lands reports whether a commit may be believed that it lands a loop. What has landed must be here; a commit that it is built on cannot land it, and neither
// can one that has not its work.
func (q *push) lands(ctx context.Context, our gitstate.OurCommit) (bool, error) {
	loop, err := q.Repo.LoopBelow(our.Landed.Tip)
	if err != nil || loop.Name != our.Landed.Loop {
		return false, ctx.Err() // not here, or something else
	}
	if below, err := q.Repo.InHistory(ctx, our.Commit, our.Landed.Tip); err != nil || below {
		return false, err
	}
	return q.Repo.BringsWork(ctx, our.Commit, our.Landed.Tip)
}

// between returns the commits that one commit has and another one has not; a zero hash has none.
func (q *push) between(ctx context.Context, from, to plumbing.Hash) (map[plumbing.Hash]bool, error) {
	r := gitstate.PushedRange{Tips: []plumbing.Hash{to}}
	if !from.IsZero() {
		r.Known = append(r.Known, from)
	}
	return q.Repo.Commits(ctx, r)
}

// isCopy reports whether a loop's commit is below the lander, and what it follows is not.
func (l lander) isCopy(record gitstate.Record) bool {
	return record.Loop == l.loop && l.below[record.Commit] && l.copied[record.Previous]
}

// excuses reports whether a loop's commit has landed: it is one of those, or a copy that a rebase made. An opening follows nothing.
func (l lander) excuses(record gitstate.Record) bool {
	opens := record.Kind == gitstate.Opening && l.copies && l.below[record.Commit]
	return record.Loop == l.loop && (record.Commit == l.commit || l.holds[record.Commit] || opens || l.isCopy(record))
}

// lastOfLoops finds each loop's last commits among those that are pushed, newest first: no other one of ours comes after them. Of copies each is one.
func lastOfLoops(ours []gitstate.OurCommit) map[string][]gitstate.Record {
	followed := map[plumbing.Hash]bool{}
	for _, our := range ours {
		if our.Record != nil {
			followed[our.Record.Previous] = true
		}
	}
	last := map[string][]gitstate.Record{}
	for _, our := range ours {
		if our.Record != nil && !followed[our.Commit] {
			last[our.Record.Loop] = append(last[our.Record.Loop], *our.Record)
		}
	}
	return last
}

// notLanded finds each loop's last commit that has not landed.
func (q *push) notLanded(ctx context.Context, ref PushedRef, ours []gitstate.OurCommit) (map[string]plumbing.Hash, error) {
	lasts := lastOfLoops(ours)
	landers, err := q.landers(ctx, ref, ours, lasts)
	if err != nil {
		return nil, err
	}
	left := map[string]plumbing.Hash{}
	for name, records := range lasts {
		for _, record := range records {
			excused := false
			for _, l := range landers {
				excused = excused || l.excuses(record)
			}
			if !excused {
				left[name] = record.Commit
				break
			}
		}
	}
	return left, nil
}
