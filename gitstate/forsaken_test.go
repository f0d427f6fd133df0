package gitstate_test

import (
	"strings"
	"testing"
)

// What an agent may do to commits of its own, or to a branch that it was on. Where HEAD is in the end shows nothing of it.
var takenBack = []misdeed{
	{name: "commits and goes back to ours", kept: 1, told: "kept a commit that the agent took back", do: (*astray).agentTakesBack},
	{name: "commits and goes back to ours by another way", kept: 1, told: "kept a commit", do: func(s *astray) {
		s.agentCommits()
		s.git("update-ref", loopBranch.String(), s.tip.String())
		s.git("read-tree", "-m", "-u", "HEAD")
	}},
	{name: "commits and goes back below ours", kept: 1, stray: "taken back", told: "kept a commit", do: func(s *astray) {
		s.agentCommits()
		s.git("reset", "-q", "--hard", "main")
	}},
	{name: "commits and makes the branch anew", kept: 1, stray: "taken back", told: "kept a commit", do: func(s *astray) {
		s.agentCommits()
		s.git("checkout", "-q", "-B", "ralph/x", "main")
	}},
	{name: "commits and deletes the loop branch", kept: 1, stray: "HEAD was on main", told: "kept a commit", do: func(s *astray) {
		s.agentCommits()
		s.git("switch", "-q", "main")
		s.git("branch", "-q", "-D", "ralph/x")
	}},
	{name: "amends its own", kept: 1, told: "kept a commit", do: func(s *astray) {
		s.agentCommits()
		s.keepSafe("a")
		s.git("commit", "-q", "-a", "--amend", "-m", "amended")
		s.dirty()
	}},
	{name: "amends its own again and again", kept: 1, told: "kept 3 commits", do: func(s *astray) {
		s.agentCommits()
		for range 3 {
			s.keepSafe("a")
			s.git("commit", "-q", "-a", "--amend", "-m", "amended")
		}
	}},
	{name: "rebases its own", kept: 1, told: "kept a commit", do: func(s *astray) {
		s.agentCommits()
		s.keepSafe("b")
		s.commit("the agent's third")
		s.git("rebase", "-q", "--onto", s.tip.String(), "HEAD~1")
	}},
	{name: "deletes a branch of its own", kept: 1, told: "kept a commit", do: func(s *astray) {
		s.git("switch", "-q", "-c", "feature")
		s.agentCommits()
		s.git("switch", "-q", "ralph/x")
		s.git("branch", "-q", "-D", "feature")
	}},
	{name: "detaches, commits and comes back", kept: 1, told: "kept a commit", do: func(s *astray) {
		s.git("checkout", "-q", "--detach")
		s.agentCommits()
		s.git("switch", "-q", "ralph/x")
	}},
	{name: "takes the user's branch back", kept: 1, told: "kept a commit", do: func(s *astray) {
		s.git("branch", "theirs", "main")
		s.git("update-ref", "refs/heads/theirs", s.git("commit-tree", "-p", "main", "-m", "the user's", "main^{tree}"))
		s.git("switch", "-q", "theirs")
		s.git("reset", "-q", "--hard", "main")
		s.git("switch", "-q", "ralph/x")
	}},
	{name: "looks at commits that refs hold", do: func(s *astray) {
		s.git("switch", "-q", "main")
		s.git("checkout", "-q", "--detach", "HEAD~0")
		s.git("switch", "-q", "ralph/x")
		s.dirty()
	}},
	{name: "commits, goes back, and tidies up", kept: 1, told: "kept a commit", do: func(s *astray) {
		s.agentTakesBack()
		s.git("-c", "gc.reflogExpire=never", "-c", "gc.reflogExpireUnreachable=never", "gc", "-q", "--prune=now") // the dates of the test are old
	}},
}

// Refs and reflogs in tables have no file of HEAD's to read.
func TestGatherFromTables(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.remove(".git")
	if _, err := s.try("init", "-q", "-b", "main", "--ref-format=reftable"); err != nil {
		t.Skip("this git has no reftable")
	}
	a := &astray{scratch: s}
	a.begin()
	a.agentTakesBack()
	if got := a.gather(a.open()); len(got.Kept) != 1 {
		t.Errorf("kept %q", got.Kept)
	}
	a.checkNothingLost()
}

// Where the loop went on in another work tree, HEAD's reflog there does not have the line that wrote the tip.
func TestGatherInAnotherWorktree(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.git("update-ref", "-m", "ralph: iteration", loopBranch.String(), s.tip.String(), s.tip.String())
	s.git("switch", "-q", "main")
	s.keepSafe("b")
	s.commit("before the loop came here")
	s.git("branch", "-q", "-f", "elsewhere")
	s.git("reset", "-q", "--hard", "HEAD~1")
	s.git("branch", "-q", "-D", "elsewhere")
	s.precious = nil // what was lost before the loop came here is nothing to it
	s.git("worktree", "add", "-q", "../linked", "ralph/x")
	s.dir = s.path("../linked")
	s.agentTakesBack()
	if got := s.gather(s.open()); len(got.Kept) != 1 {
		t.Errorf("kept %q, want what the agent committed and nothing else", got.Kept)
	}
	s.checkNothingLost()
}

// A reflog may be anything: it is looked at as far as it can be read.
func TestGatherWithAStrangeReflog(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", 1<<20)
	for name, tt := range map[string]struct {
		do   func(*astray)
		kept int
	}{
		"none":      {do: func(s *astray) { s.remove(".git/logs") }},
		"a folder":  {do: func(s *astray) { s.remove(".git/logs/HEAD"); s.mkdir(".git/logs/HEAD") }},
		"no object": {kept: 1, do: func(s *astray) { s.addHeadLog(strings.Repeat("1", 40), "reset: moving to nowhere") }},
		"no commit": {kept: 1, do: func(s *astray) { s.addHeadLog(s.git("hash-object", "-w", "a"), "reset: moving to a file") }},
		"nonsense":  {kept: 1, do: func(s *astray) { s.write(".git/logs/HEAD", s.read(".git/logs/HEAD")+"\x00\xff\n\n \n\t\nno end") }},
		"long":      {kept: 1, do: func(s *astray) { s.addHeadLog(s.tip.String(), long); s.addHeadLog(s.tip.String(), long) }},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newAstray(t)
			s.agentTakesBack()
			tt.do(s)
			if got := s.gather(s.open()); len(got.Kept) != tt.kept {
				t.Errorf("kept %q, want %d; told %q", got.Kept, tt.kept, got.Told)
			}
		})
	}
}

// addHeadLog writes a line into HEAD's reflog.
func (s *astray) addHeadLog(to, message string) {
	s.t.Helper()
	s.write(".git/logs/HEAD", s.read(".git/logs/HEAD")+s.tip.String()+" "+to+" Ada <ada@example.org> 1767323045 +0000\t"+message+"\n")
}
