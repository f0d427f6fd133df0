package gitstate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// FindingKind says what is wrong with a loop.
type FindingKind string

// The kinds of findings.
const (
	ChainBroken     FindingKind = "chain"        // the commit that is named as the one before is missing, or not on the first-parent line
	WrongNumber     FindingKind = "number"       // iterations do not follow each other without gap or double
	BadTrailer      FindingKind = "trailer"      // a trailer that makes no sense, is there twice or is missing
	BadNote         FindingKind = "note"         // a note that cannot be read, or does not agree with the trailers
	NoteMissing     FindingKind = "note-missing" // other commits of the loop have notes, this one has none
	WrongTotals     FindingKind = "totals"       // the totals of a note are not what the trailers add up to
	WrongVerify     FindingKind = "verify"       // a claim of verify that does not fit what was committed
	WrongEnd        FindingKind = "end"          // the loop goes on after its end, or ended as done without proof
	BranchElsewhere FindingKind = "branch"       // the loop's branch does not hold what the loop says is its last commit
)

// Finding is one thing that is wrong with a loop.
type Finding struct {
	Kind      FindingKind
	Commit    plumbing.Hash // where it is
	Iteration int           // number that the commit has
	Part      string        // what is wrong there: a trailer's key, a note's key with dots, a ref
	Text      string        // one line, without the commit
}

// Mendable reports whether [Repository.RepairNotes] mends it: the trailers tell what is right.
func (f Finding) Mendable() bool {
	return f.Kind == BadNote || f.Kind == NoteMissing || f.Kind == WrongTotals
}

// Inspection is what was found of a loop.
type Inspection struct {
	Loop       Loop
	Commits    int       // of ours that were looked at
	Iterations int       // among them
	Notes      int       // commits that have a note
	Findings   []Finding // oldest first; empty: the loop is whole

	mends map[plumbing.Hash]Totals // of commits whose note is to be written again, or is not in this clone
}

// Fsck looks whether a loop is whole: the chain of our commits is complete and first-parent, numbers run without gap or double, trailers parse and agree
// with the notes, totals add up, verify names the tree that was committed, and what the tip says is the end. Trailers are what counts. A clone without any
// note of the loop is not at fault. The whole chain is read with one git log, some kilobytes an iteration are kept. Nothing is changed.
//
// The error is git's, or wraps [ErrNewer]; damage is a finding.
func (r *Repository) Fsck(ctx context.Context, l Loop) (Inspection, error) {
	found := Inspection{Loop: l}
	links, broken, err := r.readLinks(ctx, l)
	if err != nil {
		return found, fmt.Errorf("check loop %s: %w", l.Name, err)
	}
	i := inspector{loop: l.Name, findings: broken, links: links}
	i.inspect()
	found.Commits, found.Iterations, found.Notes = len(links), i.iterations, i.notes
	found.Findings, found.mends = i.findings, i.mends
	more, err := r.checkVerifyTrees(ctx, i.otherTrees)
	if err != nil {
		return found, err
	}
	found.Findings = append(found.Findings, more...)
	if len(links) > 0 {
		if found.Loop.Branch == "" {
			found.Loop.Branch, _ = branchOf(links[0].record.Config) // that there is none is a finding
		}
		found.Findings = append(found.Findings, r.checkBase(links[0].record)...)
	}
	more, err = r.checkBranch(ctx, found.Loop)
	found.Findings = append(found.Findings, more...)
	return found, err
}

// checkVerifyTrees looks at iterations of a plan whose tree is not the one that verify ran on: only the status of tasks may differ.
func (r *Repository) checkVerifyTrees(ctx context.Context, records []Record) ([]Finding, error) {
	var findings []Finding
	for _, record := range records {
		changes, err := r.Changes(ctx, record.Verify.Tree, record.Tree)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if err != nil {
			continue // that tree was never committed, and is not in every clone
		}
		for _, path := range append(append(append(changes.Created, changes.Modified...), changes.Deleted...), renamedPaths(changes)...) {
			if !isTaskFile(path) {
				findings = append(findings, otherTree(record))
				break
			}
		}
	}
	return findings, nil
}

// isTaskFile reports whether a path lies in a folder of task files, which may be in any directory.
func isTaskFile(path string) bool {
	return strings.Contains("/"+path, "/.scud/") || strings.Contains("/"+path, "/.taskmaster/")
}

func renamedPaths(c Changes) []string {
	var paths []string
	for _, renamed := range c.Renamed {
		paths = append(paths, renamed.From, renamed.To)
	}
	return paths
}

// checkBase looks whether the loop began where its opening says: there, or on the work that was not committed there yet.
func (r *Repository) checkBase(opening Record) []Finding {
	if opening.Base == nil {
		return nil
	}
	var at plumbing.Hash
	if len(opening.Parents) > 0 {
		at = opening.Parents[0]
	}
	if at == opening.Base.Commit {
		return nil
	}
	below, err := object.GetCommit(r.store, at)
	if err != nil { // not in this clone
		return nil
	}
	work := strings.HasPrefix(below.Message, "ralph: work before ")
	if work && (len(below.ParentHashes) == 0 && opening.Base.Commit.IsZero() || len(below.ParentHashes) > 0 && below.ParentHashes[0] == opening.Base.Commit) {
		return nil
	}
	return []Finding{{Kind: ChainBroken, Commit: opening.Commit, Part: "Ralph-Base", Text: "Ralph-Base: the loop did not begin there"}}
}

// checkBranch looks whether the loop's branch, if it is here, holds the tip, and nothing above it that passes for the loop's.
func (r *Repository) checkBranch(ctx context.Context, l Loop) ([]Finding, error) {
	if l.Branch == "" || l.Found != l.TipRef() {
		return nil, nil
	}
	branch, err := r.store.Resolve(l.Branch)
	if err != nil || branch == l.Tip {
		return nil, err
	}
	elsewhere := Finding{Kind: BranchElsewhere, Commit: l.Tip, Part: l.Branch.String(), Text: fmt.Sprintf("branch %s does not hold it", l.Branch.Short())}
	if branch.IsZero() {
		elsewhere.Text = fmt.Sprintf("branch %s is gone", l.Branch.Short())
		return []Finding{elsewhere}, nil
	}
	holds, err := r.Holds(ctx, branch, l.Tip)
	if err != nil && ctx.Err() == nil && exitCode(err) > 0 {
		return []Finding{elsewhere}, nil // the tip's commit is not here, which was found already
	}
	if err != nil || !holds {
		return []Finding{elsewhere}, err
	}
	above, err := r.lastOfOurs(Ref{Name: l.Branch, Hash: branch})
	if err == nil && above.Name == l.Name && above.Tip != l.Tip {
		f := Finding{Kind: WrongEnd, Commit: above.Tip, Part: l.TipRef().String(), Text: "it says that it is the loop's, but comes after the loop's last commit"}
		return []Finding{f}, nil
	}
	if errors.Is(err, ErrIncomplete) {
		err = nil
	}
	return nil, err
}
