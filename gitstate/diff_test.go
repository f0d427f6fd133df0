package gitstate_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestChangesAndDiffStat(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.base()
	s.write("moved", strings.Repeat("a line\n", 20))
	first := s.commit("first")
	s.write("a", "edited\n")
	s.write("new\nline", "new\n")
	s.remove("gone")
	s.must(os.Rename(s.path("moved"), s.path("dir/moved")))
	s.remove("dir/b")
	s.must(os.Symlink("a", s.path("dir/b")))
	second := s.commit("second")
	s.git("config", "diff.renames", "false") // must not matter, nor must the next two
	s.git("config", "diff.external", "false")
	s.git("config", "diff.orderFile", "/nowhere")
	r := s.open()

	got, err := r.Changes(t.Context(), first, second)
	want := gitstate.Changes{
		Created:  []string{"new\nline"},
		Modified: []string{"a", "dir/b"},
		Deleted:  []string{"gone"},
		Renamed:  []gitstate.RenamedPath{{From: "moved", To: "dir/moved"}},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("Changes = %+v, %v\nwant %+v", got, err, want)
	}
	if counts := got.Counts(); counts != (gitstate.FileCounts{Created: 1, Modified: 2, Deleted: 1, Renamed: 1}) {
		t.Errorf("Counts = %+v", counts)
	}
	whole, err := r.Changes(t.Context(), plumbing.ZeroHash, first)
	if err != nil || len(whole.Created) != 5 || len(whole.Modified) != 0 {
		t.Errorf("from nothing: %+v, %v", whole, err)
	}

	stat, err := r.DiffStat(t.Context(), first, second, 100)
	if err != nil || !strings.Contains(stat, "moved => dir/moved") || strings.Count(stat, "\n") != 5 {
		t.Errorf("DiffStat = %v\n%s", err, stat)
	}
	stat, err = r.DiffStat(t.Context(), first, second, 4)
	if lines := strings.Split(stat, "\n"); err != nil || len(lines) != 4 || lines[2] != " ..." || !strings.Contains(lines[3], "files changed") {
		t.Errorf("DiffStat in 4 lines = %v\n%s", err, stat)
	}
	if stat, err = r.DiffStat(t.Context(), first, first, 4); err != nil || stat != "" {
		t.Errorf("DiffStat of nothing = %q, %v", stat, err)
	}
}
