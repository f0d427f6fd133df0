package main

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

var (
	frozen = time.Date(2026, 1, 2, 15, 4, 5, 0, time.UTC)
	treeID = plumbing.NewHash("1111111111111111111111111111111111111111")
)

// loopView is a loop after two iterations, which nobody runs.
func loopView() runner.View {
	return runner.View{
		State: gitstate.State{
			Loop: gitstate.Loop{Name: "add-auth", Branch: "refs/heads/ralph/add-auth", Found: "refs/ralph/tip/add-auth"},
			Last: gitstate.Record{Kind: gitstate.Iteration, Iteration: 2, Status: gitstate.Completed, Time: frozen.Add(-12 * time.Minute)},
			Base: &gitstate.Base{Branch: "main", Commit: treeID},
			Totals: gitstate.Totals{
				StartedAt: frozen.Add(-time.Hour), Iteration: 2, Elapsed: 133400 * time.Millisecond,
				LastStatus: gitstate.Completed,
				Files:      &gitstate.FileCounts{Created: 2, Modified: 3},
				Tests:      &gitstate.TestCounts{Passed: 41, Failed: 1},
				Verify:     &gitstate.Verify{ExitCode: 1, Command: "go test ./...", Tree: treeID},
				Tokens:     &gitstate.Tokens{Input: 12034, Output: 843, Cached: 9000},
				CostUSD:    new(0.42), Context: new(37),
			},
		},
		Config: runner.Config{MaxIterations: 20},
	}
}

// runningView is the same loop in its third iteration.
func runningView() runner.View {
	v := loopView()
	v.Running = &gitstate.HeldError{Pid: 4121, Since: frozen.Add(-20 * time.Minute)}
	v.Live = &runner.Live{Phase: runner.Executing, Iteration: 3, Started: frozen.Add(-4 * time.Minute), Worktree: "/src/app"}
	return v
}

func statusText(t *testing.T, v runner.View, l look) string {
	t.Helper()
	var b strings.Builder
	if err := renderStatus(&b, v, nil, frozen, l); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestStatusOfARunningLoop(t *testing.T) {
	v := runningView()
	v.Totals.CostUnknown = 1
	v.Totals.FailureStreak, v.Totals.LastStatus = 2, gitstate.Failed
	want := `
add-auth   running 20m   iteration 3 of 20   executing 4m   at least 0.42 USD
  process  4121 in /src/app
  last     iteration 2 failed, 2 created, 3 modified, 2 failed in a row
  verify   failed (exit 1): go test ./...
  tests    41 passed, 1 failed
  tokens   12,034 in, 843 out, 9,000 cached
  context  37% of the agent's window used
  branch   ralph/add-auth
  next     git ralph watch add-auth    follows it on the whole screen
           git ralph cancel add-auth   ends it after this iteration
`
	if got := statusText(t, v, look{}); got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
}

func TestStatusOfAWaitingLoop(t *testing.T) {
	v := runningView()
	v.Live.Phase, v.Live.Until = runner.Waiting, frozen.Add(90*time.Minute)
	text := statusText(t, v, look{})
	if !strings.Contains(text, "\n  waiting  until 16:34:05, 1h from now\n") {
		t.Errorf("no word of the wait in\n%s", text)
	}
	v.Live.Until = frozen.Add(-time.Second)
	if text := statusText(t, v, look{}); strings.Contains(text, "until") {
		t.Errorf("a wait that is over is shown in\n%s", text)
	}
}

func TestStatusOfALoopThatIsDone(t *testing.T) {
	v := loopView()
	v.Totals.Exit = gitstate.PromiseDetected
	v.Totals.Verify.Passed = true
	v.Totals.Tests, v.Totals.Tokens, v.Totals.CostUSD, v.Totals.Context = nil, nil, nil, nil
	want := `
add-auth   done 12m ago   iteration 2 of 20   took 2m13s
  ended    the promise stands and what had to be checked is checked
  last     iteration 2 completed, 2 created, 3 modified
  verify   passed: go test ./...
  branch   ralph/add-auth
  next     git ralph diff --loop add-auth   shows all that it changed
           git ralph land add-auth          brings it to main
`
	if got := statusText(t, v, look{}); got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
}

func TestStatusBeforeTheFirstIteration(t *testing.T) {
	v := loopView()
	v.Last = gitstate.Record{Kind: gitstate.Opening, Time: frozen.Add(-time.Hour)}
	v.Totals = gitstate.Totals{StartedAt: v.Last.Time, BestPassed: -1}
	v.Config.MaxIterations = 0
	want := `
add-auth   interrupted 1h ago   iteration 0
  branch   ralph/add-auth
  next     git ralph resume add-auth          goes on
           git ralph show 0 --loop add-auth   shows what it was told
`
	if got := statusText(t, v, look{}); got != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", got, want[1:])
	}
}

func TestStatusShowsWhyALoopIsBlocked(t *testing.T) {
	v := loopView()
	v.Totals.Exit, v.Last.Blocked = gitstate.Blocked, "the API key\x1b[2J is missing"
	text := statusText(t, v, look{})
	for _, want := range []string{
		"\n  ended    the agent says that it is blocked\n", "\n  blocked  the API key is missing\n", `git ralph tell --loop add-auth "..."`, "git ralph resume add-auth",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
}

func TestStatusShowsTheErrorOfAFailedIteration(t *testing.T) {
	v := loopView()
	v.Note = &gitstate.Note{Error: "program not found: claude\nmore"}
	if text := statusText(t, v, look{}); strings.Contains(text, "claude") {
		t.Errorf("an error of a completed iteration is shown in\n%s", text)
	}
	v.Totals.LastStatus = gitstate.Failed
	if text := statusText(t, v, look{}); !strings.Contains(text, "\n  error    program not found: claude\n") {
		t.Errorf("no error in\n%s", text)
	}
}

func TestStatusFitsATerminalButKeepsCommandsWhole(t *testing.T) {
	v := runningView()
	v.Totals.Verify.Command = strings.Repeat("long ", 40)
	text := statusText(t, v, look{width: 40})
	if !strings.Contains(text, "  verify   failed (exit 1): long long l…\n") {
		t.Errorf("the verify line is not cut in\n%s", text)
	}
	if !strings.Contains(text, "git ralph watch add-auth") {
		t.Errorf("a command is cut in\n%s", text)
	}
}

func TestStatusColoursSayNothingAlone(t *testing.T) {
	v := runningView()
	coloured := statusText(t, v, look{colour: true})
	plain := statusText(t, v, look{})
	for _, code := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m"} {
		coloured = strings.ReplaceAll(coloured, code, "")
	}
	if coloured != plain {
		t.Errorf("without its colours it reads\n%s\nwant\n%s", coloured, plain)
	}
}

func TestStateOf(t *testing.T) {
	held := &gitstate.HeldError{}
	for _, c := range []struct {
		running *gitstate.HeldError
		exit    gitstate.Exit
		paused  bool
		want    loopState
	}{
		{nil, "", false, stateInterrupted},
		{nil, "", true, statePaused},
		{nil, gitstate.MaxIterations, false, stateStopped},
		{nil, gitstate.UserCancelled, true, stateStopped},
		{nil, gitstate.ProcessSuccess, false, stateDone},
		{nil, gitstate.AllTasksDone, false, stateDone},
		{held, gitstate.PromiseDetected, false, stateRunning},
		{held, "", true, stateRunning},
	} {
		v := runner.View{Running: c.running}
		v.Totals.Exit, v.Totals.Paused = c.exit, c.paused
		if got := stateOf(v); got != c.want {
			t.Errorf("running %t, exit %q, paused %t: %s, want %s", c.running != nil, c.exit, c.paused, got, c.want)
		}
	}
}

func TestNextStepsRaiseTheLimitThatWasReached(t *testing.T) {
	v := loopView()
	v.Totals.Exit, v.Totals.Iteration = gitstate.MaxIterations, v.Config.MaxIterations
	if got := nextSteps(v)[0].command; got != "git ralph resume add-auth --max-iterations 40" {
		t.Errorf("got %q", got)
	}
	v.Totals.Exit, v.Totals.Iteration, v.Totals.Elapsed = gitstate.LimitReached, 3, time.Hour
	v.Config.MaxDuration, v.Config.MaxCost, v.Totals.CostUSD = runner.Duration(time.Hour), 2, new(2.0)
	if got := nextSteps(v)[0].command; got != "git ralph resume add-auth --max-duration 2h --max-cost 4" {
		t.Errorf("got %q", got)
	}
}

func TestLandingNamesWhatIsHere(t *testing.T) {
	v := loopView()
	v.Totals.Exit = gitstate.PromiseDetected
	v.Loop.Found, v.Base.Branch = "refs/remotes/origin/ralph/add-auth", "it's"
	if got, want := nextSteps(v)[1].command, `git switch 'it'\''s' && git merge origin/ralph/add-auth`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	v.Base.Branch = "HEAD"
	if got := nextSteps(v); len(got) != 1 {
		t.Errorf("a loop that began on a detached HEAD lands by %v", got)
	}
}

func TestStatusJSON(t *testing.T) {
	unrun := loopView()
	unrun.Totals = gitstate.Totals{BestPassed: -1}
	unrun.Config.MaxIterations = 0
	ended := loopView()
	ended.Totals.Exit = gitstate.MaxIterations
	ended.Totals.Verify = &gitstate.Verify{Passed: true}
	ended.Totals.CostUSD = new(0.30000000000000004) // a sum of 0.1 and 0.2
	*ended.Totals.CostUSD += 0.12
	waiting := runningView()
	waiting.Totals.Exit = gitstate.MaxIterations // of before it was resumed
	waiting.Live.Phase, waiting.Live.Until = runner.Waiting, frozen.Add(time.Minute)
	for name, c := range map[string]struct {
		view runner.View
		want string
	}{
		"nothing known": {unrun, `{"schema":1,"loop":"add-auth","branch":"ralph/add-auth","state":"interrupted","exit_reason":null,"phase":null,"iteration":0,` +
			`"max_iterations":null,"started_at":null,"elapsed_s":0,"tokens":null,"cost_usd":null,"context_percent":null,"verify":null,"tests":null,"files":null}`},
		"ended": {ended, `{"schema":1,"loop":"add-auth","branch":"ralph/add-auth","state":"stopped","exit_reason":"max-iterations-reached","phase":null,"iteration":2,` +
			`"max_iterations":20,"started_at":"2026-01-02T14:04:05Z","elapsed_s":133.4,"tokens":{"input":12034,"output":843,"cached":9000},"cost_usd":0.42,` +
			`"context_percent":37,"verify":{"passed":true,"exit_code":0,"command":null,"tree":null},"tests":{"passed":41,"failed":1,"skipped":0},` +
			`"files":{"created":2,"modified":3,"deleted":0,"renamed":0}}`},
		"waiting": {waiting, `{"schema":1,"loop":"add-auth","branch":"ralph/add-auth","state":"running","exit_reason":null,"phase":"waiting","iteration":3,` +
			`"max_iterations":20,"started_at":"2026-01-02T14:04:05Z","elapsed_s":373.4,"tokens":{"input":12034,"output":843,"cached":9000},"cost_usd":0.42,` +
			`"context_percent":37,"verify":{"passed":false,"exit_code":1,"command":"go test ./...","tree":"1111111111111111111111111111111111111111"},` +
			`"tests":{"passed":41,"failed":1,"skipped":0},"files":{"created":2,"modified":3,"deleted":0,"renamed":0},"waiting_until":"2026-01-02T15:05:05Z"}`},
	} {
		got, err := json.Marshal(statusOf(c.view, frozen))
		if err != nil {
			t.Fatal(err)
		}
		if string(got) != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", name, got, c.want)
		}
	}
}
