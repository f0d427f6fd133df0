package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// pruneCmd removes loops that have landed.
type pruneCmd struct {
	answer
	Loop   string `arg:"" optional:"" help:"Only this loop (default: all that have landed)."`
	DryRun bool   `help:"Show what would be removed, and remove nothing."`
	Yes    bool   `help:"Remove ignored files in a loop's worktree, too."`
}

// pruneJSON is the answer of prune.
type pruneJSON struct {
	Schema int          `json:"schema"`
	DryRun bool         `json:"dry_run"`
	Loops  []prunedJSON `json:"loops"` // that have landed
}

// prunedJSON is a loop that has landed.
type prunedJSON struct {
	Loop     string     `json:"loop"`
	Branch   string     `json:"branch"`
	LandedBy string     `json:"landed_by"` // commit
	Kept     int        `json:"kept"`      // kept refs
	KeptRefs []keptJSON `json:"kept_refs"` // the last first; each commit is there until git collects what no ref reaches
	Notes    int        `json:"notes"`
	LogBytes int64      `json:"log_bytes"`
	Worktree *string    `json:"worktree"`
	Ignored  []string   `json:"ignored"` // files in there that go with it
	Removed  bool       `json:"removed"`
	Stays    *string    `json:"stays"`   // why it is not removed
	Remotes  []string   `json:"remotes"` // that have the branch, too: it stays there
}

// Run shows what is left of the loops that have landed, and removes it.
func (c *pruneCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	if c.Loop != "" {
		if _, err := a.loop(ctx, c.Loop); err != nil {
			return err
		}
	}
	r, err := a.runner(repo, nil)
	if err != nil {
		return err
	}
	all, err := during(a, "looking for loops that have landed", func() ([]runner.Prunable, error) { return r.Prunable(ctx, c.Loop) })
	if err != nil {
		return err
	}
	if len(all) == 0 && c.Loop != "" {
		return &problem{status: 1, text: fmt.Sprintf("loop %q has not landed as it is now", c.Loop), hints: []string{"bring it home: git ralph land " + shellWord(c.Loop)}}
	}
	if !c.DryRun {
		if err := c.askIgnored(a, all); err != nil {
			return err
		}
	}
	kept, err := a.showPrunable(ctx, r, all)
	if err != nil {
		return err
	}
	if !c.DryRun {
		if err := a.prune(ctx, r, all); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(c.answerJSON(all, kept))
	}
	return c.sayPruned(a, all)
}

// prune removes the loops that need not stay.
func (a *app) prune(ctx context.Context, r *runner.Runner, all []runner.Prunable) error {
	for _, p := range all {
		if p.Stays != "" {
			continue
		}
		told, err := during(a, "removing "+flat(p.Loop), func() ([]string, error) { return r.Prune(ctx, p) })
		for _, line := range told {
			a.say("%s", oneLine(line))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answerJSON is what was found and done, with what is kept of each loop.
func (c *pruneCmd) answerJSON(all []runner.Prunable, kept [][]gitstate.Kept) pruneJSON {
	answer := pruneJSON{Schema: jsonSchema, DryRun: c.DryRun, Loops: []prunedJSON{}}
	for n, p := range all {
		answer.Loops = append(answer.Loops, prunedJSON{
			Loop: p.Loop, Branch: p.Branch, LandedBy: p.Landed.String(), Kept: p.Kept, KeptRefs: keptRefs(kept[n]), Notes: p.Notes, LogBytes: p.LogBytes,
			Worktree: some(p.Worktree), Ignored: pathsJSON(p.Ignored), Remotes: notNil(p.Remotes), Removed: p.Stays == "" && !c.DryRun, Stays: some(p.Stays),
		})
	}
	return answer
}

// sayPruned says what is removed, or would be.
func (c *pruneCmd) sayPruned(a *app, all []runner.Prunable) error {
	var names []string
	for _, p := range all {
		if p.Stays == "" {
			names = append(names, p.Loop)
		}
	}
	switch {
	case len(all) == 0:
		return a.print("no loop here has landed as it is now")
	case len(names) == 0:
		return a.print("nothing was removed")
	case c.DryRun:
		return a.print("would be removed: %s", strings.Join(names, ", "))
	}
	if err := a.print("removed: %s", strings.Join(names, ", ")); err != nil {
		return err
	}
	a.sayElsewhere(all)
	return nil
}

// sayElsewhere says of loops that are removed here which remotes have them still: the next fetch brings them back.
func (a *app) sayElsewhere(all []runner.Prunable) {
	for _, p := range all {
		for _, remote := range p.Remotes {
			if p.Stays == "" {
				a.say("hint: %s is on remote %s, too, and comes back with a fetch; remove it there: git push %s --delete %s", flat(p.Loop), remote, shellWord(remote), shellWord(p.Branch))
			}
		}
	}
}

// showPrunable shows what there is of each loop that has landed. What is kept may be the only copy of somebody's work: each is named, so that it can be had back.
// It returns what is kept of each.
func (a *app) showPrunable(ctx context.Context, r *runner.Runner, all []runner.Prunable) (kept [][]gitstate.Kept, err error) {
	for _, p := range all {
		refs, err := r.Kept(ctx, p.Loop)
		if err != nil {
			return nil, err
		}
		kept = append(kept, refs)
	}
	if a.json {
		return kept, nil
	}
	lost := ""
	for n, p := range all {
		words := "landed with " + shortHash(p.Landed.String())
		if p.Stays != "" {
			words = "stays, " + p.Stays
		}
		if err := a.print("%s   %s: %s", p.Loop, words, prunedWords(p)); err != nil {
			return nil, err
		}
		for _, k := range kept[n] {
			if err := a.print("  %s", keptLine(k, a)); err != nil {
				return nil, err
			}
			if p.Stays == "" {
				lost = shortHash(k.Commit.String())
			}
		}
	}
	if lost != "" {
		a.say("hint: what was kept is not in what has landed; have one as a branch, also soon after: git branch NAME %s", lost)
	}
	return kept, nil
}

// askIgnored asks before ignored files are removed. Where nobody can be asked they are shown.
func (c *pruneCmd) askIgnored(a *app, all []runner.Prunable) error {
	for i, p := range all {
		if len(p.Ignored) == 0 || p.Stays != "" || c.Yes {
			continue
		}
		fact := fmt.Sprintf("%s of loop %q has ignored files, which are in no commit", p.Worktree, p.Loop)
		if !a.canAsk() {
			return &problem{status: 6, text: fact, list: firstPaths(p.Ignored), hints: []string{
				"remove them, too: git ralph prune " + shellWord(p.Loop) + " --yes", "look at them: git -C " + shellWord(p.Worktree) + " status --ignored",
			}}
		}
		a.say("%s:", fact)
		for _, line := range firstPaths(p.Ignored) {
			a.say("  %s", line)
		}
		yes, err := a.ask("Remove them, too? [y/N] ")
		if err != nil {
			return err
		}
		if !yes {
			all[i].Stays = "the ignored files in its work tree are to stay"
		}
	}
	return nil
}

// prunedWords says what there is of a loop.
func prunedWords(p runner.Prunable) string {
	words := []string{"branch " + p.Branch, counted(p.Notes, "note")}
	if p.Kept > 0 {
		words = append(words, counted(p.Kept, "kept ref"))
	}
	if p.LogBytes > 0 {
		words = append(words, fmt.Sprintf("%d kB of output", (p.LogBytes+999)/1000))
	}
	if p.Worktree != "" {
		words = append(words, "work tree "+flat(p.Worktree))
	}
	if len(p.Ignored) > 0 {
		words = append(words, "with "+flat(strings.Join(firstPaths(p.Ignored), ", ")))
	}
	return strings.Join(words, ", ")
}
