package gitstate_test

import (
	"errors"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestOpenRefuses(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.mkdir("../nothing")
	s.git("init", "-q", "--bare", "../bare")
	s.git("init", "-q", "--object-format=sha256", "../sha256")
	tests := map[string]error{
		"../nothing": gitstate.ErrNotRepository,
		"../bare":    gitstate.ErrBare,
		".git":       gitstate.ErrBare,
		"../sha256":  gitstate.ErrSHA256,
	}
	for dir, want := range tests {
		env := append(s.env, "GIT_CEILING_DIRECTORIES="+s.top)
		if _, err := gitstate.Open(t.Context(), gitstate.OpenRequest{Dir: s.path(dir), Env: env}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", dir, err, want)
		}
	}
}

// Whatever the user's environment says relative to where the program was started holds at the top level too.
func TestOpenWithTheUsersEnvironment(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.write("dir/new", "new\n")
	tests := []struct {
		name, dir string
		env       []string
		top       string
		files     string
	}{
		{name: "sub-folder", dir: "dir", top: ".", files: "a\ndir/b\ndir/new\nfar/away\ngone"},
		{name: "git directory", dir: "dir", env: []string{"GIT_DIR=../.git", "GIT_WORK_TREE=.."}, top: ".", files: "a\ndir/b\ndir/new\nfar/away\ngone"},
		{name: "git directory only", dir: "dir", env: []string{"GIT_DIR=../.git"}, top: "dir", files: "b\nnew"},
		{name: "another work tree", dir: ".", env: []string{"GIT_DIR=.git", "GIT_WORK_TREE=dir"}, top: "dir", files: "b\nnew"},
		{name: "pathspecs", dir: "dir", env: []string{"GIT_LITERAL_PATHSPECS=1", "GIT_PREFIX=dir/"}, top: ".", files: "a\ndir/b\ndir/new\nfar/away\ngone"},
		{name: "another index", dir: "dir", env: []string{"GIT_INDEX_FILE=.git/other"}, top: ".", files: "a\ndir/b\ndir/new\nfar/away\ngone"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := s.path(tt.dir)
			r, err := gitstate.Open(t.Context(), gitstate.OpenRequest{Dir: dir, Env: append(append([]string(nil), s.env...), tt.env...)})
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			if r.TopLevel != s.path(tt.top) || r.GitDir != s.path(".git") || r.CommonDir != s.path(".git") {
				t.Errorf("opened %+v", r)
			}
			index := s.index()
			snap, err := r.Snapshot(t.Context(), gitstate.Guard{})
			if err != nil {
				t.Fatal(err)
			}
			defer snap.Close()
			if got := s.files(snap.Tree); got != tt.files {
				t.Errorf("tree:\n%s", got)
			}
			if tt.name == "another index" {
				if followed, err := snap.FollowIndex(t.Context()); !followed || err != nil || !exists(s.path(".git/other")) {
					t.Errorf("FollowIndex = %v, %v", followed, err)
				}
			}
			if s.index() != index {
				t.Error("the index changed")
			}
		})
	}
}

func TestOpenWhereThePathHasANewline(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no such names")
	}
	t.Parallel()
	s := newScratch(t)
	s.git("init", "-q", "../new\nline")
	s.dir = filepath.Join(s.top, "new\nline")
	s.write("sub/a", "text\n")
	top := s.dir
	s.dir = s.path("sub")
	r := s.open()
	if r.TopLevel != top || r.GitDir != filepath.Join(top, ".git") || r.Prefix != "sub/" {
		t.Errorf("opened %q %q %q", r.TopLevel, r.GitDir, r.Prefix)
	}
	if got := s.files(s.snapshot(r, gitstate.Guard{}).Tree); got != "a" { // seen from the sub-folder
		t.Errorf("tree: %q", got)
	}
}
