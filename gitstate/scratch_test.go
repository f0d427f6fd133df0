package gitstate_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// scratch is a repository of a test, in a directory of its own.
type scratch struct {
	t   *testing.T
	top string // directory of everything
	dir string // work tree
	env []string
}

// newScratch makes an empty repository whose branch main is unborn.
func newScratch(t *testing.T) *scratch {
	t.Helper()
	top, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &scratch{t: t, top: top, dir: filepath.Join(top, "work"), env: frozen(top)}
	s.mkdir("../work")
	s.git("init", "-q", "-b", "main")
	return s
}

// frozen is an environment with a home, an identity and dates that never change.
func frozen(home string) []string {
	return []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + home, "XDG_CONFIG_HOME=" + home, "TMPDIR=" + os.TempDir(), "LC_ALL=C",
		"GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=ada@example.org", "GIT_AUTHOR_DATE=2026-01-02T03:04:05Z",
		"GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=ada@example.org", "GIT_COMMITTER_DATE=2026-01-02T03:04:05Z",
	}
}

// git runs git in the work tree and returns what it prints, without final newlines.
func (s *scratch) git(args ...string) string {
	s.t.Helper()
	out, err := s.try(args...)
	if err != nil {
		s.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// try runs git where it may fail.
func (s *scratch) try(args ...string) (string, error) {
	s.t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	return strings.TrimRight(string(out), "\n"), err
}

func (s *scratch) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *scratch) mkdir(name string) {
	s.t.Helper()
	if err := os.MkdirAll(s.path(name), 0o777); err != nil {
		s.t.Fatal(err)
	}
}

// write writes a file and its directories.
func (s *scratch) write(name, text string) {
	s.t.Helper()
	s.mkdir(filepath.ToSlash(filepath.Dir(name)))
	if err := os.WriteFile(s.path(name), []byte(text), 0o666); err != nil {
		s.t.Fatal(err)
	}
}

func (s *scratch) read(name string) string {
	s.t.Helper()
	text, err := os.ReadFile(s.path(name))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

func (s *scratch) remove(name string) {
	s.t.Helper()
	if err := os.RemoveAll(s.path(name)); err != nil {
		s.t.Fatal(err)
	}
}

// commit commits everything.
func (s *scratch) commit(message string) plumbing.Hash {
	s.t.Helper()
	s.git("add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", message)
	return s.hash("HEAD")
}

func (s *scratch) hash(rev string) plumbing.Hash {
	s.t.Helper()
	return plumbing.NewHash(s.git("rev-parse", "--verify", rev))
}

// open opens the repository as the program does.
func (s *scratch) open() *gitstate.Repository {
	s.t.Helper()
	r, err := gitstate.Open(s.t.Context(), gitstate.OpenRequest{Dir: s.dir, Env: s.env})
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = r.Close() })
	return r
}

// snapshot takes a snapshot that is closed with the test.
func (s *scratch) snapshot(r *gitstate.Repository, g gitstate.Guard) *gitstate.Snapshot {
	s.t.Helper()
	snap, err := r.Snapshot(s.t.Context(), g)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { _ = snap.Close() })
	return snap
}

// follow commits the snapshot on HEAD and lets the index follow.
func (s *scratch) follow(snap *gitstate.Snapshot) {
	s.t.Helper()
	args := []string{"commit-tree", "-m", "ours", snap.Tree.String()}
	if head, err := s.try("rev-parse", "--quiet", "--verify", "HEAD"); err == nil {
		args = append(args, "-p", head)
	}
	s.git("update-ref", "HEAD", s.git(args...))
	followed, err := snap.FollowIndex(s.t.Context())
	if err != nil || !followed {
		s.t.Fatalf("FollowIndex = %v, %v", followed, err)
	}
}

// index returns the bytes of the index; empty: there is none.
func (s *scratch) index() string {
	s.t.Helper()
	text, err := os.ReadFile(s.git("rev-parse", "--path-format=absolute", "--git-path", "index"))
	if err != nil && !os.IsNotExist(err) {
		s.t.Fatal(err)
	}
	return string(text)
}

// headFile returns what HEAD says: a branch, born or not, or a commit.
func (s *scratch) headFile() string {
	s.t.Helper()
	text, err := os.ReadFile(s.git("rev-parse", "--path-format=absolute", "--git-path", "HEAD"))
	if err != nil {
		s.t.Fatal(err)
	}
	return string(text)
}

// files lists the paths of a tree as git quotes them.
func (s *scratch) files(tree plumbing.Hash) string {
	s.t.Helper()
	return s.git("ls-tree", "-r", "--name-only", tree.String())
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// gitVersion is the minor version of git 2.
func (s *scratch) gitVersion() int {
	s.t.Helper()
	fields := strings.Split(strings.TrimPrefix(s.git("version"), "git version "), ".")
	if len(fields) < 2 || fields[0] != "2" {
		return 99
	}
	minor, err := strconv.Atoi(fields[1])
	if err != nil {
		s.t.Fatal(err)
	}
	return minor
}

// TestMain runs the tests with another git where GIT_RALPH_TEST_GIT names one.
func TestMain(m *testing.M) {
	if err := useAnotherGit(); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
