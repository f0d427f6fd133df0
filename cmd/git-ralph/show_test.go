package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// failedIteration is an iteration of which everything is known.
func failedIteration() iterationView {
	return iterationView{
		limit: 20,
		record: gitstate.Record{
			Kind: gitstate.Iteration, Loop: "add-auth", Iteration: 3, Status: gitstate.Failed, Commit: treeID, Previous: treeID, Time: frozen, Subject: "loop: iteration 3",
			Agent: "claude", Session: "a9756", ExitCode: new(1), Duration: new(133400 * time.Millisecond), Body: "Added the handler.\n\n- no tests\tyet\n",
			Files: &gitstate.FileCounts{Created: 1, Modified: 1, Deleted: 1, Renamed: 1}, Tests: &gitstate.TestCounts{Passed: 41, Failed: 1},
			Verify: &gitstate.Verify{ExitCode: 1, Command: "go test ./...", Tree: treeID}, Tokens: &gitstate.Tokens{Input: 12034, Output: 843, Cached: 9000},
			CostUSD: new(0.42), Context: new(37), Task: "2.1", Wave: new(2), Attempt: new(1), Blocked: "no key", Exit: gitstate.Failing,
			Skipped: []gitstate.SkippedPath{{Path: "core.1", Reason: "312 MB"}}, Kept: []plumbing.ReferenceName{"refs/ralph/kept/add-auth/2"},
		},
		note: &gitstate.Note{
			Started: frozen.Add(-3 * time.Minute), Ended: frozen.Add(-47 * time.Second), Error: "exit status 1", Output: "hello",
			Tests:  &gitstate.TestDetail{Failures: []gitstate.TestFailure{{Name: "TestLogin", Duration: 90 * time.Millisecond, Error: "got 500\nwant 200"}, {Name: "TestLogout"}}},
			Verify: &gitstate.VerifyDetail{Tail: "--- FAIL: TestLogin\nFAIL\n"},
			Usage:  map[string]gitstate.Tokens{"opus": {Input: 12000, Output: 800, Cached: 9000}, "haiku": {Input: 34, Output: 43}},
		},
		changes: gitstate.Changes{Created: []string{"login.go"}, Modified: []string{"new\nline"}, Deleted: []string{"old.go"},
			Renamed: []gitstate.RenamedPath{{From: "a.go", To: "b.go"}}},
		commits: []gitstate.CommitLine{{Hash: treeID, Subject: "Add login"}},
	}
}

func iterationText(t *testing.T, i iterationView) string {
	t.Helper()
	var b strings.Builder
	if err := renderIteration(&b, i, frozen, look{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestRenderIteration(t *testing.T) {
	want := `
add-auth   iteration 3 of 20   failed   2m13s
  loop      ended here: too many iterations failed in a row
  blocked   no key
  error     exit status 1
  commit    1111111111  loop: iteration 3
  time      15:01:05 to 15:03:18, 47s ago
  task      2.1, wave 2, attempt 1
  agent     claude, session a9756, exit code 1
  tokens    12,034 in, 843 out, 9,000 cached
              haiku: 34 in, 43 out, 0 cached
              opus: 12,000 in, 800 out, 9,000 cached
  cost      0.42 USD
  context   37% of the agent's window used
  verify    failed (exit 1): go test ./...
              --- FAIL: TestLogin
              FAIL
  tests     41 passed, 1 failed
              failed: TestLogin (0.1s)
                got 500
                want 200
              failed: TestLogout
  files     1 created, 1 modified, 1 deleted, 1 renamed
              created   login.go
              modified  "new\nline"
              deleted   old.go
              renamed   a.go -> b.go
  left out  core.1 (312 MB)
  kept      refs/ralph/kept/add-auth/2
  commits   1 commit of the agent's own
              1111111111  Add login

  summary
    Added the handler.

    - no tests    yet
`
	if got := iterationText(t, failedIteration()); got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
}

func TestRenderIterationOfWhichLittleIsKnown(t *testing.T) {
	i := iterationView{record: gitstate.Record{Loop: "add-auth", Iteration: 1, Status: gitstate.Interrupted, Commit: treeID, Time: frozen.Add(-26 * time.Hour), Subject: "loop: iteration 1"}}
	want := `
add-auth   iteration 1   interrupted
  commit    1111111111  loop: iteration 1
  time      2026-01-01 13:04:05, 26h ago
  note      not in this clone: failed tests, output and times are not known
`
	if got := iterationText(t, i); got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
	i.damaged = "note of commit 11111: line 3"
	if got := iterationText(t, i); !strings.Contains(got, "  note      not readable: note of commit 11111: line 3\n") {
		t.Errorf("no word of a damaged note in\n%s", got)
	}
}

func TestRenderIterationShowsOutputWhereThereIsNoSummary(t *testing.T) {
	i := failedIteration()
	if strings.Contains(iterationText(t, i), "hello") {
		t.Error("the output is shown beside the summary")
	}
	i.record.Body = ""
	if got := iterationText(t, i); !strings.HasSuffix(got, "\n  output begins\n    hello\n") {
		t.Errorf("no output in\n%s", got)
	}
}

func TestRenderIterationShowsTheFirstOfManyFiles(t *testing.T) {
	i := failedIteration()
	i.changes.Created = strings.Fields(strings.Repeat("file ", maxListed+1200))
	got := iterationText(t, i)
	if strings.Count(got, "file\n") != maxListed || !strings.Contains(got, " and 1,200 more\n") {
		t.Errorf("got\n%s", got)
	}
}

func TestRenderOpening(t *testing.T) {
	opening := gitstate.Record{
		Kind: gitstate.Opening, Loop: "add-auth", Commit: treeID, Time: frozen.Add(-time.Hour), Subject: "ralph: start add-auth", Body: "Add\x1b[2J auth.\n\nWith tests.",
		Base: &gitstate.Base{Branch: "main", Commit: treeID}, Config: []string{`command = ["claude", "-p"]`, "max_iterations = 20"},
	}
	want := `
add-auth   start   14:04:05, 1h ago
  commit    1111111111  ralph: start add-auth
  base      main at 1111111111

  prompt
    Add auth.

    With tests.

  configuration
    command = ["claude", "-p"]
    max_iterations = 20
`
	var b strings.Builder
	if err := renderOpening(&b, opening, frozen, look{}); err != nil {
		t.Fatal(err)
	}
	if b.String() != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want[1:])
	}
}

func TestShowJSON(t *testing.T) {
	got, err := json.Marshal(showOf(failedIteration()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`{"type":"iteration","schema":1,"loop":"add-auth","iteration":3,`,
		`"started_at":"2026-01-02T15:01:05Z","ended_at":"2026-01-02T15:03:18Z","note":true,` +
			`"created_files":["login.go"],"modified_files":["new\nline"],"deleted_files":["old.go"],"renamed_files":[{"from":"a.go","to":"b.go"}],` +
			`"failed_tests":[{"name":"TestLogin","duration_s":0.09,"error":"got 500\nwant 200"},{"name":"TestLogout","duration_s":null,"error":null}],` +
			`"verify_tail":"--- FAIL: TestLogin\nFAIL\n","tokens_by_model":{"haiku":{"input":34,"output":43,"cached":0},"opus":{"input":12000,"output":800,"cached":9000}},` +
			`"output_head":"hello","error":"exit status 1","agent_commits":[{"commit":"1111111111111111111111111111111111111111","subject":"Add login"}],"agent_commits_total":1}`,
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no\n%s\nin\n%s", want, got)
		}
	}
	bare, err := json.Marshal(showOf(iterationView{record: gitstate.Record{Status: gitstate.Skipped}}))
	if err != nil {
		t.Fatal(err)
	}
	want := `"started_at":null,"ended_at":null,"note":false,"created_files":[],"modified_files":[],"deleted_files":[],"renamed_files":[],` +
		`"failed_tests":[],"verify_tail":null,"tokens_by_model":{},"output_head":null,"error":null,"agent_commits":[],"agent_commits_total":0}`
	if !strings.HasSuffix(string(bare), want) {
		t.Errorf("got %s, want it to end in %s", bare, want)
	}
}

func TestNoIterationSaysWhichThereAre(t *testing.T) {
	for n, want := range map[int]string{
		0: `loop "add-auth" has no iteration 7: it has none, only its start, 0`,
		1: `loop "add-auth" has no iteration 7: it has only 1`,
		5: `loop "add-auth" has no iteration 7: it has 1 to 5`,
	} {
		v := loopView()
		v.Totals.Iteration = n
		err := noIteration(v, 7)
		if p, ok := errors.AsType[*problem](err); !ok || p.status != 1 || err.Error() != want {
			t.Errorf("of %d: %v (%T)", n, err, err)
		}
	}
	err := noIteration(runningView(), 3)
	if err.Error() != `iteration 3 of loop "add-auth" has not ended yet` {
		t.Errorf("of the running one: %v", err)
	}
}
