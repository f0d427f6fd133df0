package gitstate

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// difference is a value of a note that is not what it should be.
type difference struct {
	part string // key with dots
	text string
}

// clockStep is how far a clock may be put back while an iteration runs.
const clockStep = time.Hour

// decodeNote reads the note and compares it with the trailers, totals aside. Long texts are let go.
func (l *link) decodeNote(known table) {
	raw, err := noteRaw([]byte(l.raw))
	l.raw = ""
	if err != nil {
		l.noteErr = err
		return
	}
	wrong := misshapen(raw, known, "")
	note, err := readNote(raw)
	if err != nil {
		l.noteErr = err
		return
	}
	l.note = &note
	l.wrong = append(append(wrong, misfits(note.extra, known, "")...), l.record.disagreements(note)...)
	l.note.Output, l.note.Created, l.note.Modified, l.note.Deleted, l.note.Renamed = "", nil, nil, nil, nil
	if l.record.Kind != Opening {
		l.record.Body = ""
	}
}

// disagreements compares what both trailers and note say.
func (r Record) disagreements(n Note) []difference {
	said, shouldSay := n.shared(), r.shared(n)
	var found []difference
	if !reflect.DeepEqual(said, shouldSay) {
		found = differences("", noteTable(shouldSay), noteTable(said), "the trailers say")
	}
	if named := n.Files(); r.Files != nil && named != *r.Files && named != (FileCounts{}) {
		found = append(found, fileDifferences(*r.Files, n.Files())...)
	}
	if !n.Started.IsZero() && !n.Ended.IsZero() && n.Ended.Before(n.Started.Add(-clockStep)) {
		found = append(found, difference{"ended_at", fmt.Sprintf("note: it ended at %s, before it began", n.Ended.Format(time.RFC3339))})
	}
	return found
}

// Files counts the files that the note names.
func (n Note) Files() FileCounts {
	return FileCounts{Created: len(n.Created), Modified: len(n.Modified), Deleted: len(n.Deleted), Renamed: len(n.Renamed)}
}

func fileDifferences(want, got FileCounts) []difference {
	var found []difference
	for _, c := range []struct {
		key       string
		want, got int
	}{
		{"created", want.Created, got.Created}, {"modified", want.Modified, got.Modified}, {"deleted", want.Deleted, got.Deleted}, {"renamed", want.Renamed, got.Renamed},
	} {
		if c.want != c.got {
			found = append(found, difference{c.key, fmt.Sprintf("note: %s has %d files, the trailers say %d", c.key, c.got, c.want)})
		}
	}
	return found
}

// shared is what of a note the trailers say too.
func (n Note) shared() Note {
	s := Note{Kind: n.Kind, Loop: n.Loop, Iteration: n.Iteration, Status: n.Status, Agent: n.Agent, Session: n.Session, ExitCode: n.ExitCode, Config: n.Config}
	if n.Tests != nil {
		s.Tests = &TestDetail{Passed: n.Tests.Passed, Failed: n.Tests.Failed, Skipped: n.Tests.Skipped}
	}
	if n.Verify != nil {
		s.Verify = &VerifyDetail{Command: n.Verify.Command, Passed: n.Verify.Passed, ExitCode: n.Verify.ExitCode}
	}
	if n.Kind == Opening {
		s.Prompt = strings.TrimSpace(storable(n.Prompt))
	}
	return s
}

// shared is the note that says what the trailers say, in the form of n where both forms mean the same.
func (r Record) shared(n Note) Note {
	s := Note{Kind: r.Kind, Loop: r.Loop, Iteration: r.Iteration, Status: r.Status, Agent: r.Agent, Session: r.Session, ExitCode: r.ExitCode, Config: r.Config}
	if t := r.Tests; t != nil {
		s.Tests = &TestDetail{Passed: t.Passed, Failed: t.Failed, Skipped: t.Skipped}
	}
	if v := r.Verify; v != nil {
		s.Verify = &VerifyDetail{Command: v.Command, Passed: v.Passed, ExitCode: v.ExitCode}
		if n.Verify != nil && (v.Passed || sameCommand(v.Command, n.Verify.Command)) {
			s.Verify.Command = n.Verify.Command
		}
	}
	for i, line := range r.Config { // a trailer is one line
		if i < len(n.Config) && oneLine(n.Config[i]) == line {
			s.Config = n.Config
		}
	}
	if len(s.Config) != len(r.Config) {
		s.Config = r.Config
	}
	if oneLine(n.Session) == r.Session {
		s.Session = n.Session
	}
	if r.Kind == Opening {
		s.Prompt = strings.TrimSpace(r.Body)
	}
	return s
}

// sameCommand compares a command in a trailer with one in a note, which has valid text.
func sameCommand(trailer, note string) bool {
	return strings.ToValidUTF8(trailer, "\uFFFD") == note || oneLine(note) == oneLine(trailer)
}

// differences lists the keys at which two tables differ.
func differences(path string, want, got table, source string) []difference {
	keys := table{}
	maps.Copy(keys, want)
	maps.Copy(keys, got)
	var found []difference
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if path == "" && key == "totals" {
			continue
		}
		a, b := want[key], got[key]
		left, isList := a.([]map[string]any)
		right, alsoList := b.([]map[string]any)
		if isList && alsoList && len(left) == len(right) {
			for n := range left {
				found = append(found, differences(path+key+".", left[n], right[n], source)...)
			}
			continue
		}
		if isList || alsoList {
			found = append(found, difference{path + key, fmt.Sprintf("note: %s has %d entries, %s %d", path+key, len(right), source, len(left))})
			continue
		}
		if inA, inB := isTable(a), isTable(b); inA || inB {
			left, _ := want.getTable(key)
			right, _ := got.getTable(key)
			found = append(found, differences(path+key+".", left, right, source)...)
			continue
		}
		if !sameValue(a, b) {
			found = append(found, difference{path + key, fmt.Sprintf("note: %s is %s, %s %s", path+key, valueText(b), source, valueText(a))})
		}
	}
	return found
}

// sameValue compares two values of tables. Sums of fractions may differ in the last digits.
func sameValue(a, b any) bool {
	x, isNumber := a.(float64)
	y, alsoNumber := b.(float64)
	if isNumber && alsoNumber {
		return math.Abs(x-y) <= 1e-6*max(1, math.Abs(x))
	}
	if at, isTime := a.(time.Time); isTime {
		other, _ := b.(time.Time)
		return at.Equal(other)
	}
	return reflect.DeepEqual(a, b)
}

// valueText shows a value, which may be missing.
func valueText(v any) string {
	if v == nil {
		return "nothing"
	}
	return shorten(oneLine(fmt.Sprint(v)))
}

// shorten cuts text that is too long for a line that holds more than it.
func shorten(s string) string {
	if r := []rune(s); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return s
}

// misshapen lists the keys that this version knows and whose values are of another type.
func misshapen(raw, known table, path string) []difference {
	var found []difference
	for _, key := range slices.Sorted(maps.Keys(raw)) {
		want, isKnown := known[key]
		if path == "usage." || path == "totals.iterations." { // tables with keys of any name
			want, isKnown = known["x"]
		}
		if !isKnown {
			continue
		}
		found = append(found, misshapenValue(raw[key], want, path+key)...)
	}
	return found
}

func misshapenValue(v, want any, path string) []difference {
	elements, areTables := want.([]map[string]any)
	list, alsoTables := v.([]map[string]any)
	inner, isTable := want.(map[string]any)
	outer, alsoTable := v.(map[string]any)
	_, isFraction := want.(float64)
	_, isWhole := v.(int64)
	_, areTexts := want.([]string)
	texts, isList := v.([]any)
	switch {
	case areTables && alsoTables:
		var found []difference
		for _, element := range list {
			found = append(found, misshapen(element, elements[0], path+".")...)
		}
		return found
	case isTable && alsoTable:
		return misshapen(outer, inner, path+".")
	case areTexts && isList && !slices.ContainsFunc(texts, func(v any) bool { _, isText := v.(string); return !isText }):
		return nil
	case isFraction && isWhole, reflect.TypeOf(v) == reflect.TypeOf(want):
		return nil
	}
	return []difference{{path, fmt.Sprintf("note: %s makes no sense: %s", path, valueText(v))}}
}

// misfits lists the keys that this version knows and whose values it could not read.
func misfits(extra map[string]any, known table, path string) []difference {
	var found []difference
	for _, key := range slices.Sorted(maps.Keys(extra)) {
		v, isKnown := known[key]
		if !isKnown {
			continue
		}
		inner, isInner := extra[key].(map[string]any)
		if below, isTable := v.(map[string]any); isTable && isInner {
			found = append(found, misfits(inner, below, path+key+".")...)
			continue
		}
		found = append(found, difference{path + key, fmt.Sprintf("note: %s makes no sense: %s", path+key, valueText(extra[key]))})
	}
	return found
}

// knownNoteKeys is the table of a note in which every key has a value.
func knownNoteKeys() table {
	at, id := time.Unix(1, 0), plumbing.NewHash(emptyTree)
	v := &Verify{Passed: true, ExitCode: 1, Command: "x", Tree: id}
	return noteTable(Note{
		Kind: Iteration, Loop: "x", Iteration: 1, Prompt: "x", Config: []string{"x"}, Started: at, Ended: at, Agent: "x", Session: "x", ExitCode: new(1),
		Status: Failed, Created: []string{"x"}, Modified: []string{"x"}, Deleted: []string{"x"}, Renamed: []RenamedPath{{"x", "y"}},
		Tests: &TestDetail{Failures: []TestFailure{{Name: "x", Duration: 1, Error: "x"}}}, Verify: &VerifyDetail{Command: "x", Tail: "x"}, Usage: map[string]Tokens{"x": {}},
		Output: "x", Summary: "x", Error: "x",
		Totals: Totals{
			Opening: id, Config: id, StartedAt: at, Iteration: 1, Iterations: map[Status]int{"x": 1}, Elapsed: 1, Tokens: &Tokens{}, CostUSD: new(1.0),
			TokensUnknown: 1, CostUnknown: 1, FailureStreak: 1, IdleStreak: 1, BestPassed: 1, LastIteration: id, LastTree: id, LastStatus: Failed,
			Files: &FileCounts{}, Tests: &TestCounts{}, Verify: v, Context: new(1), Exit: Failing, Paused: true, verifyAlways: true,
			Tasks: &TaskTotals{ID: "x", Wave: 1, Attempt: 1, Done: []string{"x"}, Blocked: []GivenUp{{"x", id}}, Waves: []WaveCount{{1, id, 1}}},
		},
	})
}
