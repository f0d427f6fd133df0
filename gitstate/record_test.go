package gitstate

import (
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

var (
	idA = plumbing.NewHash("1f2e3d4c5b6a79880716253443526170a1b2c3d4")
	idB = plumbing.NewHash("9f3c000000000000000000000000000000000001")
)

// reread writes the record as a commit message and reads it again.
func reread(t *testing.T, r Record) Record {
	t.Helper()
	got, ours, err := ParseRecord(&object.Commit{Message: r.message().String()})
	if err != nil || !ours {
		t.Fatalf("ParseRecord: ours %v, error %v, message:\n%s", ours, err, r.message())
	}
	return got
}

func fullRecord() Record {
	return Record{
		Kind: Iteration, Subject: "loop: iteration 3", Body: "Added the parser.", Loop: "add-auth", Iteration: 3, Previous: idA,
		Status: Completed, Agent: "claude", Session: "a9756", ExitCode: new(0), Duration: new(133400 * time.Millisecond),
		Files: &FileCounts{2, 3, 1, 0}, Tests: &TestCounts{41, 1, 0},
		Verify: &Verify{ExitCode: 1, Command: "go test ./...", Tree: idB},
		Tokens: &Tokens{12034, 843, 9000}, CostUSD: new(0.42), Context: new(37), Exit: MaxIterations,
		Skipped: []SkippedPath{{"core.1", "312 MB"}, {".env", "secret"}, {"a\nb (x)\xff", "secret"}},
		Kept:    []plumbing.ReferenceName{"refs/ralph/kept/add-auth/2"},
		Held:    idB,
		Task:    "2.1", Wave: new(2), Attempt: new(1),
		Unknown: []Trailer{{"Ralph-Mood", "good"}},
	}
}

func TestRecordTrailersAsDocumented(t *testing.T) {
	want := `loop: iteration 3

Added the parser.

Ralph-Format: 1
Ralph-Loop: add-auth
Ralph-Iteration: 3
Ralph-Previous: 1f2e3d4c5b6a79880716253443526170a1b2c3d4
Ralph-Status: completed
Ralph-Task: 2.1
Ralph-Wave: 2
Ralph-Attempt: 1
Ralph-Agent: claude
Ralph-Session: a9756
Ralph-Exit-Code: 0
Ralph-Duration: 133.4s
Ralph-Files: 2 created, 3 modified, 1 deleted, 0 renamed
Ralph-Tests: 41 passed, 1 failed, 0 skipped
Ralph-Verify: failed (exit 1): go test ./...
Ralph-Verify-Tree: 9f3c000000000000000000000000000000000001
Ralph-Tokens: 12034 in, 843 out, 9000 cached
Ralph-Cost: 0.42 USD
Ralph-Context: 37%
Ralph-Skipped: core.1 (312 MB)
Ralph-Skipped: .env (secret)
Ralph-Skipped: "a\nb (x)\377" (secret)
Ralph-Kept: refs/ralph/kept/add-auth/2
Ralph-Kept-Commit: 9f3c000000000000000000000000000000000001
Ralph-Exit: max-iterations-reached
Ralph-Mood: good
`
	if got := fullRecord().message().String(); got != want {
		t.Errorf("got:\n%s\nwant:\n%s", got, want)
	}
}

func TestRecordRoundTrip(t *testing.T) {
	for name, r := range map[string]Record{
		"iteration": fullRecord(),
		"bare iteration": {
			Kind: Iteration, Subject: "loop: iteration 1", Loop: "x", Iteration: 1, Previous: idA, Status: Interrupted},
		"own subject": {
			Kind: Iteration, Subject: "ralph: resume x", Loop: "x", Iteration: 1, Previous: idA, Status: Failed},
		"verify passed": {
			Kind: Iteration, Subject: "s", Loop: "x", Iteration: 1, Previous: idA, Status: Completed, Verify: &Verify{Passed: true, Tree: idB}},
		"verify of many lines": {
			Kind: Iteration, Subject: "s", Loop: "x", Iteration: 1, Previous: idA, Status: Completed,
			Verify: &Verify{ExitCode: -1, Command: "\"set -e\"\n\tgo vet ./...)\n"}},
		"nothing was known": {
			Kind: Iteration, Subject: "s", Loop: "x", Iteration: 1, Previous: idA, Status: Stalled, ExitCode: new(0), Duration: new(time.Duration(0)),
			Files: &FileCounts{}, Tests: &TestCounts{}, Tokens: &Tokens{}, CostUSD: new(0.0), Context: new(0), Wave: new(0), Attempt: new(0)},
		"opening": {
			Kind: Opening, Subject: "ralph: start x", Body: "make it pass\r\n\r\nRalph-Status: completed\x1b", Loop: "x",
			Config: []string{`branch = "ralph/x"`, "max_iterations = 20"}, Base: &Base{"main", idA}},
		"opening of an unborn branch": {Kind: Opening, Subject: "ralph: start x", Loop: "x", Base: &Base{Branch: "main"}},
		"resume": {
			Kind: Event, Event: "resume", Subject: "ralph: resume x", Loop: "x", Iteration: 4, Previous: idA, Config: []string{"a = 1"}},
		"tell": {
			Kind: Event, Event: "tell", Subject: "ralph: tell x", Body: "use the old API", Loop: "x", Iteration: 0, Previous: idA},
		"set aside": {
			Kind: Event, Event: EventSetAside, Subject: "ralph: set aside task 2.1 of x", Loop: "x", Iteration: 4, Previous: idA, Task: "2.1", Blocked: "no key"},
		"wave": {
			Kind: Wave, Subject: "feat(plan): complete wave 2", Loop: "x", Iteration: 4, Previous: idA, Wave: new(2),
			WaveDone: []string{"2.1", "2.2"}, WaveBlocked: []string{"2.3"}, Exit: TasksBlocked},
		"wave without a success": {
			Kind: Wave, Subject: "feat(plan): complete wave 1", Loop: "x", Iteration: 4, Previous: idA, WaveBlocked: []string{"2.3"}},
		"wave of one": {Kind: Wave, Subject: "feat(plan): complete wave 1", Loop: "x", Iteration: 4, Previous: idA, WaveDone: []string{"1"}},
		"costs little": {
			Kind: Iteration, Subject: "s", Loop: "x", Iteration: 1, Previous: idA, Status: Completed, CostUSD: new(0.000123)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := reread(t, r); !reflect.DeepEqual(got, r) {
				t.Errorf("got  %+v\nwant %+v\nmessage:\n%s", got, r, r.message())
			}
		})
	}
}

func TestRecordUsualSubjects(t *testing.T) {
	for want, r := range map[string]Record{
		"loop: iteration 3":            {Kind: Iteration, Iteration: 3, Subject: "\n"},
		"ralph: start x":               {Kind: Opening, Loop: "x", Subject: "mine"},
		"ralph: pause x":               {Kind: Event, Event: "pause", Loop: "x", Subject: "mine"},
		"ralph: set aside task 1 of x": {Kind: Event, Event: EventSetAside, Loop: "x", Task: "1"},
		"feat(x): complete wave 2":     {Kind: Wave, Loop: "x", Wave: new(2)},
		"one two":                      {Kind: Iteration, Subject: "one\ntwo"},
	} {
		if got := ParseMessage(r.message().String()).Subject; got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestRecordBodyOfAnAgentIsPlainText(t *testing.T) {
	r := Record{Kind: Iteration, Loop: "x", Iteration: 1, Status: Completed, Body: "a\x1b[31mb\r\n\tc\x00\xff\u0085"}
	if got, want := reread(t, r).Body, "a[31mb\n\tc\ufffd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestParseRecordIsLenient(t *testing.T) {
	for _, line := range []string{
		"Ralph-Previous: 12", "Ralph-Base: main 12", "Ralph-Exit-Code: x", "Ralph-Duration: -3s", "Ralph-Duration: long",
		"Ralph-Files: 1 created", "Ralph-Files: 1 created, 2 modified, 3 deleted, -1 renamed", "Ralph-Tests: 1 passed, 2 passed, 3 skipped",
		"Ralph-Verify: maybe", "Ralph-Verify: failed (exit x): a", `Ralph-Verify: failed (exit 1): "a`, "Ralph-Verify-Tree: 12",
		"Ralph-Tokens: 99999999999999999999 in, 1 out, 1 cached", "Ralph-Cost: NaN USD", "Ralph-Cost: +Inf USD", "Ralph-Cost: -1 USD", "Ralph-Cost: 3",
		"Ralph-Context: 37", "Ralph-Context: %", "Ralph-Wave: -1", "Ralph-Exit: because", "Ralph-Kept: a..b", `Ralph-Skipped: "a (secret)`,
		"Ralph-Status: ", "Ralph-Iteration: one", "Other: thing", "Ralph-Mood:",
	} {
		c := &object.Commit{Message: "s\n\nRalph-Format: 1\nRalph-Loop: x\nRalph-Status: failed\n" + line + "\n"}
		got, ours, err := ParseRecord(c)
		want := Record{Kind: Iteration, Subject: "s", Loop: "x", Status: Failed}
		if odd, known := len(got.malformed) == 1, strings.HasPrefix(line, "Ralph-") && !strings.HasPrefix(line, "Ralph-Mood"); odd != known {
			t.Errorf("%s: malformed are %q", line, got.malformed)
		}
		got.malformed, got.unnumbered = nil, false
		if err != nil || !ours || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %+v, %v, %v", line, got, ours, err)
		}
	}
}

func TestParseRecordTellsOursFromOthers(t *testing.T) {
	for name, c := range map[string]struct {
		trailers string
		ours     bool
	}{
		"ours":                        {"Ralph-Format: 1\nRalph-Loop: x", true},
		"in lower case":               {"ralph-format: 1\nralph-loop: x", true},
		"no format":                   {"Ralph-Loop: x", false},
		"no loop":                     {"Ralph-Format: 1", false},
		"format zero":                 {"Ralph-Format: 0\nRalph-Loop: x", false},
		"format of words":             {"Ralph-Format: one\nRalph-Loop: x", false},
		"the agent's own":             {"Ralph-During: x/3", false},
		"prose in the last paragraph": {"Ralph-Format: 1\nRalph-Loop: x\nand so on", false},
	} {
		_, ours, err := ParseRecord(&object.Commit{Message: "subject\n\n" + c.trailers + "\n"})
		if ours != c.ours || err != nil {
			t.Errorf("%s: ours %v, error %v", name, ours, err)
		}
	}
}

func TestParseRecordRefusesANewerFormatByName(t *testing.T) {
	_, ours, err := ParseRecord(&object.Commit{Hash: idA, Message: "s\n\nRalph-Format: 2\nRalph-Loop: x\nRalph-Wave: new\n"})
	if ours || !errors.Is(err, ErrNewer) || !strings.Contains(err.Error(), idA.String()) {
		t.Errorf("got %v, %v", ours, err)
	}
}

func FuzzParseRecord(f *testing.F) {
	f.Add(fullRecord().message().String())
	f.Add("s\n\nRalph-Format: 1\nRalph-Loop: x\nRalph-Skipped: \"a\" (b)\nRalph-Verify: failed (exit 2)\n")
	f.Fuzz(func(t *testing.T, message string) {
		first, ours, err := ParseRecord(&object.Commit{Message: message})
		if err != nil || !ours {
			return
		}
		second := reread(t, first)
		for _, r := range []*Record{&first, &second} {
			r.Subject, r.Event, r.Body = "", "", "" // those of an event or an agent are put into our words
			r.Duration, r.CostUSD = nil, nil        // these are rounded
			r.malformed, r.unnumbered = nil, false  // what makes no sense is not written
		}
		if !reflect.DeepEqual(first, second) {
			t.Errorf("read: %+v\nread again: %+v", first, second)
		}
	})
}
