package runner

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/git-ralph/git-ralph/scud"
)

// Whatever is wrong with a plan, one line says it and a hint what to do. That a file stays locked for a minute is the one case that no script waits for.
func TestPlanErrorsHaveHints(t *testing.T) {
	for name, c := range map[string]struct {
		err        error
		fact, hint string
	}{
		"locked":    {fmt.Errorf("mark: %w", &scud.LockedError{File: ".scud/tasks/tasks.scg", For: time.Minute}), "locked by another process for 1m0s", "lsof .scud/tasks/tasks.scg"},
		"no folder": {fmt.Errorf("find: %w", scud.ErrNoFolder), "there is no .scud folder", "scud init"},
		"no tags":   {&scud.TagError{}, "the plan has no tasks", "ls .scud/tasks"},
		"which tag": {&scud.TagError{Tags: []string{"a", "b c"}}, "several tags: a, b c", "--scud-tag 'b c'"},
		"conflict":  {&scud.ConflictError{Tag: "a", Files: [2]string{"x", "y"}, Difference: "d"}, "x and y disagree", "rm y"},
		"else":      {errors.New("permission denied"), "permission denied", "ls -l"},
	} {
		t.Run(name, func(t *testing.T) {
			state, ok := errors.AsType[*StateError](planError(c.err))
			if !ok || !strings.Contains(state.Fact, c.fact) || !strings.Contains(strings.Join(state.Hints, "\n"), c.hint) {
				t.Errorf("got %+v, want %q and %q", state, c.fact, c.hint)
			}
		})
	}
}
