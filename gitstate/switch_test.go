package gitstate_test

import (
	"path/filepath"
	"testing"
)

func TestSwitchOverwritesNothing(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	r := s.open()
	s.git("switch", "-q", "main")
	s.write(".git/info/exclude", "loop\n")
	s.write("loop", "ignored, and in the way\n")
	if err := r.Switch(t.Context(), "loop", loopBranch); err == nil {
		t.Error("an ignored file was overwritten")
	}
	if s.read("loop") != "ignored, and in the way\n" || s.git("symbolic-ref", "HEAD") != "refs/heads/main" {
		t.Error("the refused switch changed something")
	}
	s.remove("loop")
	s.write("dir/b", "edited\n")
	if err := r.Switch(t.Context(), "loop", loopBranch); err != nil {
		t.Fatal(err)
	}
	if s.read("dir/b") != "edited\n" || s.git("symbolic-ref", "HEAD") != loopBranch.String() {
		t.Error("the switch did not carry the edit over")
	}
}

func TestAttachHeadTouchesNothingElse(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.dirty()
	s.git("branch", "same")
	status, index := s.git("status", "--porcelain"), s.index()
	if err := s.open().AttachHead(t.Context(), "refs/heads/same", "ralph: attach"); err != nil {
		t.Fatal(err)
	}
	if s.git("symbolic-ref", "HEAD") != "refs/heads/same" || s.git("status", "--porcelain") != status || s.index() != index {
		t.Error("more than HEAD changed")
	}
}

func TestAddWorktree(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.git("switch", "-q", "main")
	r := s.open()
	if at, err := r.CheckedOutAt(t.Context(), loopBranch); at != "" || err != nil {
		t.Errorf("CheckedOutAt = %q, %v", at, err)
	}
	linked, err := r.AddWorktree(t.Context(), "../tree with space", loopBranch)
	if err != nil {
		t.Fatal(err)
	}
	defer linked.Close()
	want := filepath.Join(s.top, "tree with space")
	if linked.TopLevel != want || linked.CommonDir != r.CommonDir || linked.GitDir == r.GitDir {
		t.Errorf("opened %+v", linked)
	}
	if at, err := r.CheckedOutAt(t.Context(), loopBranch); at != want || err != nil {
		t.Errorf("CheckedOutAt = %q, %v", at, err)
	}
	if at, err := linked.CheckedOutAt(t.Context(), "refs/heads/main"); at != r.TopLevel || err != nil {
		t.Errorf("CheckedOutAt main = %q, %v", at, err)
	}
	if _, err := r.AddWorktree(t.Context(), "../another", loopBranch); err == nil {
		t.Error("a branch was checked out twice")
	}
}

func TestOperation(t *testing.T) {
	t.Parallel()
	begin := map[string]func(s *astray){
		"":            func(*astray) {},
		"merge":       func(s *astray) { s.conflicting(); _, _ = s.try("merge", "side") },
		"cherry-pick": func(s *astray) { s.conflicting(); _, _ = s.try("cherry-pick", "side") },
		"revert":      func(s *astray) { s.agentCommits(); _, _ = s.try("revert", "--no-edit", "HEAD~1") },
		"rebase":      func(s *astray) { s.conflicting(); _, _ = s.try("rebase", "side") },
		"bisect":      func(s *astray) { s.agentCommits(); s.git("bisect", "start", "HEAD", "main") },
	}
	for want, begin := range begin {
		t.Run(want, func(t *testing.T) {
			t.Parallel()
			s := newAstray(t)
			begin(s)
			if got, err := s.open().Operation(t.Context()); got != want || err != nil {
				t.Errorf("Operation = %q, %v", got, err)
			}
		})
	}
}
