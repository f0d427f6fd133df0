package hooks

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestParsePushed(t *testing.T) {
	a, b, zero := strings.Repeat("a", 40), strings.Repeat("b", 40), strings.Repeat("0", 40)
	refs := ParsePushed("refs/heads/x " + a + " refs/heads/y " + zero + "\nnonsense\n(delete) " + zero + " refs/heads/z " + b + "\nHEAD " + a + " refs/heads/w none\n")
	want := []PushedRef{
		{"refs/heads/x", plumbing.NewHash(a), "refs/heads/y", plumbing.ZeroHash},
		{"(delete)", plumbing.ZeroHash, "refs/heads/z", plumbing.NewHash(b)},
	}
	if !slices.Equal(refs, want) {
		t.Errorf("%v", refs)
	}
}

func TestPolicyProtects(t *testing.T) {
	for pattern, branches := range map[string]map[string]bool{
		"*":         {"main": true, "release/1": true},
		"main":      {"main": true, "maintenance": false},
		"release/*": {"release/1": true, "release": false, "release/1/2": false},
		"[":         {"main": false},
	} {
		for branch, want := range branches {
			if got := (Policy{Protected: []string{pattern}}).protects(branch); got != want {
				t.Errorf("%s protects %s: %v", pattern, branch, got)
			}
		}
	}
	if (Policy{}).protects("main") {
		t.Error("no pattern protects main")
	}
}

func TestLastOfLoops(t *testing.T) {
	id := func(digit string) plumbing.Hash { return plumbing.NewHash(strings.Repeat(digit, 40)) }
	ours := []gitstate.OurCommit{
		{Record: &gitstate.Record{Loop: "a", Commit: id("3"), Previous: id("2")}},
		{}, // an agent's own
		{Record: &gitstate.Record{Loop: "a", Commit: id("2"), Previous: id("1")}},
		{Record: &gitstate.Record{Loop: "b", Commit: id("5"), Previous: id("4")}},
		{Record: &gitstate.Record{Loop: "a", Commit: id("6"), Previous: id("1")}}, // a copy
	}
	got := map[string][]plumbing.Hash{}
	for i := range ours {
		if r := ours[i].Record; r != nil {
			ours[i].Commit = r.Commit
		}
	}
	for loop, records := range lastOfLoops(ours) {
		for _, r := range records {
			got[loop] = append(got[loop], r.Commit)
		}
	}
	if want := map[string][]plumbing.Hash{"a": {id("3"), id("6")}, "b": {id("5")}}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v", got)
	}
}

func TestScanInputKnowsWhereALineIsFrom(t *testing.T) {
	var s scanInput
	if !s.empty() {
		t.Error("it is not empty")
	}
	s.add(gitstate.AddedText{Path: "a"}, false, "1\n2\n")
	s.add(gitstate.AddedText{Path: "b"}, false, "3\n")
	s.add(gitstate.AddedText{Path: "c"}, true, "4\n5\n")
	for line, want := range map[int]string{1: "a", 2: "a", 3: "b", 4: "c", 5: "c", 6: "c", 0: "a"} {
		if at, notes := s.place(line); at.Path != want || notes != (want == "c") {
			t.Errorf("line %d is from %s, notes %v", line, at.Path, notes)
		}
	}
}
