package gitstate_test

import (
	"bufio"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// A git that is killed in the middle of a transaction of ours leaves its locks. They block the user no longer than until we look.
func TestLocksOfAKilledTransaction(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	next := s.git("commit-tree", "-p", "HEAD", "-m", "next", "HEAD^{tree}")
	killed := exec.Command("git", "update-ref", "--stdin")
	killed.Dir, killed.Env = s.dir, s.env
	in, err := killed.StdinPipe()
	s.must(err)
	out, err := killed.StdoutPipe()
	s.must(err)
	s.must(killed.Start())
	t.Cleanup(func() { _ = killed.Process.Kill() })
	lines := bufio.NewScanner(out)
	_, err = in.Write([]byte("start\nupdate " + loopBranch.String() + " " + next + " " + s.tip.String() +
		"\ncreate refs/ralph/tip/x " + next + "\ncreate refs/notes/ralph " + next + "\nprepare\n"))
	s.must(err)
	for lines.Scan() && lines.Text() != "prepare: ok" {
	}
	s.must(killed.Process.Kill())
	_ = killed.Wait() // it was killed

	past := time.Now().Add(-20 * time.Second)
	var left []string
	s.must(filepath.WalkDir(s.path(".git"), func(path string, _ fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".lock") && filepath.Base(path) != "maintenance.lock" { // newer gits tidy up beside a commit
			left = append(left, path)
			return os.Chtimes(path, past, past)
		}
		return err
	}))
	if len(left) != 4 { // HEAD's too
		t.Fatalf("locks left by git: %q", left)
	}
	s.dirty()
	s.git("add", "-A")
	if out, err := s.try("commit", "-q", "-m", "the user's"); err == nil {
		t.Fatalf("the locks block nobody: %s", out)
	}
	removed, err := s.open().RemoveOwnLocks(t.Context(), gitstate.OwnLocks{Loop: "x", Branch: loopBranch, Since: past.Add(-time.Minute)})
	if err != nil || len(removed) != len(left) {
		t.Errorf("RemoveOwnLocks = %q, %v, want %q", removed, err, left)
	}
	s.git("commit", "-q", "-m", "the user's")
	s.git("update-ref", "refs/notes/ralph", "HEAD")
}

// Where refs are not kept in files there is a file refs/heads, and no lock can be below it.
func TestLocksWhereRefsAreNoFiles(t *testing.T) {
	t.Parallel()
	s := newAstray(t)
	s.git("pack-refs", "--all")
	s.must(os.RemoveAll(s.path(".git/refs/heads")))
	s.write(".git/refs/heads", "this repository uses the reftable format\n")
	r := s.open()
	if removed, err := r.RemoveOwnLocks(t.Context(), gitstate.OwnLocks{Loop: "x", Branch: loopBranch, Since: time.Now()}); len(removed) > 0 || err != nil {
		t.Errorf("removed %q, %v", removed, err)
	}
	if got, err := r.Gather(t.Context(), s.request()); err != nil && strings.Contains(err.Error(), "look at a lock") {
		t.Errorf("gathered %+v, %v", got, err) // git itself cannot go on: it keeps refs in files here
	}
}
