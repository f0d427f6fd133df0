package gitstate_test

import (
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// nest makes a repository at dir in the work tree, with a commit or without.
func (s *scratch) nest(dir string, commit bool) {
	s.t.Helper()
	s.write(dir+"/code", "code\n")
	s.git("init", "-q", dir)
	if commit {
		s.git("-C", dir, "add", "code")
		s.git("-C", dir, "commit", "-qm", "its own")
	}
}

func TestNestedRepositoriesBecomeFiles(t *testing.T) {
	t.Parallel()
	for name, commit := range map[string]bool{"without a commit": false, "with a commit": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newScratch(t)
			s.write(".gitignore", "*.log\n/app/outer\n")
			s.commit("base")
			s.nest("app", commit)
			s.nest("app/inner", commit)
			s.write("app/.gitignore", "build/\n")
			s.write("app/.git/info/exclude", "private\n")
			for _, ignored := range []string{"app/build/x", "app/x.log", "app/outer", "app/private", "app/inner/x.log"} {
				s.write(ignored, "never\n")
			}
			s.write("app/.env", "A=1\n")
			s.write("app/odd\nname", "text\n")
			r := s.open()
			snap := s.snapshot(r, gitstate.Guard{})
			want := ".gitignore\napp/.gitignore\napp/code\napp/inner/code\n\"app/odd\\nname\""
			if got := s.files(snap.Tree); got != want {
				t.Errorf("tree:\n%s", got)
			}
			if len(snap.Skipped) != 1 || snap.Skipped[0].Path != "app/.env" {
				t.Errorf("skipped %v", snap.Skipped)
			}
			if len(snap.Told) != 1 || !strings.Contains(snap.Told[0], "app") {
				t.Errorf("told %q", snap.Told)
			}
			s.follow(snap)

			s.write("app/code", "edited\n")
			s.write("app/new", "new\n")
			s.write("app/deep/er/new", "new\n")
			s.write("app/inner/new", "new\n")
			s.remove("app/inner/code")
			snap = s.snapshot(r, gitstate.Guard{})
			want = ".gitignore\napp/.gitignore\napp/code\napp/deep/er/new\napp/inner/new\napp/new\n\"app/odd\\nname\""
			if got := s.files(snap.Tree); got != want {
				t.Errorf("next tree:\n%s", got)
			}
			if got := s.git("cat-file", "blob", snap.Tree.String()+":app/code"); got != "edited" {
				t.Errorf("app/code is %q", got)
			}
			s.follow(snap)
			if got := s.git("ls-files", "-s"); strings.Contains(got, "160000") {
				t.Errorf("a gitlink:\n%s", got)
			}
		})
	}
}

// The agent's own `git add` makes a gitlink, which holds none of the files.
func TestStagedGitlinkOfANestedRepositoryBecomesFiles(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.nest("app", true)
	s.git("add", "-A")
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got := s.git("ls-tree", "-r", snap.Tree.String(), "app/"); !strings.HasPrefix(got, "100644 blob") || !strings.HasSuffix(got, "\tapp/code") {
		t.Errorf("app is\n%s", got)
	}
	s.follow(snap)
	if got := s.git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
}

func TestGitlinkInHeadStaysOne(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.nest("app", true)
	s.commit("with a gitlink")
	s.write("app/code", "edited\n")
	s.git("-C", "app", "commit", "-qam", "moved")
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got, want := s.git("ls-tree", snap.Tree.String(), "app"), "160000 commit "+s.git("-C", "app", "rev-parse", "HEAD")+"\tapp"; got != want {
		t.Errorf("app is %q, want %q", got, want)
	}
}

func TestLinkedWorktreeIsLeftOut(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.git("worktree", "add", "-q", "-b", "other", "trees/other")
	s.git("worktree", "add", "-q", "-b", "staged", "trees/staged")
	s.git("add", "-f", "trees/staged")
	s.write("new", "new\n")
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got, want := s.files(snap.Tree), "a\ndir/b\nfar/away\ngone\nnew"; got != want {
		t.Errorf("tree:\n%s", got)
	}
	if told := strings.Join(snap.Told, "\n"); !strings.Contains(told, "trees/other") || !strings.Contains(told, "trees/staged") {
		t.Errorf("told %q", snap.Told)
	}
}

// Nothing that a nested repository's configuration names is run.
func TestNestedConfigurationRunsNothing(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.nest("app", true)
	s.write("app/.gitattributes", "* filter=evil\n")
	trap := s.path("../trap")
	s.write("trap.sh", "#!/bin/sh\n: >"+trap+"\ncat\n")
	s.git("update-index", "--add", "--chmod=+x", "trap.sh")
	s.git("checkout", "-q", "--", "trap.sh")
	for _, key := range []string{"core.fsmonitor", "core.pager", "filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "core.editor"} {
		s.git("-C", "app", "config", key, s.path("trap.sh"))
	}
	s.write("app/code", "edited\n")
	s.remove("../trap")
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got := s.git("cat-file", "blob", snap.Tree.String()+":app/code"); got != "edited" {
		t.Errorf("app/code is %q", got)
	}
	if exists(trap) {
		t.Error("a program of the nested repository's configuration ran")
	}
}
