package gitstate_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestLines(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.write("kept", "1\n2\n3\n")
	s.write("moved", strings.Repeat("a line\n", 20))
	s.write("picture", "a\x00b")
	first := s.commit("first")
	s.write("kept", "1\n3\n4\n5\n")
	s.write("new\nline", "new\n")
	s.must(os.Rename(s.path("moved"), s.path("a \"b\"")))
	s.write("picture", "c\x00d")
	second := s.commit("second")
	r := s.open()
	trees := make([]plumbing.Hash, 2)
	for i, commit := range []plumbing.Hash{first, second} {
		var err error
		if trees[i], err = r.TreeID(commit); err != nil {
			t.Fatal(err)
		}
	}

	changed, same := gitstate.TreePair{Base: trees[0], To: trees[1]}, gitstate.TreePair{Base: trees[1], To: trees[1]}
	whole, away := gitstate.TreePair{To: trees[0]}, gitstate.TreePair{Base: trees[0], To: plumbing.NewHash(strings.Repeat("12", 20))}
	got, err := r.Lines(t.Context(), []gitstate.TreePair{changed, same, away, whole, changed})
	if err != nil {
		t.Fatal(err)
	}
	want := []gitstate.FileLines{
		{Path: "a \"b\"", From: "moved"},
		{Path: "kept", Added: 2, Removed: 1},
		{Path: "new\nline", Added: 1},
		{Path: "picture", Binary: true},
	}
	if !reflect.DeepEqual(got[changed], want) {
		t.Errorf("changed: %+v\nwant %+v", got[changed], want)
	}
	if files, ok := got[same]; !ok || len(files) != 0 {
		t.Errorf("no difference: %+v, %v", files, ok)
	}
	if files, ok := got[away]; ok {
		t.Errorf("a tree that is not here: %+v", files)
	}
	if len(got[whole]) != 3 || got[whole][0].Added != 3 {
		t.Errorf("from nothing: %+v", got[whole])
	}
	if got, err := r.Lines(t.Context(), nil); err != nil || len(got) != 0 {
		t.Errorf("nothing asked: %+v, %v", got, err)
	}
}
