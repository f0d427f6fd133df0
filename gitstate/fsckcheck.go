package gitstate

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/go-git/go-git/v5/plumbing"
)

// inspector looks at a chain from its opening on.
type inspector struct {
	loop  string
	links []*link // oldest first

	findings   []Finding
	mends      map[plumbing.Hash]Totals // of commits whose note is to be written again, as the trailers add up
	otherTrees []Record                 // iterations of a plan whose tree is not the one that verify ran on
	iterations int
	notes      int

	totals  []Totals // what the loop may have come to: as the trailers add up, and as the last note says that did not agree
	numbers []int    // what the last number may be: as they follow each other, and as the last commit says that did not fit
	config  string   // the verify commands in force, as the configuration has them; empty: none
	attempt Record   // last iteration
}

// inspect looks at every commit.
func (i *inspector) inspect() {
	i.mends = map[plumbing.Hash]Totals{}
	for _, l := range i.links {
		if l.note != nil || l.noteErr != nil {
			i.notes++
		}
	}
	for n, l := range i.links {
		before := len(i.findings)
		i.trailers(l, n == 0)
		i.task(l.record)
		i.follow(l.record)
		i.end(l.record)
		i.verify(l.record)
		i.note(l, len(i.findings) == before)
	}
}

// find adds a finding about a commit.
func (i *inspector) find(r Record, kind FindingKind, part, format string, args ...any) {
	i.findings = append(i.findings, Finding{Kind: kind, Commit: r.Commit, Iteration: r.Iteration, Part: part, Text: oneLine(fmt.Sprintf(format, args...))})
}

// trailers looks for those that make no sense or are missing.
func (i *inspector) trailers(l *link, first bool) {
	r := l.record
	for _, t := range r.malformed {
		i.find(r, BadTrailer, t.Key, "%s: %s makes no sense there", t.Key, valueText(t.Value))
	}
	missing := i.missing(r)
	switch {
	case r.Loop == "":
		missing("Ralph-Loop")
	case r.Loop != i.loop:
		i.find(r, BadTrailer, "Ralph-Loop", "Ralph-Loop: it says that it is loop %s's", r.Loop)
	case !l.ours:
		missing("Ralph-Format")
	}
	if r.Kind == Opening && first {
		i.opening(r, missing)
	} else if r.Previous.IsZero() && !first {
		missing("Ralph-Previous")
	}
	if r.Kind == Event && !strings.HasPrefix(r.Subject, "ralph: ") {
		missing("Ralph-Status")
	}
	if (r.Event == EventRewind || r.Event == EventUndo) && r.From.IsZero() {
		missing("Ralph-From")
	}
	if len(r.Config) > 0 {
		i.configuration(r)
	}
}

// missing returns what finds that a commit lacks a trailer, unless it has one that makes no sense.
func (i *inspector) missing(r Record) func(key string) {
	return func(key string) {
		if !r.hasMalformed(key) {
			i.find(r, BadTrailer, key, "%s is missing", key)
		}
	}
}

// opening looks at what only the first commit has.
func (i *inspector) opening(r Record, missing func(key string)) {
	if r.Base == nil {
		missing("Ralph-Base")
	}
	if _, err := branchOf(r.Config); err != nil {
		i.find(r, BadTrailer, "Ralph-Config", "%v", err)
	}
}

// configuration reads the lines of a configuration.
func (i *inspector) configuration(r Record) {
	var c struct{ Verify []string }
	if _, err := toml.Decode(strings.Join(r.Config, "\n"), &c); err != nil {
		i.find(r, BadTrailer, "Ralph-Config", "Ralph-Config: %v", err)
		return
	}
	i.config = strings.Join(c.Verify, " && ")
}

func (r Record) hasMalformed(key string) bool {
	for _, t := range r.malformed {
		if strings.EqualFold(t.Key, key) {
			return true
		}
	}
	return false
}

// follow looks for gaps and doubles.
func (i *inspector) follow(r Record) {
	if i.numbers == nil {
		i.numbers = []int{0}
	}
	may := slices.Clone(i.numbers)
	if r.Kind == Iteration {
		i.iterations++
		for n := range may {
			may[n]++
		}
	}
	switch {
	case r.unnumbered:
		i.find(r, BadTrailer, "Ralph-Iteration", "Ralph-Iteration is missing")
	case slices.Contains(may, r.Iteration):
		may = []int{r.Iteration}
	case !r.hasMalformed("Ralph-Iteration"):
		i.find(r, WrongNumber, "Ralph-Iteration", "Ralph-Iteration: %d comes after %d", r.Iteration, i.numbers[0])
		may = []int{may[0], r.Iteration}
	}
	i.numbers = may
}

// end looks whether the loop went on after its end, and whether an end as done is proven.
func (i *inspector) end(r Record) {
	if len(i.totals) > 0 && i.totals[0].Exit != "" && (r.Kind == Iteration || r.Kind == Wave) {
		i.find(r, WrongEnd, "Ralph-Exit", "it comes after the loop's end (%s) without a resume", i.totals[0].Exit)
	}
	if r.Kind != Iteration || r.Exit != PromiseDetected && r.Exit != ProcessSuccess {
		return
	}
	switch {
	case r.Status != Completed:
		i.find(r, WrongEnd, "Ralph-Exit", "it ends the loop as done (%s), but the iteration is %s", r.Exit, r.Status)
	case i.config != "" && (r.Verify == nil || !r.Verify.Passed) && !r.hasMalformed("Ralph-Verify"):
		i.find(r, WrongEnd, "Ralph-Exit", "it ends the loop as done (%s), but verify did not pass", r.Exit)
	}
}

// verify looks whether verify ran on the tree that was committed.
func (i *inspector) verify(r Record) {
	switch v := r.Verify; {
	case v == nil:
	case v.Tree.IsZero():
		if !r.hasMalformed("Ralph-Verify-Tree") {
			i.find(r, WrongVerify, "Ralph-Verify-Tree", "Ralph-Verify-Tree is missing")
		}
	case v.Tree != r.Tree && r.Task != "":
		i.otherTrees = append(i.otherTrees, r)
	case v.Tree != r.Tree:
		i.findings = append(i.findings, otherTree(r))
	}
}

func otherTree(r Record) Finding {
	return Finding{Kind: WrongVerify, Commit: r.Commit, Iteration: r.Iteration, Part: "Ralph-Verify-Tree",
		Text: fmt.Sprintf("verify ran on tree %s, but %s was committed", r.Verify.Tree, r.Tree)}
}

// note compares the note with the trailers, and its totals with what they add up to. Where the trailers are damaged the note is not blamed.
func (i *inspector) note(l *link, sound bool) {
	r := l.record
	before := len(i.findings)
	sums := make([]Totals, 0, 2)
	for _, t := range i.totals {
		sums = append(sums, t.Add(r))
	}
	if r.Kind == Opening {
		sums = []Totals{Totals{}.Add(r)}
	}
	switch {
	case l.noteErr != nil:
		i.find(r, BadNote, "note", "its note cannot be read: %v", l.noteErr)
	case l.note == nil:
		if i.notes > 0 {
			i.find(r, NoteMissing, "note", "it has no note, other commits of the loop have one")
		}
	case sound:
		i.disagree(r, BadNote, l.wrong)
		sums = i.addUp(r, l.note.Totals, sums)
	default:
		sums = append(sums, l.note.Totals)
	}
	i.totals = sums
	if (len(i.findings) > before || l.note == nil) && len(sums) > 0 { // without any note none is missed, and yet all can be written
		i.mends[r.Commit] = sums[0]
	}
}

// addUp compares a note's totals with what they may be, and returns what they may be from here on.
func (i *inspector) addUp(r Record, said Totals, sums []Totals) []Totals {
	for _, sum := range sums {
		if sameTotals(sum, said) {
			return []Totals{sum}
		}
	}
	if len(sums) == 0 {
		return []Totals{said} // the chain has no opening
	}
	found := differences("totals.", totalsTable(sums[0].like(said)), totalsTable(said), "the trailers add up to")
	if len(found) == 0 {
		return sums[:1]
	}
	i.disagree(r, WrongTotals, found)
	return []Totals{sums[0], said}
}

// like returns the totals in the form of others, where both forms mean the same.
func (t Totals) like(other Totals) Totals {
	if t.Verify != nil && other.Verify != nil && (t.Verify.Passed || sameCommand(t.Verify.Command, other.Verify.Command)) {
		v := *t.Verify
		v.Command = other.Verify.Command
		t.Verify = &v
	}
	return t
}

func sameTotals(sum, said Totals) bool {
	sum = sum.like(said)
	sum.StartedAt, said.StartedAt = sum.StartedAt.UTC(), said.StartedAt.UTC()
	if len(sum.Iterations)+len(said.Iterations) == 0 || maps.Equal(sum.Iterations, said.Iterations) {
		sum.Iterations, said.Iterations = nil, nil
	}
	return reflect.DeepEqual(sum, said)
}

// fewDifferences is how many values of a note may be wrong before it is the note that is wrong.
const fewDifferences = 4

// disagree turns what is wrong with a note into findings.
func (i *inspector) disagree(r Record, kind FindingKind, wrong []difference) {
	if len(wrong) > fewDifferences {
		i.find(r, kind, "note", "its note is another commit's, or damaged: %s, and %d more", wrong[0].text, len(wrong)-1)
		return
	}
	told := map[string]bool{}
	for _, d := range wrong {
		if !told[d.part] {
			i.find(r, kind, d.part, "%s", d.text)
		}
		told[d.part] = true
	}
}
