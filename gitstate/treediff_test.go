package gitstate_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

// nameStatus is changes in git's words.
func nameStatus(c gitstate.Changes) string {
	var lines []string
	for letter, paths := range map[string][]string{"A": c.Created, "M": c.Modified, "D": c.Deleted} {
		for _, path := range paths {
			lines = append(lines, letter+"\t"+path)
		}
	}
	for _, r := range c.Renamed {
		lines = append(lines, "R100\t"+r.From+"\t"+r.To)
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

func TestChangesAreGits(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	for _, path := range []string{"a", "a.b", "a-b", "deep/er/x", "deep/er/y", "deep/z", "many/1", "many/2"} {
		s.mkdir(path + ".d")
		s.write(path, path+"\n")
		s.write(path+".d/file", "file in "+path+"\n")
	}
	before := s.commit("before")
	r := s.open()
	steps := []struct {
		name string
		do   func()
	}{
		{"content", func() { s.write("deep/er/x", "edited\n"); s.write("a", "edited\n") }},
		{"mode", func() { s.must(os.Chmod(s.path("a.b"), 0o755)) }},
		{"link for a file", func() { s.remove("deep/z"); s.must(os.Symlink("er/x", s.path("deep/z"))) }},
		{"new files and directories", func() { s.mkdir("a0/b/c"); s.write("a0/b/c/d", "new\n"); s.write("a0/n", "new too\n") }},
		{"deleted directories", func() { s.must(os.RemoveAll(s.path("many"))); s.remove("deep/er/y") }},
		{"a file for a directory", func() { s.must(os.RemoveAll(s.path("a.d"))); s.write("a.d", "was a directory\n") }},
		{"a directory for a file", func() { s.remove("a-b"); s.mkdir("a-b"); s.write("a-b/in", "was a file\n") }},
		{"renamed", func() { s.must(os.Rename(s.path("a0/n"), s.path("a0/m"))) }},
		{"a gitlink", func() { s.git("update-index", "--add", "--cacheinfo", "160000,"+before.String()+",link") }},
	}
	for _, step := range steps {
		step.do()
		after := s.commit(step.name)
		got, err := r.Changes(t.Context(), before, after)
		if err != nil {
			t.Fatalf("%s: %v", step.name, err)
		}
		want := strings.Split(s.git("diff-tree", "-r", "-M", "--name-status", before.String(), after.String()), "\n")
		for i, line := range want {
			want[i] = strings.Replace(line, "T\t", "M\t", 1)
		}
		slices.Sort(want)
		if nameStatus(got) != strings.Join(want, "\n") {
			t.Errorf("%s:\n%s\ngit:\n%s", step.name, nameStatus(got), strings.Join(want, "\n"))
		}
		before = after
	}
}
