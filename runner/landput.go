package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// put puts the loop's work onto HEAD, the way that was asked for, and returns the last commit.
func (l *landing) put(ctx context.Context, o *LandOutcome) (plumbing.Hash, error) {
	switch l.Mode {
	case LandMerge:
		return l.putOne(ctx, o, l.on.Merge)
	case LandRebase:
		return l.putAll(ctx, o)
	case LandPerWave:
		return l.putWaves(ctx, o)
	}
	return l.putOne(ctx, o, l.on.Squash)
}

// putOne makes one commit of what a merge has brought.
func (l *landing) putOne(ctx context.Context, o *LandOutcome, merge func(context.Context, plumbing.Hash) (plumbing.Hash, error)) (plumbing.Hash, error) {
	tree, err := merge(ctx, l.branch)
	if err != nil {
		return tree, err
	}
	message, err := l.message(ctx)
	if err != nil {
		return tree, err
	}
	return l.commitLast(ctx, o, tree, message)
}

// commitLast commits what lands the loop, once verify has passed on it.
func (l *landing) commitLast(ctx context.Context, o *LandOutcome, tree plumbing.Hash, message gitstate.Message) (plumbing.Hash, error) {
	if before, err := l.repo.TreeID(l.on.Target); err != nil {
		return before, err
	} else if before == tree && l.Mode != LandMerge && o.Commits == 0 {
		return before, &StateError{Fact: fmt.Sprintf("there is nothing to land: %s has all that loop %q changed", l.into.Short(), l.Loop), Hints: []string{"see what it did: git ralph log " + l.Loop}}
	}
	o.Commits++
	return l.commitVerified(ctx, tree, message, false)
}

// commitVerified makes the commit that lands the loop, or amends HEAD to be it, once verify has passed on its tree. A hook that changes what is committed
// makes verify run again: the trailers name the tree that is committed.
func (l *landing) commitVerified(ctx context.Context, tree plumbing.Hash, message gitstate.Message, amend bool) (plumbing.Hash, error) {
	message.Trailers = gitstate.WithoutLanded(message.Trailers)
	commit := func() (plumbing.Hash, plumbing.Hash, error) {
		m := message
		m.Trailers = append(slices.Clone(message.Trailers), l.landed().Trailers()...)
		return l.on.Commit(ctx, gitstate.LandCommit{Message: m.String(), Hooks: l.Hooks, Amend: amend})
	}
	if err := l.verifyResult(tree); err != nil {
		return tree, err
	}
	last, committed, err := commit()
	if err != nil || committed == tree {
		return last, err
	}
	l.tell("a hook changed what was committed: it is verified again")
	if err := l.verifyResult(committed); err != nil {
		return last, err
	}
	amend = true
	last, again, err := commit()
	if err == nil && again != committed && !l.Force {
		err = &StateError{Fact: "a hook changes what is committed every time: it cannot be verified", Hints: []string{"git ralph land " + l.Loop + " --force"}}
	}
	return last, err
}

// verifyResult runs verify on the work tree, which holds the tree.
func (l *landing) verifyResult(tree plumbing.Hash) error {
	if len(l.config.Verify) == 0 {
		return nil
	}
	l.busy("verifying: " + strings.Join(l.config.Verify, "; "))
	v, stopped, err := l.verify(l.state.Totals.Iteration, "land")
	switch {
	case err != nil:
		return err
	case stopped:
		return context.Canceled
	}
	l.result, l.tree = v, tree
	if !v.passed && !l.Force {
		return &UnverifiedError{Loop: l.Loop, Branch: l.state.Loop.Branch.Short(), Into: l.into.Short(), Mode: l.Mode, Command: v.command, ExitCode: v.code, Tail: l.redact.text(v.tail)}
	}
	return nil
}

// landed is what the trailers say.
func (l *landing) landed() gitstate.Landed {
	t := l.state.Totals
	landed := gitstate.Landed{Loop: l.Loop, Tip: l.branch, Iterations: t.Iteration, Tokens: t.Tokens, CostUSD: t.CostUSD}
	if v := l.result; v != nil {
		landed.Verify = &gitstate.Verify{Passed: v.passed, ExitCode: v.code, Command: v.command, Tree: l.tree}
	}
	return landed
}

// note is the note of the commit that lands the loop.
func (l *landing) note() gitstate.Note {
	note := gitstate.Note{Kind: gitstate.Landfall, Loop: l.Loop, Iteration: l.state.Totals.Iteration, Ended: l.Now(), Config: l.state.Config, Prompt: l.state.Prompt, Summary: l.summary, Totals: l.state.Totals}
	if v := l.result; v != nil {
		note.Verify = &gitstate.VerifyDetail{Command: v.command, Passed: v.passed, ExitCode: v.code, Tail: l.redact.text(v.tail)}
	}
	return note
}

// putAll puts the commits onto the branch one by one. The last of them gets the trailers.
func (l *landing) putAll(ctx context.Context, o *LandOutcome) (plumbing.Hash, error) {
	tree, err := l.on.Rebase(ctx, l.branch)
	if err != nil {
		return tree, err
	}
	head, err := l.repo.Resolve(plumbing.HEAD)
	if err != nil {
		return head, err
	}
	if o.Commits, err = l.repo.Distance(ctx, l.on.Target, head); err != nil {
		return head, err
	}
	if o.Commits == 0 {
		return head, &StateError{Fact: fmt.Sprintf("there is nothing to land: %s has all of loop %q", l.into.Short(), l.Loop), Hints: []string{"see what it did: git ralph log " + l.Loop}}
	}
	message, err := l.on.HeadMessage(ctx)
	if err != nil {
		return head, err
	}
	return l.commitVerified(ctx, tree, message, true)
}

// putWaves makes a commit for each wave, and one for what came after the last of them. The first wave's changes are counted from where it left the branch, also
// where the loop has taken the branch in since.
func (l *landing) putWaves(ctx context.Context, o *LandOutcome) (plumbing.Hash, error) {
	waves := l.waves
	from, err := l.on.MergeBase(ctx, waves[len(waves)-1].Commit)
	if err != nil {
		return from, err
	}
	end, err := l.repo.TreeID(l.branch)
	if err != nil {
		return end, err
	}
	for i := len(waves) - 1; i > 0 || i == 0 && waves[0].Tree != end; i-- {
		if _, err := l.on.Pick(ctx, from, waves[i].Commit, waves[i].Subject); err != nil {
			return from, err
		}
		if _, _, err := l.on.Commit(ctx, gitstate.LandCommit{Message: waveMessage(waves[i]).String(), Hooks: l.Hooks}); err != nil {
			return from, err
		}
		from = waves[i].Commit
		o.Commits++
	}
	message, err := l.message(ctx)
	if err != nil {
		return from, err
	}
	if waves[0].Tree == end {
		message = waveMessage(waves[0])
	}
	tree, err := l.on.Pick(ctx, from, l.branch, message.Subject)
	if err != nil {
		return from, err
	}
	if bare, err := l.addsNothing(tree); err != nil {
		return from, err
	} else if bare && o.Commits == len(waves) {
		return l.commitVerified(ctx, tree, waveMessage(waves[0]), true) // after the last wave the loop only took the branch in
	}
	return l.commitLast(ctx, o, tree, message)
}

// waveMessage is what the commit of a wave says.
func waveMessage(wave gitstate.Record) gitstate.Message {
	return gitstate.Message{Subject: wave.Subject, Body: wave.Body}
}

// addsNothing reports whether HEAD has the tree already.
func (l *landing) addsNothing(tree plumbing.Hash) (bool, error) {
	head, err := l.repo.Resolve(plumbing.HEAD)
	if err != nil {
		return false, err
	}
	there, err := l.repo.TreeID(head)
	return there == tree, err
}
