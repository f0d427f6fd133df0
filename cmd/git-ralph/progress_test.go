package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// someEvents are the events of a short loop.
func someEvents(at time.Time) []runner.Event {
	took := 90 * time.Second
	first := &gitstate.Record{Kind: gitstate.Iteration, Loop: "a", Iteration: 1, Status: gitstate.Failed, Duration: &took}
	second := &gitstate.Record{Kind: gitstate.Iteration, Loop: "a", Iteration: 2, Status: gitstate.Completed, Duration: &took, Body: "Did it.\nAnd more."}
	events := []runner.Event{
		{Type: runner.LoopStarted, Branch: "ralph/a", Max: 20},
		{Type: runner.IterationStarted, Iteration: 1, Max: 20},
		{Type: runner.PhaseChanged, Iteration: 1, Phase: runner.Executing, Argv: []string{"prog", "two words"}},
		{Type: runner.AgentActivity, Iteration: 1, Text: "reading\tREADME"},
		{Type: runner.Told, Iteration: 1, Text: "left out: core.1 (312 MB)\x1b[2J"},
		{Type: runner.IterationEnded, Iteration: 1, Record: first},
		{Type: runner.IterationStarted, Iteration: 2, Max: 20},
		{Type: runner.IterationEnded, Iteration: 2, Record: second},
		{Type: runner.LoopEnded, Totals: &gitstate.Totals{Iteration: 2, Elapsed: 3 * time.Minute}, Exit: gitstate.PromiseDetected},
	}
	for i := range events {
		events[i].Time, events[i].Loop = at, "a"
	}
	return events
}

func show(a testApp) {
	p := newProgress(a.app)
	for _, e := range someEvents(a.now()) {
		p.event(e)
	}
	p.close()
}

func TestProgressIsARowForEachIteration(t *testing.T) {
	a := newTestApp(t)
	show(a)
	rows := strings.Split(strings.TrimSuffix(a.out.String(), "\n"), "\n")
	if len(rows) != 3 || !strings.Contains(rows[1], "1  failed") || !strings.Contains(rows[2], "2  completed") || !strings.HasSuffix(rows[2], "Did it.") {
		t.Errorf("rows %q", rows)
	}
	if want := "loop a on branch ralph/a, at most 20 iterations\nleft out: core.1 (312 MB) [2J\n"; a.talk.String() != want {
		t.Errorf("talk %q, want %q", a.talk, want)
	}
}

func TestProgressCanBeQuietOrVerbose(t *testing.T) {
	quiet := newTestApp(t)
	quiet.quiet = true
	show(quiet)
	if quiet.out.Len() > 0 || strings.Contains(quiet.talk.String(), "on branch") {
		t.Errorf("quiet: %q, %q", quiet.out, quiet.talk)
	}
	verbose := newTestApp(t)
	verbose.verbose = true
	show(verbose)
	if got := strings.Count(verbose.talk.String(), "agent: prog 'two words'\n"); got != 1 {
		t.Errorf("the agent's command is told %d times in %q", got, verbose.talk)
	}
}

func TestProgressInJSONIsAStreamOfTypedObjects(t *testing.T) {
	a := newTestApp(t)
	a.json = true
	show(a)
	var types []string
	for line := range strings.Lines(a.out.String()) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		if event["schema"] != 1.0 || event["loop"] != "a" {
			t.Errorf("schema or loop missing in %s", line)
		}
		types = append(types, event["type"].(string))
		if event["type"] == "ended" && (event["state"] != "done" || event["exit_reason"] != "completion-promise-detected" || event["elapsed_s"] != 180.0) {
			t.Errorf("end %s", line)
		}
	}
	if got, want := strings.Join(types, " "), "started iteration-started phase activity told iteration iteration-started iteration ended"; got != want {
		t.Errorf("types %q, want %q", got, want)
	}
	if a.talk.Len() > 0 {
		t.Errorf("on standard error: %q", a.talk)
	}
}

func TestLiveLine(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	var screen bytes.Buffer
	l := &liveLine{lastLine: lastLine{w: &screen}}
	l.draw(start)
	if screen.Len() > 0 {
		t.Errorf("drawn before an iteration: %q", &screen)
	}
	for _, e := range someEvents(start)[:4] {
		l.follow(e)
	}
	if got, want := l.text(start.Add(4*time.Minute)), "iteration 1 of 20  executing  4m  reading README"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	l.draw(start)
	l.erase()
	l.erase()
	if got, want := screen.String(), "\riteration 1 of 20  executing  0s  reading README\x1b[K\r\x1b[K"; got != want {
		t.Errorf("screen %q, want %q", got, want)
	}
	l.follow(runner.Event{Type: runner.PhaseChanged, Time: start, Phase: runner.Waiting, Until: start.Add(time.Hour)})
	if got, want := l.text(start.Add(time.Minute)), "iteration 1 of 20  waiting  1m  for 59m more"; got != want {
		t.Errorf("text %q, want %q", got, want)
	}
	l.follow(runner.Event{Type: runner.IterationEnded, Time: start})
	screen.Reset()
	l.draw(start)
	if screen.Len() > 0 {
		t.Errorf("drawn after the iteration: %q", &screen)
	}
	var none *liveLine
	none.follow(runner.Event{})
	none.draw(start)
	none.erase()
}

func TestLiveLineIsOnlyDrawnWhereItCanBe(t *testing.T) {
	for name, change := range map[string]func(*app){
		"no terminal": func(*app) {},
		"plain":       func(a *app) { a.errTerm = terminal{is: true} },
		"quiet":       func(a *app) { a.errTerm, a.quiet = terminal{is: true, colour: true}, true },
		"json":        func(a *app) { a.errTerm, a.json = terminal{is: true, colour: true}, true },
	} {
		a := newTestApp(t)
		change(a.app)
		show(a)
		if strings.Contains(a.talk.String(), "\x1b") {
			t.Errorf("%s: %q", name, a.talk)
		}
	}
	a := newTestApp(t)
	a.errTerm = terminal{is: true, colour: true, fd: -1}
	show(a)
	if !strings.Contains(a.talk.String(), "\riteration") && !strings.Contains(a.talk.String(), "\r\x1b[2miteration") {
		t.Errorf("no live line in %q", a.talk)
	}
	if !strings.HasSuffix(a.talk.String(), "\r\x1b[K") {
		t.Errorf("the live line stays: %q", a.talk)
	}
}
