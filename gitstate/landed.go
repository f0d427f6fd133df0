package gitstate

import (
	"context"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Landed is what the trailers of the commit say that brings a loop's work home. Loop, Tip and Verify alone are read back from one.
type Landed struct {
	Loop       string
	Tip        plumbing.Hash // our last commit of the loop, or what stands above it on its branch
	Iterations int           // number of the last one
	Tokens     *Tokens       // nil: unknown
	CostUSD    *float64      // nil: unknown
	Verify     *Verify       // what it said of the result; nil: it did not run
}

// landedKey is the trailer that makes a commit one that lands a loop.
const landedKey = "Ralph-Landed"

// Trailers returns what is written.
func (l Landed) Trailers() []Trailer {
	trailers := []Trailer{{landedKey, l.Loop + " " + l.Tip.String()}, {"Ralph-Iterations", formatInt(l.Iterations)}}
	of := Record{Verify: l.Verify}
	for _, value := range putVerify(&of) {
		trailers = append(trailers, Trailer{"Ralph-Verify", value})
	}
	for _, value := range putVerifyTree(&of) {
		trailers = append(trailers, Trailer{"Ralph-Verify-Tree", value})
	}
	if l.Tokens != nil {
		trailers = append(trailers, Trailer{"Ralph-Tokens", l.Tokens.String()})
	}
	if l.CostUSD != nil {
		trailers = append(trailers, Trailer{"Ralph-Cost", formatCost(*l.CostUSD)})
	}
	return trailers
}

// WithoutLanded returns the trailers without those that a [Landed] writes: what an iteration says of itself is no word on the commit that lands it.
func WithoutLanded(trailers []Trailer) []Trailer {
	var others []Trailer
	for _, t := range trailers {
		switch strings.ToLower(t.Key) {
		case "ralph-landed", "ralph-iterations", "ralph-verify", "ralph-verify-tree", "ralph-tokens", "ralph-cost":
		default:
			others = append(others, t)
		}
	}
	return others
}

// parseLanded reads the loop and the tip out of a Ralph-Landed.
func parseLanded(value string) (loop string, tip plumbing.Hash, ok bool) {
	loop, id, _ := strings.Cut(value, " ")
	tip, ok = parseHash(id)
	return loop, tip, ok && loop != ""
}

// LandedAt says that a commit lands a loop.
type LandedAt struct {
	Loop   string
	Tip    plumbing.Hash // that it names
	Commit plumbing.Hash // that lands it
}

// BringsWork reports whether a commit that says that it lands another one may hold its work: no file that the other changed, since both began to differ, is in it as it
// was before.
func (r *Repository) BringsWork(ctx context.Context, commit, landed plumbing.Hash) (bool, error) {
	base, err := r.git.line(ctx, "merge-base", commit.String(), landed.String())
	if exitCode(err) == 1 {
		return false, nil // nothing in common
	}
	if err != nil {
		return false, fmt.Errorf("look at what %s lands: %w", commit, err)
	}
	changed := func(to plumbing.Hash) (map[string]bool, error) {
		out, err := r.git.run(ctx, "diff-tree", "-r", "--no-renames", "--ignore-submodules=none", "--name-only", "-z", base, to.String())
		if err != nil {
			return nil, fmt.Errorf("look at what %s lands: %w", commit, err)
		}
		paths := map[string]bool{}
		for _, path := range splitNul(out) {
			paths[path] = true
		}
		return paths, nil
	}
	work, err := changed(landed)
	if err != nil {
		return false, err
	}
	there, err := changed(commit)
	if err != nil {
		return false, err
	}
	for path := range work {
		if !there[path] {
			return false, nil
		}
	}
	return true, nil
}

// LandedIn returns what the commits land that can be reached from the refs and not from the others: branches when no ref is named. A revision may be
// anything that git log takes.
func (r *Repository) LandedIn(ctx context.Context, revisions ...string) ([]LandedAt, error) {
	if len(revisions) == 0 {
		revisions = []string{"--branches", "--remotes"}
	}
	args := []string{"-c", "log.showSignature=false", "-c", "trailer.separators=:", "log", "--no-color", "--extended-regexp", "--grep=^" + landedKey + ": ",
		"--format=%H%x00%(trailers:key=" + landedKey + ",valueonly,unfold,separator=%x00)%x01"}
	out, err := r.git.run(ctx, append(append(args, revisions...), "--")...)
	if err != nil {
		return nil, fmt.Errorf("look for what has landed: %w", err)
	}
	var all []LandedAt
	for entry := range strings.SplitSeq(string(out), "\x01") {
		id, values, _ := strings.Cut(strings.TrimPrefix(entry, "\n"), "\x00")
		commit, ok := parseHash(id)
		if !ok {
			continue
		}
		for value := range strings.SplitSeq(values, "\x00") {
			if loop, tip, ok := parseLanded(value); ok {
				all = append(all, LandedAt{Loop: loop, Tip: tip, Commit: commit})
			}
		}
	}
	return all, nil
}
