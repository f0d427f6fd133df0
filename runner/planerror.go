package runner

import (
	"errors"

	"github.com/git-ralph/git-ralph/scud"
)

// planError turns what is wrong with a plan's files into an error that the user can act on.
func planError(err error) error {
	if errors.Is(err, scud.ErrNoFolder) {
		return &StateError{Fact: "there is no .scud folder here: the plan may be ignored by git and lie in another clone only", Hints: []string{"scud init"}}
	}
	return &StateError{Fact: err.Error(), Hints: planHints(err)}
}

// planHints says what to do about a plan that cannot be used.
func planHints(err error) []string {
	if tag, ok := errors.AsType[*scud.TagError](err); ok {
		var hints []string
		for _, name := range tag.Tags {
			hints = append(hints, "--scud-tag "+shellQuoted(name))
		}
		if hints == nil {
			hints = []string{"see what is there: ls .scud/tasks"}
		}
		return hints
	}
	if _, ok := errors.AsType[*scud.BrokenError](err); ok {
		return []string{"run the tasks that can be run all the same: --skip-broken"}
	}
	if _, ok := errors.AsType[*scud.ParseError](err); ok {
		return []string{"mend the line, then try again"}
	}
	if conflict, ok := errors.AsType[*scud.ConflictError](err); ok {
		return []string{"remove the one that is out of date: rm " + shellQuoted(conflict.Files[0]) + " or rm " + shellQuoted(conflict.Files[1])}
	}
	if locked, ok := errors.AsType[*scud.LockedError](err); ok {
		return []string{"see who holds it: lsof " + shellQuoted(locked.File)}
	}
	return []string{"look at it: ls -l .scud/tasks"}
}
