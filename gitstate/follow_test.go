package gitstate_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// An edit to the same size within the second in which the index was written shows in nothing but the content.
func TestSameSizeEditInTheSameSecondIsSeen(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	r := s.open()
	write := func(text string, second time.Time) {
		s.write("f", text)
		s.must(os.Chtimes(s.path("f"), second, second))
	}
	past := time.Now().Truncate(time.Second).Add(-10 * time.Second)
	write("one\n", past)
	s.git("add", "f")
	s.git("commit", "-q", "-m", "one")
	s.must(os.Chtimes(filepath.Join(r.GitDir, "index"), past, past))
	write("two\n", past)
	snap := s.snapshot(r, gitstate.Guard{})
	if got := s.git("cat-file", "blob", snap.Tree.String()+":f"); got != "two" {
		t.Fatalf("the snapshot has %q", got)
	}
	// The same for the index that followed: it was written in the file's second or before.
	future := past.Add(time.Hour)
	write("six\n", future)
	s.follow(s.snapshot(r, gitstate.Guard{}))
	write("ten\n", future)
	if got := s.git("status", "--porcelain"); got != " M f" {
		t.Errorf("status after an edit in the same second: %q", got)
	}
}

func TestFollowIndexLeavesAChangedIndexAlone(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.work()
	r := s.open()
	snap := s.snapshot(r, gitstate.Guard{})
	s.git("add", "new")
	index := s.index()
	if followed, err := snap.FollowIndex(t.Context()); followed || err != nil {
		t.Errorf("FollowIndex = %v, %v", followed, err)
	}
	if s.index() != index {
		t.Error("what the user staged is gone")
	}
	if _, err := os.Stat(filepath.Join(r.GitDir, "index.lock")); err == nil {
		t.Error("the lock was left")
	}
}

// A refresh of the index, which a verify command's `git status` makes, is no reason to leave it behind.
func TestFollowIndexAfterARefresh(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.work()
	snap := s.snapshot(s.open(), gitstate.Guard{})
	index := s.index()
	past := time.Now().Add(-time.Hour)
	s.must(os.Chtimes(s.path("dir/b"), past, past))
	s.git("status")
	if s.index() == index {
		t.Fatal("the index was not refreshed")
	}
	s.follow(snap)
	if got := s.git("status", "--porcelain"); got != "" {
		t.Errorf("status:\n%s", got)
	}
}

func TestFollowIndexLeavesALockedIndexAlone(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.work()
	snap := s.snapshot(s.open(), gitstate.Guard{})
	s.write(".git/index.lock", "somebody's")
	index := s.index()
	if followed, err := snap.FollowIndex(t.Context()); followed || err != nil {
		t.Errorf("FollowIndex = %v, %v", followed, err)
	}
	if s.index() != index || s.read(".git/index.lock") != "somebody's" {
		t.Error("the lock did not count")
	}
	if left, _ := filepath.Glob(s.path(".git/index.ralph-*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

func TestClosedSnapshotLeavesNothing(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	r := s.open()
	snap := s.snapshot(r, gitstate.Guard{})
	if err := snap.Close(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(filepath.Join(r.CommonDir, "ralph", "*", "*")); len(left) > 0 {
		t.Errorf("left %q", left)
	}
}

// The tree of chosen paths has nothing else that is staged, and the index that follows keeps it staged.
func TestTreeOfTakesOnlyThePaths(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.write(".gitignore", "secret\n")
	s.commit("ignore")
	s.write("a", "staged by the user\n")
	s.git("add", "a")
	s.write("dir/b", "edited\n")
	s.write("spec/one", "1\n")
	s.write("spec/secret", "never\n")
	s.write("other", "not asked for\n")
	snap, err := s.open().TreeOf(t.Context(), []string{"spec/", "dir/b", "missing", "gone"})
	s.must(err)
	defer snap.Close()
	if got, want := s.files(snap.Tree), ".gitignore\na\ndir/b\nfar/away\ngone\nspec/one"; got != want {
		t.Errorf("tree:\n%s", got)
	}
	if got := s.git("cat-file", "blob", snap.Tree.String()+":a"); got != "one" {
		t.Errorf("the tree has what was staged: %q", got)
	}
	if got := s.git("cat-file", "blob", snap.Tree.String()+":dir/b"); got != "edited" {
		t.Errorf("dir/b is %q", got)
	}
	s.follow(snap)
	if got := s.git("status", "--porcelain"); got != "M  a\n?? other" {
		t.Errorf("status afterwards:\n%s", got)
	}
}

func TestTreeOfNothing(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	r := s.open()
	for _, want := range []string{"4b825dc642cb6eb9a060e54bf8d69288fbee4904", ""} {
		if want == "" {
			s.base()
			want = s.hash("HEAD^{tree}").String()
			s.write("a", "staged\n")
			s.git("add", "a")
		}
		index := s.index()
		snap, err := r.TreeOf(t.Context(), nil)
		s.must(err)
		defer snap.Close()
		if snap.Tree.String() != want {
			t.Errorf("tree %s, want %s", snap.Tree, want)
		}
		if got := s.git("cat-file", "-t", snap.Tree.String()); got != "tree" {
			t.Errorf("the tree is a %s", got)
		}
		if followed, err := snap.FollowIndex(t.Context()); !followed || err != nil || s.index() != index {
			t.Errorf("FollowIndex = %v, %v; index changed: %v", followed, err, s.index() != index)
		}
	}
}

func TestTreeOfInAnUnbornRepository(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.write("prompt.md", "do it\n")
	s.write("other", "not asked for\n")
	snap, err := s.open().TreeOf(t.Context(), []string{"prompt.md"})
	s.must(err)
	defer snap.Close()
	if got := s.files(snap.Tree); got != "prompt.md" {
		t.Errorf("tree:\n%s", got)
	}
	s.follow(snap)
	if got := s.git("status", "--porcelain"); got != "?? other" {
		t.Errorf("status afterwards:\n%s", got)
	}
}

func TestDirty(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.git("config", "status.showUntrackedFiles", "no") // must not matter
	r := s.open()
	dirty := func(want ...string) {
		t.Helper()
		got, err := r.Dirty(t.Context(), ".ralph.toml", "dir/", "notes/prompt.md")
		if err != nil || len(got) != len(want) {
			t.Fatalf("Dirty = %q, %v, want %q", got, err, want)
		}
		for i := range want {
			if got[i] != want[i] {
				t.Errorf("Dirty = %q, want %q", got, want)
			}
		}
	}
	dirty()
	s.write(".ralph.toml", "x = 1\n")
	s.write("dir/b", "edited\n")
	s.write("dir/new", "new\n")
	s.write("notes/prompt.md", "prompt\n")
	dirty()
	s.write("notes/other", "text\n")
	s.write("odd\nname", "text\n")
	s.git("mv", "a", "moved")
	s.write("many/one", "1\n")
	s.write("many/two", "2\n")
	dirty("a", "moved", "many/", "notes/other", "odd\nname")
}
