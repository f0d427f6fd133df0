package gitstate_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

const loopBranch = plumbing.ReferenceName("refs/heads/ralph/x")

// astray is a repository with a loop whose last commit is tip, and an agent that did something to it.
type astray struct {
	*scratch
	tip      plumbing.Hash
	precious []string // texts that must not be lost
}

func newAstray(t *testing.T) *astray {
	t.Helper()
	s := &astray{scratch: newScratch(t)}
	s.begin()
	return s
}

// begin makes a user's commit and the loop's.
func (s *astray) begin() {
	s.t.Helper()
	s.base()
	s.git("switch", "-q", "-c", "ralph/x")
	s.write("loop", "the loop's\n")
	s.write(".gitignore", "ignored/\n*.tmp\n")
	s.tip = s.commit("ralph: start x")
}

// dirty edits a tracked file and makes a new one, whose texts must not be lost.
func (s *astray) dirty() {
	s.t.Helper()
	s.keepSafe("a")
	s.keepSafe("found/new " + strconv.Itoa(len(s.precious)))
}

// keepSafe writes a file with a text of its own.
func (s *astray) keepSafe(name string) {
	s.t.Helper()
	text := "precious " + strconv.Itoa(len(s.precious)) + "\n"
	s.write(name, text)
	s.precious = append(s.precious, text)
}

// agentCommits commits twice.
func (s *astray) agentCommits() {
	s.t.Helper()
	s.dirty()
	s.commit("the agent's")
	s.keepSafe("a")
	s.commit("the agent's second")
}

// agentTakesBack commits, and goes back to ours.
func (s *astray) agentTakesBack() {
	s.t.Helper()
	s.agentCommits()
	s.git("reset", "-q", "--hard", s.tip.String())
}

func (s *astray) request() gitstate.GatherRequest {
	return gitstate.GatherRequest{Loop: "x", Branch: loopBranch, Tip: s.tip}
}

func (s *astray) gather(r *gitstate.Repository) gitstate.Gathered {
	s.t.Helper()
	got, err := r.Gather(s.t.Context(), s.request())
	if err != nil {
		s.t.Fatal(err)
	}
	return got
}

// checkNothingLost finds every precious text in what refs reach or in the work tree.
func (s *astray) checkNothingLost() {
	s.t.Helper()
	objects := s.git("rev-list", "--objects", "--exclude=refs/heads/broken", "--all", "HEAD")
	onDisk := map[string]bool{}
	s.must(filepath.WalkDir(s.dir, func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && entry.Name() == ".git" {
			return filepath.SkipDir
		}
		if err == nil && entry.Type().IsRegular() {
			text, _ := os.ReadFile(path)
			onDisk[string(text)] = true
		}
		return err
	}))
	for i, text := range s.precious {
		s.write("../blob", text)
		if id := s.git("hash-object", "../blob"); !strings.Contains(objects, id) && !onDisk[text] {
			s.t.Errorf("text %d is lost: %q", i, text)
		}
	}
}

// others lists the refs that are nobody's but the user's and the agent's.
func (s *astray) others() string {
	s.t.Helper()
	var rest []string
	for line := range strings.Lines(s.git("for-each-ref", "--format=%(refname) %(objectname)")) {
		if !strings.HasPrefix(line, "warning:") && !strings.HasPrefix(line, loopBranch.String()+" ") && !strings.HasPrefix(line, "refs/ralph/") && !strings.HasPrefix(line, "refs/bisect/") {
			rest = append(rest, strings.TrimSpace(line))
		}
	}
	return strings.Join(rest, "\n")
}

// misdeed is what an agent does.
type misdeed struct {
	name  string
	do    func(*astray)
	stray string // part of what is said; empty: the commits are adopted
	kept  int    // kept refs
	told  string // part of a line for the user
}

// What an agent may do to HEAD. In the end HEAD is on the loop branch again and nothing is lost.
var misdeeds = []misdeed{
	{name: "nothing", do: func(*astray) {}},
	{name: "dirty", do: func(s *astray) { s.dirty() }},
	{name: "commits", do: func(s *astray) { s.agentCommits(); s.dirty() }},
	{name: "merges another branch", do: func(s *astray) {
		s.agentCommits()
		s.git("merge", "-q", "--no-ff", "-m", "merge", "main~0")
		s.git("switch", "-q", "-c", "side", "HEAD~1")
		s.keepSafe("side")
		s.commit("side")
		s.git("switch", "-q", "ralph/x")
		s.git("merge", "-q", "--no-ff", "-m", "merge", "side")
	}},
	{name: "detached on the line", told: "HEAD was detached", do: func(s *astray) {
		s.git("checkout", "-q", "--detach")
		s.agentCommits()
		s.dirty()
	}},
	{name: "new branch on the line", told: "HEAD was on feature", do: func(s *astray) {
		s.git("switch", "-q", "-c", "feature")
		s.agentCommits()
		s.dirty()
	}},
	{name: "new branch beside commits on the loop branch", kept: 1, told: "HEAD was on feature", do: func(s *astray) {
		s.keepSafe("on the loop branch")
		s.commit("first")
		s.git("switch", "-q", "-c", "feature", s.tip.String())
		s.agentCommits()
	}},
	{name: "loop branch deleted on the line", told: "HEAD was on feature", do: func(s *astray) {
		s.git("switch", "-q", "-c", "feature")
		s.agentCommits()
		s.git("branch", "-q", "-D", "ralph/x")
	}},
	{name: "amends ours", kept: 1, stray: "rewritten", do: func(s *astray) {
		s.keepSafe("a")
		s.git("commit", "-q", "-a", "--amend", "-m", "amended")
		s.dirty()
	}},
	{name: "resets ours away, dirty", kept: 1, stray: "taken back", do: func(s *astray) {
		s.git("reset", "-q", "--hard", "HEAD~1")
		s.dirty()
	}},
	{name: "resets ours away, soft", stray: "taken back", do: func(s *astray) { s.git("reset", "-q", "--soft", "HEAD~1") }},
	{name: "switches to main", stray: "HEAD was on main", do: func(s *astray) { s.git("switch", "-q", "main") }},
	{name: "switches to main, dirty", kept: 1, stray: "HEAD was on main", do: func(s *astray) {
		s.git("switch", "-q", "main")
		s.dirty()
	}},
	{name: "commits on main", kept: 1, stray: "HEAD was on main", do: func(s *astray) {
		s.git("switch", "-q", "main")
		s.agentCommits()
		s.dirty()
	}},
	{name: "commits on both", kept: 2, stray: "HEAD was on main", do: func(s *astray) {
		s.agentCommits()
		s.git("switch", "-q", "main")
		s.dirty()
	}},
	{name: "merges the loop into main", kept: 1, stray: "HEAD was on main", do: func(s *astray) {
		s.keepSafe("a")
		s.commit("the agent's")
		s.git("switch", "-q", "main")
		s.git("merge", "-q", "--no-ff", "-m", "merge", "ralph/x")
	}},
	{name: "detached below", stray: "HEAD was detached", kept: 1, do: func(s *astray) {
		s.git("checkout", "-q", "--detach", "HEAD~1")
		s.dirty()
	}},
	{name: "orphan branch", stray: "no commit", kept: 1, do: func(s *astray) {
		s.git("switch", "-q", "--orphan", "pages")
		s.dirty()
	}},
	{name: "orphan branch with commits", stray: "HEAD was on pages", kept: 1, do: func(s *astray) {
		s.git("switch", "-q", "--orphan", "pages")
		s.agentCommits()
	}},
	{name: "loop branch deleted under HEAD", stray: "deleted", kept: 1, do: func(s *astray) {
		s.dirty()
		s.git("update-ref", "-d", loopBranch.String())
	}},
	{name: "loop branch broken", stray: "deleted", kept: 1, told: "moved the file of ralph/x away", do: func(s *astray) {
		s.dirty()
		s.write(".git/"+loopBranch.String(), "")
	}},
	{name: "HEAD on a broken ref", stray: "HEAD was on broken", kept: 1, do: func(s *astray) {
		s.dirty()
		s.git("symbolic-ref", "HEAD", "refs/heads/broken")
		s.write(".git/refs/heads/broken", "0123456789012345678901234567890123456789\n")
	}},
	{name: "HEAD on an empty ref", stray: "HEAD was on broken", kept: 1, do: func(s *astray) {
		s.dirty()
		s.git("symbolic-ref", "HEAD", "refs/heads/broken")
		s.write(".git/refs/heads/broken", "")
	}},
	{name: "merge left open", kept: 1, told: "ended the merge", do: func(s *astray) {
		s.conflicting()
		_, _ = s.try("merge", "side")
	}},
	{name: "cherry-pick left open", kept: 1, told: "ended the cherry-pick", do: func(s *astray) {
		s.conflicting()
		_, _ = s.try("cherry-pick", "side")
	}},
	{name: "revert left open", told: "ended the revert", do: func(s *astray) {
		s.agentCommits()
		_, _ = s.try("revert", "--no-edit", "HEAD~1")
	}},
	{name: "rebase left open", stray: "HEAD was detached", kept: 2, told: "ended the rebase", do: func(s *astray) {
		s.git("switch", "-q", "main")
		s.keepSafe("a")
		s.commit("main goes on")
		s.git("switch", "-q", "ralph/x")
		s.keepSafe("a")
		s.commit("the agent's")
		_, _ = s.try("rebase", "main")
		s.git("branch", "-q", "-f", "main", "main~1")
	}},
	{name: "rebase with work put away left open", kept: 2, told: "ended the rebase", do: func(s *astray) {
		s.conflicting()
		s.keepSafe("loop")
		_, _ = s.try("rebase", "--autostash", "side")
	}},
	{name: "interactive rebase left open on the line", told: "ended the rebase", do: func(s *astray) {
		s.agentCommits()
		_, _ = s.try("-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "-i", "HEAD~1")
		s.dirty()
	}},
	{name: "am left open", told: "ended the am", do: func(s *astray) {
		s.conflicting()
		s.write("../patch", s.git("format-patch", "--stdout", "-1", "side")+"\n")
		_, _ = s.try("am", s.path("../patch"))
	}},
	{name: "bisect left open", kept: 1, told: "ended the bisect", do: func(s *astray) {
		for range 4 {
			s.keepSafe("a")
			s.commit("more")
		}
		s.git("bisect", "start", "HEAD", "main")
	}},
}

// conflicting makes a branch side, which nothing but it holds, and a commit on the loop branch that conflict.
func (s *astray) conflicting() {
	s.t.Helper()
	s.git("switch", "-q", "-c", "side")
	s.keepSafe("a")
	s.commit("side")
	s.git("switch", "-q", "ralph/x")
	s.keepSafe("a")
	s.commit("the agent's")
}

func TestGather(t *testing.T) {
	for _, tt := range append(slices.Clone(misdeeds), takenBack...) {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			s := newAstray(t)
			r := s.open()
			tt.do(s)
			s.write("ignored/file", "stays\n")
			head, others := s.tryHash("HEAD"), s.others()
			got := s.gather(r)

			if tt.stray == "" && got.Stray != "" || !strings.Contains(got.Stray, tt.stray) {
				t.Errorf("stray %q, want %q", got.Stray, tt.stray)
			}
			if len(got.Kept) != tt.kept {
				t.Errorf("kept %q, want %d", got.Kept, tt.kept)
			}
			if told := strings.Join(got.Told, "\n"); !strings.Contains(told, tt.told) || tt.told == "" && told != "" {
				t.Errorf("told %q, want %q", told, tt.told)
			}
			s.checkBack(got, head, tt.stray != "")
			if now := s.others(); now != others {
				t.Errorf("other refs were\n%s\nare\n%s", others, now)
			}
			s.checkNothingLost()

			kept := s.git("for-each-ref", "refs/ralph/")
			again := s.gather(r)
			if again.Parent != got.Parent || again.Branch != got.Branch || again.Stray != "" || len(again.Told) > 0 || len(again.Kept) > 0 {
				t.Errorf("again: %+v", again)
			}
			if now := s.git("for-each-ref", "refs/ralph/"); now != kept {
				t.Errorf("again: kept refs were\n%s\nare\n%s", kept, now)
			}
		})
	}
}

// tryHash returns the zero hash when there is no such thing.
func (s *scratch) tryHash(rev string) plumbing.Hash {
	s.t.Helper()
	id, err := s.try("rev-parse", "--quiet", "--verify", rev)
	if err != nil {
		return plumbing.ZeroHash
	}
	return plumbing.NewHash(id)
}

// checkBack checks that HEAD is on the loop branch, at what the agent committed or, when it was astray, at our tip without anything uncommitted.
func (s *astray) checkBack(got gitstate.Gathered, head plumbing.Hash, stray bool) {
	s.t.Helper()
	if branch := s.git("symbolic-ref", "HEAD"); branch != loopBranch.String() {
		s.t.Errorf("HEAD is on %s", branch)
	}
	if now := s.hash("HEAD"); now != got.Branch || now != got.Parent {
		s.t.Errorf("the loop branch is at %s, gathered %+v", now, got)
	}
	if stray && got.Parent != s.tip || !stray && got.Parent != head {
		s.t.Errorf("parent %s, tip %s, HEAD was %s", got.Parent, s.tip, head)
	}
	if status := s.git("status", "--porcelain"); stray && status != "" {
		s.t.Errorf("the work tree is not at our tip:\n%s", status)
	}
	if s.read("ignored/file") != "stays\n" {
		s.t.Error("an ignored file is gone")
	}
	if name, err := s.open().Operation(s.t.Context()); name != "" || err != nil {
		s.t.Errorf("operation %q, %v", name, err)
	}
}
