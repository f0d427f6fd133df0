package gitstate_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestShowDiff(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.write("a", "one\n")
	first := s.commit("first")
	s.write("a", "two\n")
	s.write("dir/b", "new\n")
	second := s.commit("second")
	s.git("config", "core.pager", "false") // no terminal: git must not start it
	s.git("config", "diff.noprefix", "true")
	r := s.open()
	for name, c := range map[string]struct {
		request gitstate.DiffRequest
		dir     string
		want    []string
	}{
		"all, as the user has configured it": {gitstate.DiffRequest{Base: first, To: second}, "", []string{"diff --git a a\n", "+two\n", "diff --git dir/b dir/b\n"}},
		"from nothing":                       {gitstate.DiffRequest{To: first}, "", []string{"new file mode", "+one\n"}},
		"options":                            {gitstate.DiffRequest{Base: first, To: second, Options: []string{"--name-only"}}, "", []string{"a\ndir/b\n"}},
		"paths from a sub-folder":            {gitstate.DiffRequest{Base: first, To: second, Options: []string{"--name-only"}, Paths: []string{"b"}}, "dir", []string{"dir/b\n"}},
		"nothing":                            {gitstate.DiffRequest{Base: first, To: second, Paths: []string{"b"}}, "", nil},
	} {
		var stdout, stderr strings.Builder
		q := c.request
		q.Dir, q.Stdout, q.Stderr = s.path(c.dir), &stdout, &stderr
		if err := r.ShowDiff(t.Context(), q); err != nil || stderr.Len() > 0 {
			t.Errorf("%s: %v\n%s", name, err, stderr.String())
		}
		for _, want := range c.want {
			if !strings.Contains(stdout.String(), want) {
				t.Errorf("%s: no %q in\n%s", name, want, stdout.String())
			}
		}
		if c.want == nil && stdout.Len() > 0 {
			t.Errorf("%s: got\n%s", name, stdout.String())
		}
	}
}

func TestShowDiffOfWhatIsNotHere(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	head := s.commit("first")
	var stdout, stderr strings.Builder
	q := gitstate.DiffRequest{Base: elsewhere, To: head, Dir: s.dir, Stdout: &stdout, Stderr: &stderr}
	if err := s.open().ShowDiff(t.Context(), q); err == nil || !strings.Contains(err.Error(), "status 128") || !strings.Contains(stderr.String(), "bad object") {
		t.Errorf("error %v, stderr %q", err, stderr.String())
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if err := s.open().ShowDiff(ctx, q); !errors.Is(err, stop) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestBetweenListsWhatTheAgentCommitted(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	ours := s.commit("ours")
	s.commit("one\nsubject\n\nbody")
	s.git("switch", "-q", "-c", "side", ours.String())
	side := s.commit("on the side")
	s.git("switch", "-q", "main")
	s.git("merge", "-q", "--no-edit", "-m", "bring it in", "side")
	merge := s.hash("HEAD")
	last := s.commit("ours again")
	s.git("config", "log.showSignature", "true") // must not matter
	r := s.open()

	got, err := r.Between(t.Context(), ours, last, 10)
	if err != nil || len(got) != 3 || got[0] != (gitstate.CommitLine{Hash: merge, Subject: "bring it in"}) {
		t.Fatalf("Between = %v, %v", got, err)
	}
	subjects := got[1].Subject + ", " + got[2].Subject
	if !strings.Contains(subjects, "one subject") || !strings.Contains(subjects, "on the side") {
		t.Errorf("subjects %q", subjects)
	}
	if got, err = r.Between(t.Context(), ours, last, 1); err != nil || len(got) != 1 {
		t.Errorf("at most one: %v, %v", got, err)
	}
	if got, err = r.Between(t.Context(), ours, side, 10); err != nil || len(got) != 0 {
		t.Errorf("nothing between: %v, %v", got, err)
	}
	if _, err = r.Between(t.Context(), elsewhere, last, 10); err == nil {
		t.Error("a commit that is not here is no error")
	}
}

// elsewhere is a commit that no repository of these tests has.
var elsewhere = plumbing.NewHash("2222222222222222222222222222222222222222")
