package gitstate_test

import (
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// later lets commits have another date than those before.
func (s *scratch) later() {
	for i, entry := range s.env {
		if strings.HasPrefix(entry, "GIT_COMMITTER_DATE=") || strings.HasPrefix(entry, "GIT_AUTHOR_DATE=") {
			s.env[i] = strings.Replace(entry, "2026-", "2027-", 1)
		}
	}
}

// A crash in the middle of bringing HEAD back leaves one of these states. The next call ends where the first would have.
func TestGatherGoesOnAfterACrash(t *testing.T) {
	t.Parallel()
	steps := map[string]func(s *astray){
		"work kept": func(s *astray) {
			if _, err := s.open().Keep(s.t.Context(), "x", gitstate.Guard{}, "kept"); err != nil {
				s.t.Fatal(err)
			}
		},
		"work tree half restored": func(s *astray) {
			s.git("add", "-A")
			s.git("update-ref", "refs/ralph/kept/x/8", s.git("commit-tree", "-p", "HEAD", "-m", "kept", s.git("write-tree")))
			s.git("restore", "--source="+s.tip.String(), "a", "loop")
		},
		"work tree restored": func(s *astray) {
			s.git("add", "-A")
			s.git("update-ref", "refs/ralph/kept/x/8", s.git("commit-tree", "-p", "HEAD", "-m", "kept", s.git("write-tree")))
			s.git("read-tree", "-m", "-u", s.git("write-tree"), s.tip.String())
		},
		"loop branch moved": func(s *astray) {
			s.git("add", "-A")
			s.git("update-ref", "refs/ralph/kept/x/8", s.git("commit-tree", "-p", "HEAD", "-m", "kept", s.git("write-tree")))
			s.git("read-tree", "-m", "-u", s.git("write-tree"), s.tip.String())
			s.git("update-ref", loopBranch.String(), s.tip.String())
		},
	}
	for name, step := range steps {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newAstray(t)
			s.keepSafe("on the branch")
			s.commit("the agent's")
			s.git("update-ref", "refs/ralph/kept/x/7", "HEAD") // the loop branch's commit, kept first
			s.git("switch", "-q", "main")
			s.keepSafe("a")
			s.commit("the agent's on main")
			s.dirty()
			s.write("ignored/file", "stays\n")
			if name != "work kept" { // there the ignored file has to stay out
				s.write(".git/info/exclude", "ignored/\n")
			}
			head := s.hash("HEAD")
			step(s)
			s.later()
			got := s.gather(s.open())
			s.checkBack(got, head, true)
			s.checkNothingLost()
			if kept := s.git("for-each-ref", "refs/ralph/kept/"); strings.Count(kept, "\n") > 3 {
				t.Errorf("kept too often:\n%s", kept)
			}
		})
	}
}

// What is adopted is on the loop branch before HEAD leaves it.
func TestAdoptionGoesOnAfterACrash(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.git("switch", "-q", "--detach")
	s.agentCommits()
	head := s.hash("HEAD")
	s.git("update-ref", loopBranch.String(), "HEAD")
	s.checkBack(s.gatherWithIgnored(), head, false)
	s.checkNothingLost()
}

func (s *astray) gatherWithIgnored() gitstate.Gathered {
	s.t.Helper()
	s.write("ignored/file", "stays\n")
	return s.gather(s.open())
}

// Files that the snapshot would leave out, but that stand where our tip has others, are kept before they are overwritten.
func TestFilesInTheWayAreKept(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.write(".env", "A=1\n")
	s.write("x.tmp", "tracked though ignored\n")
	s.write("place", "a file\n")
	s.write("folder/file", "in a directory\n")
	s.git("add", "-f", ".")
	s.git("commit", "-q", "-m", "ours")
	s.tip = s.hash("HEAD")
	s.git("switch", "-q", "main")
	s.keepSafe(".env")
	s.keepSafe("x.tmp")
	s.keepSafe("place/deep/y.tmp")
	s.keepSafe("folder")
	head := s.hash("HEAD")
	got := s.gatherWithIgnored()
	s.checkBack(got, head, true)
	s.checkNothingLost()
	if len(got.Kept) != 1 {
		t.Errorf("kept %q", got.Kept)
	}
	if s.read("x.tmp") != "tracked though ignored\n" || s.read("place") != "a file\n" {
		t.Error("the work tree is not at our tip")
	}
}

// What git cannot keep is not overwritten: the error names it, and nothing has moved.
func TestPipeInTheWayStopsGathering(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no named pipes in directories")
	}
	t.Parallel()
	s := newAstray(t)
	s.git("switch", "-q", "main")
	s.dirty()
	if out, err := exec.Command("mkfifo", s.path("loop")).CombinedOutput(); err != nil {
		t.Skipf("mkfifo: %v %s", err, out)
	}
	_, err := s.open().Gather(t.Context(), s.request())
	if err == nil || !strings.Contains(err.Error(), `"loop" is in the way`) {
		t.Errorf("Gather = %v", err)
	}
	if branch := s.git("symbolic-ref", "HEAD"); branch != "refs/heads/main" {
		t.Errorf("HEAD is on %s", branch)
	}
	s.checkNothingLost()
	s.must(os.Remove(s.path("loop")))
	s.checkBack(s.gatherWithIgnored(), s.tip, true)
}

// A file that the guard leaves out stays on disk when the work tree goes back.
func TestLeftOutFilesStayOnDisk(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.git("switch", "-q", "main")
	s.dirty()
	s.write("secrets/.env", "A=1\n")
	s.write("large", strings.Repeat("x", 2000))
	q := s.request()
	q.Guard = gitstate.Guard{MaxFileSize: 1000}
	if _, err := s.open().Gather(t.Context(), q); err != nil {
		t.Fatal(err)
	}
	if s.read("secrets/.env") != "A=1\n" || len(s.read("large")) != 2000 {
		t.Error("a file that was left out has changed")
	}
	if out := s.git("log", "--all", "--format=", "--name-only"); strings.Contains(out, ".env") {
		t.Errorf("the secret is in history:\n%s", out)
	}
	s.checkNothingLost()
}

func TestKeep(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	r := s.open()
	keep := func(want string) {
		t.Helper()
		ref, err := r.Keep(t.Context(), "x", gitstate.Guard{}, "before a rewind\n")
		if err != nil || ref.String() != "refs/ralph/kept/x/"+want {
			t.Fatalf("Keep = %s, %v, want %s", ref, err, want)
		}
	}
	keep("1")
	if s.hash("refs/ralph/kept/x/1") != s.tip {
		t.Error("without uncommitted work HEAD itself is kept")
	}
	s.dirty()
	status, index := s.git("status", "--porcelain"), s.index()
	keep("2")
	keep("2")
	if s.hash("refs/ralph/kept/x/2^") != s.tip || s.git("log", "-1", "--format=%s", "refs/ralph/kept/x/2") != "before a rewind" {
		t.Error("the kept commit is not on HEAD, or has not our message")
	}
	if s.git("status", "--porcelain") != status || s.index() != index || s.hash("HEAD") != s.tip {
		t.Error("keeping changed something")
	}
	s.git("update-ref", "-d", "refs/ralph/kept/x/1")
	s.git("update-ref", "refs/ralph/kept/x/11", s.tip.String()+"^")
	s.dirty()
	keep("12")
	s.checkNothingLost()
}
