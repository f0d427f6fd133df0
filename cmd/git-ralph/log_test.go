package main

import (
	"encoding/json"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// history is a loop from its end back to its start.
func history() []gitstate.Record {
	return []gitstate.Record{
		{Kind: gitstate.Iteration, Loop: "add-auth", Iteration: 12, Status: gitstate.Completed, Commit: treeID, Previous: treeID, Time: frozen, Subject: "loop: iteration 12",
			Duration: new(133400 * time.Millisecond), Files: &gitstate.FileCounts{Created: 2, Modified: 3, Renamed: 1},
			Tests: &gitstate.TestCounts{Passed: 42, Skipped: 3}, Verify: &gitstate.Verify{Passed: true}, CostUSD: new(0.42),
			Body: "Rotate\tthe keys.\n\nMore words.", Exit: gitstate.PromiseDetected},
		{Kind: gitstate.Event, Event: gitstate.EventResume, Loop: "add-auth", Iteration: 11, Commit: treeID, Time: frozen.Add(-time.Hour), Config: []string{"max_iterations = 20"}},
		{Kind: gitstate.Iteration, Loop: "add-auth", Iteration: 11, Status: gitstate.Interrupted, Commit: treeID, Time: frozen.Add(-2 * time.Hour)},
		{Kind: gitstate.Event, Event: gitstate.EventTell, Loop: "add-auth", Iteration: 10, Commit: treeID, Time: frozen.Add(-3 * time.Hour), Body: "\nUse argon2.\n"},
		{Kind: gitstate.Wave, Loop: "add-auth", Iteration: 10, Wave: new(2), WaveDone: []string{"2.1", "2.2"}, WaveBlocked: []string{"2.3"}, Commit: treeID},
		{Kind: gitstate.Event, Event: gitstate.EventSetAside, Loop: "add-auth", Iteration: 10, Task: "2.3", Blocked: "verify failed 3 times", Time: frozen.Add(-4 * time.Hour)},
		{Kind: gitstate.Iteration, Loop: "add-auth", Iteration: 10, Status: gitstate.TimedOut, Commit: treeID, Duration: new(time.Hour + 4*time.Minute),
			Files: &gitstate.FileCounts{}, Tests: &gitstate.TestCounts{Passed: 1000, Failed: 1}, Verify: &gitstate.Verify{ExitCode: 1}, Body: strings.Repeat("word ", 30)},
		{Kind: gitstate.Opening, Loop: "add-auth", Commit: treeID, Time: frozen.Add(-24 * time.Hour), Body: "Add authentication.\nWith tests."},
	}
}

// records gives records like a loop's history, and then an error if there is one.
func records(all []gitstate.Record, err error) iter.Seq2[gitstate.Record, error] {
	return func(yield func(gitstate.Record, error) bool) {
		for _, r := range all {
			if !yield(r, nil) {
				return
			}
		}
		if err != nil {
			yield(gitstate.Record{}, err)
		}
	}
}

func logText(t *testing.T, c *logCmd, l look) string {
	t.Helper()
	var b strings.Builder
	table := logTable{look: l, zone: time.UTC, ends: c.All}
	if _, err := table.render(&b, c.chosen(records(history(), nil))); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRenderLog(t *testing.T) {
	want := `
   n  status         time  files         tests  verify     USD  summary
  12  completed     2m13s  +2 ~3 >1      42/42  passed    0.42  Rotate the keys.
  11  interrupted       -  -                 -  -            -
  10  timed-out     1h04m  none        1000/1001  failed       -  word word word word word word word word word word word word word word word word word word word word word word word word word word word word word word
`
	if got := logText(t, &logCmd{}, look{}); got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
}

func TestRenderLogWithTheOtherCommits(t *testing.T) {
	got := logText(t, &logCmd{All: true}, look{width: 60})
	want := `
   n  status         time  files         tests  verify     …
      end          the promise stands and what had to be ch…
  12  completed     2m13s  +2 ~3 >1      42/42  passed    0…
      resume       2026-01-02 14:04
  11  interrupted       -  -                 -  -          …
      tell         2026-01-02 12:04  Use argon2.
      wave 2       done: 2.1 2.2; blocked: 2.3
      set-aside    2026-01-02 11:04  task 2.3: verify faile…
  10  timed-out     1h04m  none        1000/1001  failed   …
      start        2026-01-01 15:04  Add authentication.
`
	if got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
}

func TestLogChooses(t *testing.T) {
	for name, c := range map[string]struct {
		cmd  logCmd
		want []int
	}{
		"iterations":    {logCmd{}, []int{12, 11, 10}},
		"all":           {logCmd{All: true}, []int{12, 11, 11, 10, 10, 10, 10, 0}},
		"last two":      {logCmd{Number: 2}, []int{12, 11}},
		"failed":        {logCmd{Failed: true}, []int{10}},
		"failed of all": {logCmd{Failed: true, All: true}, []int{10}},
		"one failed":    {logCmd{Failed: true, Number: 1}, []int{10}},
		"one of all":    {logCmd{All: true, Number: 1}, []int{12}},
	} {
		var got []int
		for r, err := range c.cmd.chosen(records(history(), nil)) {
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, r.Iteration)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestLogStopsReadingWhenThereAreEnough(t *testing.T) {
	read := 0
	endless := func(yield func(gitstate.Record, error) bool) {
		for read++; yield(gitstate.Record{Kind: gitstate.Iteration, Status: gitstate.Failed, Iteration: read}, nil); read++ {
		}
	}
	n, err := logTable{zone: time.UTC}.render(io.Discard, (&logCmd{Number: 3}).chosen(endless))
	if n != 3 || err != nil || read != 3 {
		t.Errorf("shown %d, read %d, error %v; want 3 of each and none", n, read, err)
	}
}

func TestLogShowsWhatItReadBeforeAnError(t *testing.T) {
	var b strings.Builder
	broken := errors.New("history is not all here")
	n, err := logTable{zone: time.UTC}.render(&b, (&logCmd{Failed: true}).chosen(records(history(), broken)))
	if n != 1 || !errors.Is(err, broken) || strings.Count(b.String(), "\n") != 2 {
		t.Errorf("%d rows, error %v:\n%s", n, err, b.String())
	}
}

// closedAfter is a pipe whose reader goes away after so many writes.
type closedAfter struct{ writes int }

func (c *closedAfter) Write(p []byte) (int, error) {
	if c.writes--; c.writes < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestLogWritesEachLineAtOnceAndEndsWithItsReader(t *testing.T) {
	read := 0
	counting := func(yield func(gitstate.Record, error) bool) {
		for _, r := range history() {
			if read++; !yield(r, nil) {
				return
			}
		}
	}
	_, err := logTable{zone: time.UTC}.render(&closedAfter{writes: 2}, counting)
	if !errors.Is(err, io.ErrClosedPipe) || read != 3 {
		t.Errorf("read %d records, error %v; want 3 and a closed pipe", read, err)
	}
}

func TestLogJSON(t *testing.T) {
	want := []string{
		`{"type":"iteration","schema":1,"loop":"add-auth","iteration":12,"commit":"1111111111111111111111111111111111111111",` +
			`"previous":"1111111111111111111111111111111111111111","committed_at":"2026-01-02T15:04:05Z","subject":"loop: iteration 12","status":"completed","agent":null,` +
			`"session":null,"exit_code":null,"duration_s":133.4,"files":{"created":2,"modified":3,"deleted":0,"renamed":1},` +
			`"tests":{"passed":42,"failed":0,"skipped":3},"verify":{"passed":true,"exit_code":0,"command":null,"tree":null},"tokens":null,"cost_usd":0.42,` +
			`"context_percent":null,"task":null,"wave":null,"attempt":null,"blocked":null,"exit_reason":"completion-promise-detected",` +
			`"summary":"Rotate\tthe keys.\n\nMore words.","skipped":[],"kept":[]}`,
		`{"type":"event","schema":1,"loop":"add-auth","iteration":11,"commit":"1111111111111111111111111111111111111111",` +
			`"committed_at":"2026-01-02T14:04:05Z","subject":"","event":"resume","text":null,"config":["max_iterations = 20"],"wave":null,"wave_done":[],` +
			`"wave_blocked":[],"task":null,"blocked":null,"exit_reason":null}`,
	}
	for i, w := range want {
		got, err := json.Marshal(recordOf(history()[i]))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != w {
			t.Errorf("\ngot  %s\nwant %s", got, w)
		}
	}
}

func TestJSONPathsThatAreNoText(t *testing.T) {
	r := history()[0]
	r.Skipped = []gitstate.SkippedPath{{Path: "über", Reason: "secret"}, {Path: "latin\xe9", Reason: "312 MB"}}
	r.Kept = []plumbing.ReferenceName{"refs/ralph/kept/add-auth/1"}
	got, err := json.Marshal(recordOf(r))
	if err != nil {
		t.Fatal(err)
	}
	want := `"skipped":[{"path":"über","reason":"secret"},{"path":"\"latin\\351\"","reason":"312 MB"}],"kept":["refs/ralph/kept/add-auth/1"]}`
	if !strings.HasSuffix(string(got), want) {
		t.Errorf("got %s, want it to end in %s", got, want)
	}
}
