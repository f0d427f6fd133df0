package gitstate

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"
)

// fullNote has a value in every field.
func fullNote() Note {
	return Note{
		Kind: Iteration, Loop: "add-auth", Iteration: 3, Prompt: "make the tests pass", Config: []string{"max_iterations = 20"},
		Started: time.Date(2026, 1, 2, 3, 4, 5, 678_000_000, time.UTC), Ended: time.Date(2026, 1, 2, 3, 6, 18, 0, time.UTC),
		Agent: "claude", Session: "a9756", ExitCode: new(0), Status: Failed,
		Created: []string{"a b.go", "żółć", "caf\xe9", `"quoted"`, "line\nbreak"}, Modified: []string{"version = 2"}, Deleted: []string{"c"},
		Renamed: []RenamedPath{{"old\xff", "new"}},
		Tests:   &TestDetail{41, 1, 0, []TestFailure{{"TestX", 1500 * time.Millisecond, "got 1\nwant 2"}, {Name: "TestY"}}},
		Verify:  &VerifyDetail{Command: "go test ./...", ExitCode: 1, Tail: "FAIL\nversion = 7\n"},
		Usage:   map[string]Tokens{"opus-4.1": {12034, 843, 9000}, "": {1, 2, 3}},
		Output:  "first\n\n\"\"\"\\ \x1b[31m\r\n", Summary: "Added the parser.\nversion = 1\n", Error: "exit 1",
		Totals: Totals{
			Opening: idA, Config: idB, StartedAt: time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC), Iteration: 3,
			Iterations: map[Status]int{Completed: 2, Failed: 1}, Elapsed: 133412 * time.Millisecond, Tokens: &Tokens{1, 2, 3}, CostUSD: new(0.42),
			TokensUnknown: 1, CostUnknown: 2, FailureStreak: 1, IdleStreak: 2, BestPassed: 41, LastIteration: idA, LastTree: idB,
			LastStatus: Failed, Files: &FileCounts{1, 2, 3, 4}, Tests: &TestCounts{5, 6, 7}, Verify: &Verify{true, 1, "go\nvet", idA},
			Context: new(37), Exit: Failing, Tasks: &TaskTotals{ID: "2.1", Wave: 2, Attempt: 1, Done: []string{"2"}, Blocked: []GivenUp{{"1", idB}}, Waves: []WaveCount{{1, idA, 3}}},
			Paused: true, verifyAlways: true,
		},
	}
}

// mustEncode returns the text of a note.
func mustEncode(t *testing.T, n Note) string {
	t.Helper()
	text, err := encodeNote(n)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNoteGivesBackEveryField(t *testing.T) {
	want := fullNote()
	for _, v := range []any{want, want.Totals} {
		for i, s := 0, reflect.ValueOf(v); i < s.NumField(); i++ {
			if name := s.Type().Field(i).Name; s.Field(i).IsZero() && name != "extra" {
				t.Errorf("fullNote has no %s: a field that is not written would not be missed", name)
			}
		}
	}
	text := mustEncode(t, want)
	got, err := decodeNote([]byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v\n%s", got, want, text)
	}
}

func TestNoteTellsUnknownFromZero(t *testing.T) {
	for name, want := range map[string]Note{
		"unknown": {Totals: Totals{BestPassed: -1}},
		"zero": {
			ExitCode: new(0), Tests: &TestDetail{}, Verify: &VerifyDetail{},
			Totals: Totals{Tokens: &Tokens{}, CostUSD: new(0.0), Files: &FileCounts{}, Tests: &TestCounts{}, Verify: &Verify{}, Context: new(0)},
		},
	} {
		text := mustEncode(t, want)
		got, err := decodeNote([]byte(text))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v\n%s", name, got, err, text)
		}
	}
}

func TestNoteReadsWell(t *testing.T) {
	n := Note{
		Kind: Iteration, Loop: "x", Iteration: 1, Status: Completed, Summary: "Fixed it.\n\nIt was \"easy\".", Created: []string{"a.go", "b.go"},
		Verify: &VerifyDetail{Command: "make", Passed: true, Tail: "ok"}, Totals: Totals{BestPassed: -1, Iterations: map[Status]int{Completed: 1}},
	}
	want := `version = 1
kind = "iteration"
loop = "x"
iteration = 1
status = "completed"
summary = """
Fixed it.

It was \"easy\"."""
created = [
  "a.go",
  "b.go",
]

[verify]
  command = "make"
  exit_code = 0
  passed = true
  tail = "ok"

[totals]
  [totals.iterations]
    completed = 1
`
	if got := mustEncode(t, n); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestNoteMakesTextValid(t *testing.T) {
	n, err := decodeNote([]byte(mustEncode(t, Note{Output: "a\xffb", Usage: map[string]Tokens{"m\xfe": {}}})))
	if err != nil || n.Output != "a\ufffdb" || len(n.Usage) != 1 {
		t.Errorf("got %+v, %v", n, err)
	}
}

// strange is a note that a later version of the same format might have written.
const strange = `version = 1
kind = "iteration"
loop = "x"
new_number = 1.5
when = 2026-01-02T03:04:05Z
day = 2026-01-02
mixed = [1, "two", [3.0], {a = 1, "b c" = "d"}]
empty = []
words = """
one
version = 3"""
renamed = [{from = "a", to = "b", similarity = 90}]

[totals]
iteration = 2
version = "of totals"
[totals.deep.er]
x = true
[usage.model]
input = 1
surcharge = 0.5
[[people]]
name = "A"
[[people]]
name = "B"
`

func TestNoteKeepsWhatItDoesNotKnow(t *testing.T) {
	n, err := decodeNote([]byte(strings.ReplaceAll(strange, "\nversion = 3", "\n\\u0076ersion = 3")))
	if err != nil {
		t.Fatal(err)
	}
	n.Iteration, n.Loop = 5, "" // a changed and a removed value
	text := mustEncode(t, n)
	for _, line := range []string{
		"iteration = 5", "new_number = 1.5", "when = 2026-01-02T03:04:05Z", "day = 2026-01-02", `mixed = [1, "two", [3.0], {a = 1, "b c" = "d"}]`,
		"empty = []", "    similarity = 90", `  version = "of totals"`, "[totals.deep.er]", "x = true", "surcharge = 0.5", "[[people]]", `name = "B"`,
	} {
		if !strings.Contains(text, strings.TrimSpace(line)+"\n") {
			t.Errorf("%q is missing in:\n%s", line, text)
		}
	}
	if strings.Contains(text, "loop =") {
		t.Errorf("a removed value came back:\n%s", text)
	}
	again, err := decodeNote([]byte(text))
	if err != nil || !reflect.DeepEqual(again, n) {
		t.Errorf("read again: %+v, %v\nwant %+v", again, err, n)
	}
	n.Renamed = nil // what was said of them goes with them
	if text = mustEncode(t, n); strings.Contains(text, "similarity") {
		t.Errorf("left over:\n%s", text)
	}
}

func TestDecodeNoteTakesTheLastOfJoinedNotes(t *testing.T) {
	first, last := fullNote(), fullNote()
	first.Iteration, last.Iteration = 7, 8
	for _, between := range []string{"", "\n", "\n\n"} {
		got, err := decodeNote([]byte(mustEncode(t, first) + between + mustEncode(t, last)))
		if err != nil || !reflect.DeepEqual(got, last) {
			t.Errorf("joined by %q: got %+v, %v", between, got, err)
		}
	}
}

func TestDecodeNoteRefuses(t *testing.T) {
	for text, want := range map[string]error{
		"":                              errNoVersion,
		"kind = 'wave'\n":               errNoVersion,
		"version = 'one'\n":             errNoVersion,
		"version = 2\n":                 ErrNewer,
		"version = 1\n\nversion = 12\n": ErrNewer,
	} {
		if _, err := decodeNote([]byte(text)); !errors.Is(err, want) {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	if _, err := decodeNote([]byte("version = 1\nkind = \n")); err == nil {
		t.Error("broken TOML is read")
	}
	_, err := decodeNote([]byte("version = 2\n"))
	if !strings.Contains(err.Error(), "version 2") {
		t.Errorf("the version is not named: %v", err)
	}
}

func TestDecodeNoteTakesWrongTypesForUnknown(t *testing.T) {
	text := "version = 1\nkind = 1\niteration = 'x'\nexit_code = 1.5\nstarted_at = 3\ncreated = 'a'\nconfig = [1, 'a']\nrenamed = [1]\n" +
		"verify = 3\nusage = [{m = 1}]\n[totals]\nopening = 'short'\nbest_passed = -5\ncost_usd = 'x'\nelapsed_s = nan\n[totals.iterations]\nfailed = 'x'\n"
	got, err := decodeNote([]byte(text))
	got.extra = nil
	if want := (Note{Config: []string{"a"}, Totals: Totals{BestPassed: -1}}); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func TestDecodeNoteWithAListForATable(t *testing.T) {
	got, err := decodeNote([]byte("version = 1\nloop = 'x'\n[[totals]]\niteration = 3\n"))
	if err != nil || got.Loop != "x" || got.Totals.Iteration != 0 {
		t.Errorf("got %+v, %v", got, err)
	}
}

func FuzzDecodeNote(f *testing.F) {
	text, _ := encodeNote(fullNote())
	f.Add(text)
	f.Add([]byte(strange))
	f.Add([]byte("version = 1\n[totals]\nelapsed_s = 1e300\n'a.b' = inf\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		n, err := decodeNote(text)
		if err != nil {
			return
		}
		first := mustEncode(t, n)
		again, err := decodeNote([]byte(first))
		if err != nil {
			t.Fatalf("%v\n%s", err, first)
		}
		if second := mustEncode(t, again); second != first {
			t.Errorf("written again:\n%s\nwas:\n%s", second, first)
		}
	})
}

func FuzzEncodeNote(f *testing.F) {
	f.Add("version = 1\n", "a\"\"\"b\\", 3, int64(1_500_000_000))
	f.Fuzz(func(t *testing.T, text, path string, number int, nanoseconds int64) {
		text = strings.ToValidUTF8(text, "")
		want := Note{Kind: Event, Totals: Totals{BestPassed: -1, Elapsed: time.Duration(nanoseconds % 1e15)}}
		if text != "" {
			want.Summary, want.Loop, want.Config = text, text, []string{text}
			want.Verify = &VerifyDetail{Command: text, ExitCode: number, Tail: text}
			want.Usage = map[string]Tokens{text: {Input: int64(number)}}
			want.Tests = &TestDetail{Passed: number, Failures: []TestFailure{{Name: text, Error: text}}}
		}
		if path != "" {
			want.Created = []string{path}
			want.Renamed = []RenamedPath{{From: path, To: path}}
		}
		encoded := mustEncode(t, want)
		got, err := decodeNote([]byte(encoded))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v\nwant %+v\n%s", got, err, want, encoded)
		}
		if n := strings.Count("\n"+encoded, "\nversion = "); n != 1 {
			t.Errorf("%d lines look like the first one:\n%s", n, encoded)
		}
	})
}
