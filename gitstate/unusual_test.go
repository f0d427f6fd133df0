package gitstate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// What cannot be read is told; the rest is in the tree, and a tracked file keeps its old content.
func TestUnreadablePathsAreSkipped(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.work()
	s.write("closed", "no one reads this\n")
	s.write("shut/file", "nor this\n")
	s.nest("app", false)
	s.write("app/closed", "nor this\n")
	for _, name := range []string{"closed", "a", "shut", "app/closed"} {
		s.must(os.Chmod(s.path(name), 0))
	}
	t.Cleanup(func() { _ = os.Chmod(s.path("shut"), 0o700) })
	if _, err := os.ReadFile(s.path("closed")); err == nil {
		t.Skip("nothing is unreadable here: the test runs as root, or on another kind of system")
	}
	snap := s.snapshot(s.open(), gitstate.Guard{})
	want := []gitstate.SkippedPath{{Path: "a", Reason: "unreadable"}, {Path: "app/closed", Reason: "unreadable"}, {Path: "closed", Reason: "unreadable"}, {Path: "shut/", Reason: "unreadable"}}
	if !reflect.DeepEqual(snap.Skipped, want) {
		t.Errorf("skipped %q", snap.Skipped)
	}
	if got := s.files(snap.Tree); got != "a\napp/code\ndir/b\ndir/deep/new\nfar/away\nnew" {
		t.Errorf("tree:\n%s", got)
	}
	if got := s.git("cat-file", "blob", snap.Tree.String()+":a"); got != "one" {
		t.Errorf("a is %q", got)
	}
}

// `git add` gives up when a file vanishes under it, or a filter fails. The next try may find all well.
func TestSnapshotTriesAgain(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	mark := filepath.ToSlash(s.path("../mark"))
	s.git("config", "filter.once.clean", "test -e '"+mark+"' || { : >'"+mark+"'; exit 1; }; cat")
	s.git("config", "filter.once.required", "true")
	s.write(".gitattributes", "x filter=once\n")
	s.write("x", "text\n")
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got := s.files(snap.Tree); got != ".gitattributes\nx" || !exists(mark) {
		t.Errorf("tree:\n%s", got)
	}
}

// Objects that only the index knew may be pruned: then all is read again.
func TestSnapshotWithPrunedObjects(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.write("dir/staged", "staged\n")
	s.git("add", "-A")
	s.write("new", "new\n")
	s.write(".env", "A=1\n")
	s.git("prune", "--expire=now")
	id := s.git("rev-parse", ":dir/staged")
	s.remove(".git/objects/" + id[:2] + "/" + id[2:])
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got := s.files(snap.Tree); got != "a\ndir/b\ndir/staged\nfar/away\ngone\nnew" {
		t.Errorf("tree:\n%s", got)
	}
	if len(snap.Skipped) != 1 {
		t.Errorf("skipped %q", snap.Skipped)
	}
	s.follow(snap)
	s.git("fsck", "--strict")
}

func TestSnapshotWithADamagedIndex(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.work()
	s.write(".git/index", "DIRC and then nothing that git wrote, long enough to be looked at as an index\n")
	r := s.open()
	snap := s.snapshot(r, gitstate.Guard{})
	if got := s.files(snap.Tree); got != "a\ndir/b\ndir/deep/new\nfar/away\nnew" {
		t.Errorf("tree:\n%s", got)
	}
	changes, err := r.Changes(t.Context(), s.hash("HEAD"), snap.Tree)
	if want := (gitstate.FileCounts{Created: 2, Modified: 1, Deleted: 1}); err != nil || changes.Counts() != want {
		t.Errorf("Changes = %+v, %v", changes, err)
	}
	stat, err := r.DiffStat(t.Context(), s.hash("HEAD"), snap.Tree, 1)
	if err != nil || !strings.Contains(stat, "4 files changed") {
		t.Errorf("DiffStat = %q, %v", stat, err)
	}
	s.follow(snap)
	if got := s.git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
}

// git passes over what is neither a file nor a directory nor a link.
func TestSnapshotPassesOverPipes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no named pipes in directories")
	}
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.nest("app", false)
	for _, name := range []string{"pipe", "app/pipe"} {
		if out, err := exec.Command("mkfifo", s.path(name)).CombinedOutput(); err != nil {
			t.Skipf("mkfifo: %v %s", err, out)
		}
	}
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got := s.files(snap.Tree); got != "a\napp/code\ndir/b\nfar/away\ngone" || len(snap.Skipped) > 0 {
		t.Errorf("skipped %q, tree:\n%s", snap.Skipped, got)
	}
}

// The user's settings for `git add` and its advice do not change what is committed.
func TestSnapshotWithTheUsersSettings(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.work()
	for _, setting := range []string{"add.ignoreErrors=true", "advice.addEmbeddedRepo=true", "core.safecrlf=true", "core.autocrlf=input", "status.showUntrackedFiles=no", "diff.ignoreSubmodules=all", "diff.noprefix=true"} {
		name, value, _ := strings.Cut(setting, "=")
		s.git("config", name, value)
	}
	s.write("crlf", "one\r\n")
	snap := s.snapshot(s.open(), gitstate.Guard{})
	if got := s.files(snap.Tree); got != "a\ncrlf\ndir/b\ndir/deep/new\nfar/away\nnew" {
		t.Errorf("tree:\n%s", got)
	}
	if got := s.git("cat-file", "-s", snap.Tree.String()+":crlf"); got != "4" {
		t.Errorf("crlf has %s bytes", got)
	}
}
