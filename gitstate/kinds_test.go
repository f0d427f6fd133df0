package gitstate_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// kinds are repositories that are out of the ordinary, each with uncommitted work.
var kinds = map[string]func(*scratch){
	"plain": func(s *scratch) { s.base(); s.work() },
	"unborn": func(s *scratch) {
		s.work()
		s.git("add", "new")
	},
	"no changes": func(s *scratch) { s.base() },
	"detached":   func(s *scratch) { s.base(); s.git("checkout", "-q", "--detach"); s.work() },
	"partly staged": func(s *scratch) {
		s.base()
		s.write("a", "staged\n")
		s.git("add", "a")
		s.work()
	},
	"sub-folder": func(s *scratch) {
		s.base()
		s.work()
		s.dir = s.path("dir")
	},
	"linked worktree": func(s *scratch) {
		s.base()
		s.git("worktree", "add", "-q", "../linked", "-b", "other")
		s.dir = s.path("../linked")
		s.work()
	},
	"sparse checkout": func(s *scratch) {
		s.base()
		s.git("sparse-checkout", "set", "dir")
		s.write("dir/b", "edited\n")
		s.write("dir/new", "new\n")
	},
	"sparse index": func(s *scratch) {
		s.base()
		s.git("sparse-checkout", "set", "--cone", "--sparse-index", "dir")
		s.write("dir/b", "edited\n")
	},
	"split index": func(s *scratch) {
		s.base()
		s.git("update-index", "--split-index")
		s.work()
	},
	"untracked cache": func(s *scratch) {
		s.base()
		s.git("update-index", "--untracked-cache")
		s.git("status")
		s.work()
	},
	"index version 4": func(s *scratch) {
		s.base()
		s.git("update-index", "--index-version", "4")
		s.work()
	},
	"shallow": func(s *scratch) {
		s.base()
		s.commit("second")
		s.git("clone", "-q", "--depth=1", "file://"+s.dir, s.path("../shallow"))
		s.dir = s.path("../shallow")
		s.work()
	},
	"packed refs": func(s *scratch) { s.base(); s.git("pack-refs", "--all"); s.git("gc", "-q"); s.work() },
	"autocrlf": func(s *scratch) {
		s.git("config", "core.autocrlf", "true")
		s.base()
		s.work()
		s.write("crlf", "one\r\ntwo\r\n")
	},
	"safecrlf": func(s *scratch) {
		s.git("config", "core.autocrlf", "input")
		s.base()
		s.write("crlf", "one\r\ntwo\n")
	},
	"clean filter": func(s *scratch) {
		s.git("config", "filter.upper.clean", "tr a-z A-Z")
		s.git("config", "filter.upper.smudge", "tr A-Z a-z")
		s.write(".gitattributes", "*.up filter=upper\n")
		s.write("x.up", "text\n")
		s.base()
		s.write("x.up", "other\n")
		s.write("new.up", "new\n")
	},
	"global ignores": func(s *scratch) {
		s.write("../git/ignore", "*.log\n") // $XDG_CONFIG_HOME/git/ignore
		s.base()
		s.work()
		s.write("x.log", "never\n")
		s.write(".git/info/exclude", "private\n")
		s.write("private", "never\n")
	},
	"odd names": func(s *scratch) {
		s.base()
		for _, name := range []string{"with space", "new\nline", "tab\there", "*star", ":(top)magic", `back\slash`, "-dash", "\"quoted\""} {
			s.write(name, name)
		}
		s.write("dir/caf\u00e9", "unicode")
		if runtime.GOOS == "linux" { // others refuse or change the name
			s.write("not-utf8-\xff\xfe", "bytes")
		}
	},
	"file and directory swapped": func(s *scratch) {
		s.base()
		s.remove("a")
		s.write("a/b", "now a directory\n")
		s.remove("dir")
		s.write("dir", "now a file\n")
	},
	"symbolic links": func(s *scratch) {
		s.base()
		s.must(os.Symlink("a", s.path("link")))
		s.must(os.Symlink("/nowhere", s.path("dangling")))
	},
	"submodule": func(s *scratch) {
		s.library()
		s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib")
		s.base()
		s.work()
		s.write("lib/new", "in the submodule\n")
		s.git("-C", "lib", "add", "-A")
		s.git("-C", "lib", "commit", "-qm", "moved")
	},
	"new submodule": func(s *scratch) {
		s.library()
		s.base()
		s.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../library", "lib")
	},
	"assume unchanged": func(s *scratch) {
		s.base()
		s.git("update-index", "--assume-unchanged", "a")
		s.write("a", "not to be seen\n")
	},
	"intent to add": func(s *scratch) {
		s.base()
		s.write("soon", "text\n")
		s.git("add", "-N", "soon")
	},
	"tracked but ignored": func(s *scratch) {
		s.base()
		s.write(".gitignore", "a\nnew\n")
		s.work()
	},
	"executable bit": func(s *scratch) { s.base(); s.must(os.Chmod(s.path("a"), 0o777)) },
	"merge with conflicts": func(s *scratch) {
		s.base()
		s.git("switch", "-q", "-c", "other")
		s.write("a", "theirs\n")
		s.commit("theirs")
		s.git("switch", "-q", "main")
		s.write("a", "ours\n")
		s.commit("ours")
		_, _ = s.try("merge", "other") // ends with conflicts
	},
}

// base commits a few files.
func (s *scratch) base() {
	s.t.Helper()
	s.write("a", "one\n")
	s.write("dir/b", "two\n")
	s.write("gone", "three\n")
	s.write("far/away", "four\n")
	s.commit("base")
}

// work edits, adds and deletes.
func (s *scratch) work() {
	s.t.Helper()
	s.write("a", "edited\n")
	s.write("new", "new\n")
	s.write("dir/deep/new", "new\n")
	s.remove("gone")
}

// library makes a repository beside the work tree.
func (s *scratch) library() {
	s.t.Helper()
	s.write("../library/code", "code\n")
	s.git("-C", "../library", "init", "-q", "-b", "main")
	s.git("-C", "../library", "add", "-A")
	s.git("-C", "../library", "commit", "-qm", "library")
}

func (s *scratch) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

// A snapshot has the tree that git's own add and commit make, touches neither index nor HEAD, and leaves a clean and fast status behind.
func TestSnapshotOfKinds(t *testing.T) {
	for name, build := range kinds {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, twin := newScratch(t), newScratch(t)
			build(ours)
			build(twin)
			index, head := ours.index(), ours.headFile()
			r := ours.open()
			snap := ours.snapshot(r, gitstate.Guard{})
			if ours.index() != index {
				t.Error("the snapshot changed the index")
			}
			if now := ours.headFile(); now != head {
				t.Errorf("HEAD was %s, is %s", head, now)
			}
			twin.commitAtTop()
			if want := twin.hash("HEAD^{tree}"); snap.Tree != want {
				t.Errorf("tree %s, git made %s\nours:\n%s\ngit's:\n%s", snap.Tree, want, ours.files(snap.Tree), twin.files(want))
			}
			if len(snap.Skipped) > 0 {
				t.Errorf("skipped %v", snap.Skipped)
			}
			ours.follow(snap)
			want := twin.git("status", "--porcelain")
			if got := ours.git("status", "--porcelain"); got != want {
				t.Errorf("status afterwards:\n%s\ngit's:\n%s", got, want)
			}
			if out, err := ours.try("diff-files", "--quiet"); err != nil && want == "" {
				t.Errorf("the index has to be refreshed: %v %s", err, out)
			}
			if left, _ := filepath.Glob(filepath.Join(r.GitDir, "index*")); len(left) != 1 && name != "unborn" {
				t.Errorf("left beside the index: %q", left)
			}
		})
	}
}

// commitAtTop commits all of the work tree, from wherever in it we are.
func (s *scratch) commitAtTop() {
	s.t.Helper()
	s.git("-C", s.git("rev-parse", "--show-toplevel"), "-c", "core.safecrlf=false", "add", "-A", "--sparse")
	s.git("commit", "-q", "--allow-empty", "-m", "twin")
}
