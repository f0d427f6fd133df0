package gitstate_test

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// kind is a repository that is out of the ordinary, with uncommitted work.
type kind struct {
	build   func(*scratch)
	rule    string                 // what ours does otherwise than git, on purpose; empty: nothing
	twin    func(*scratch)         // with a rule: does to the twin what makes git follow it
	skipped []gitstate.SkippedPath // with a rule: what is left out
}

// allKinds are all of them. What the local git cannot make skips itself.
func allKinds() map[string]kind {
	all := map[string]kind{}
	for _, some := range []map[string]kind{plainKinds(), layoutKinds(), contentKinds(), moduleKinds(), stateKinds(), ruleKinds()} {
		maps.Copy(all, some)
	}
	return all
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

// A snapshot has the tree that git's own add and commit make, touches neither index nor HEAD, and leaves a clean and fast
// status behind. Where a rule of ours says otherwise, it has the tree that git makes when it is helped to follow the rule.
func TestSnapshotOfKinds(t *testing.T) {
	t.Parallel()
	for name, k := range allKinds() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ours, twin := newScratch(t), newScratch(t)
			k.build(ours)
			k.build(twin)
			if k.rule != "" {
				k.mustDiffer(t, ours)
				k.twin(twin)
			}
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
			if !reflect.DeepEqual(snap.Skipped, k.skipped) {
				t.Errorf("skipped %q, want %q", snap.Skipped, k.skipped)
			}
			ours.must(os.RemoveAll(ours.git("rev-parse", "--path-format=absolute", "--git-path", "index.lock")))
			ours.follow(snap)
			checkFollowed(t, ours, twin, k)
			if left, _ := filepath.Glob(filepath.Join(r.GitDir, "index*")); len(left) != 1 && name != "unborn" {
				t.Errorf("left beside the index: %q", left)
			}
		})
	}
}

// checkFollowed compares what git says of both when all is committed.
func checkFollowed(t *testing.T, ours, twin *scratch, k kind) {
	t.Helper()
	if k.rule != "" {
		return // the twin was changed
	}
	want := twin.git("status", "--porcelain")
	if got := ours.git("status", "--porcelain"); got != want {
		t.Errorf("status afterwards:\n%s\ngit's:\n%s", got, want)
	}
	if out, err := ours.try("diff-files", "--quiet"); err != nil && want == "" {
		t.Errorf("the index has to be refreshed: %v %s", err, out)
	}
}

// mustDiffer makes sure that the rule is one: without help git gives up or makes another tree.
func (k kind) mustDiffer(t *testing.T, ours *scratch) {
	t.Helper()
	plain := newScratch(t)
	k.build(plain)
	top := plain.git("rev-parse", "--show-toplevel")
	if _, err := plain.try("-C", top, "add", "-A"); err != nil {
		return
	}
	if _, err := plain.try("commit", "-q", "--allow-empty", "-m", "plain"); err != nil {
		return
	}
	if snap := ours.snapshot(ours.open(), gitstate.Guard{}); snap.Tree == plain.hash("HEAD^{tree}") {
		t.Errorf("no rule is needed: git does what %q says", k.rule)
	}
}

// commitAtTop commits all of the work tree, from wherever in it we are.
func (s *scratch) commitAtTop() {
	s.t.Helper()
	s.git("-C", s.git("rev-parse", "--show-toplevel"), "add", "-A")
	s.git("commit", "-q", "--allow-empty", "-m", "twin")
}
