package main

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// someLoops are a running loop, one that is done and one that cannot be read.
func someLoops() []listItem {
	done := loopView()
	done.Loop.Name, done.Loop.Branch, done.Loop.Found = "fix-ci", "refs/heads/ralph/fix-ci", "refs/remotes/origin/ralph/fix-ci"
	done.Totals.Exit, done.Config.MaxIterations = gitstate.ProcessSuccess, 0
	return []listItem{
		{view: runningView(), loop: runningView().Loop},
		{view: done, loop: done.Loop},
		{loop: gitstate.Loop{Name: "odd"}, err: errors.New("read loop odd:\nwritten by a newer git-ralph")},
	}
}

func TestRenderList(t *testing.T) {
	var b strings.Builder
	if err := renderList(&b, someLoops(), frozen, look{}); err != nil {
		t.Fatal(err)
	}
	want := `
add-auth   running      iteration 3 of 20   20m       ralph/add-auth
fix-ci     done         iteration 2         12m ago   origin/ralph/fix-ci
odd        unreadable   read loop odd: written by a newer git-ralph
`
	if b.String() != want[1:] {
		t.Errorf("got\n%s\nwant\n%s", b.String(), want[1:])
	}
}

func TestListJSON(t *testing.T) {
	got, err := json.Marshal(listOf(someLoops()))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"schema":1,"loops":[` +
		`{"loop":"add-auth","branch":"ralph/add-auth","state":"running","exit_reason":null,"iteration":3,"max_iterations":20,` +
		`"started_at":"2026-01-02T14:04:05Z","updated_at":"2026-01-02T14:52:05Z","error":null},` +
		`{"loop":"fix-ci","branch":"ralph/fix-ci","state":"done","exit_reason":"process-success","iteration":2,"max_iterations":null,` +
		`"started_at":"2026-01-02T14:04:05Z","updated_at":"2026-01-02T14:52:05Z","error":null},` +
		`{"loop":"odd","branch":null,"state":"unreadable","exit_reason":null,"iteration":null,"max_iterations":null,` +
		`"started_at":null,"updated_at":null,"error":"read loop odd:\nwritten by a newer git-ralph"}]}`
	if string(got) != want {
		t.Errorf("\ngot  %s\nwant %s", got, want)
	}
	if got, _ := json.Marshal(listOf(nil)); string(got) != `{"schema":1,"loops":[]}` {
		t.Errorf("no loops: %s", got)
	}
}
