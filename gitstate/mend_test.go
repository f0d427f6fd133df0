package gitstate_test

import (
	"strings"
	"testing"
)

// Without a HEAD there is no repository for git. The agent's commits and its uncommitted work are there all the same.
func TestGatherMendsHead(t *testing.T) {
	t.Parallel()
	damage := map[string]func(s *astray){
		"no HEAD":       func(s *astray) { s.write(".git/HEAD", "nothing that git knows\n") },
		"HEAD is gone":  func(s *astray) { s.remove(".git/HEAD") },
		"HEAD is empty": func(s *astray) { s.write(".git/HEAD", "") },
	}
	for name, do := range damage {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newAstray(t)
			s.git("init", "-q", s.top) // git must not go on to a repository above
			r := s.open()
			s.agentCommits()
			s.dirty()
			head := s.hash("HEAD")
			do(s)
			s.write("ignored/file", "stays\n")
			got := s.gather(r)
			if len(got.Told) != 1 || !strings.Contains(got.Told[0], "HEAD could not be read") {
				t.Errorf("told %q", got.Told)
			}
			s.checkBack(got, head, false)
			s.checkNothingLost()
		})
	}
}

// When the repository itself is gone, nothing is done in one above it.
func TestGatherWithoutARepository(t *testing.T) {
	t.Parallel()
	for name, damage := range map[string]func(s *astray){
		"git directory gone": func(s *astray) { s.remove(".git") },
		"objects gone":       func(s *astray) { s.remove(".git/objects") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newAstray(t)
			s.git("init", "-q", s.top)
			r := s.open()
			damage(s)
			if got, err := r.Gather(t.Context(), s.request()); err == nil {
				t.Errorf("Gather = %+v", got)
			}
			s.dir = s.top
			if refs := s.git("for-each-ref"); refs != "" || exists(s.path(".git/index")) {
				t.Errorf("the repository above was touched: %s", refs)
			}
		})
	}
}
