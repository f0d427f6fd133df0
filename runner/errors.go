package runner

import (
	"fmt"
	"strconv"

	"github.com/git-ralph/git-ralph/gitstate"
)

// InvalidError says that a value in a request cannot be used.
type InvalidError struct {
	Fact  string   // one line that names the value
	Hints []string // what to type instead
}

func (e *InvalidError) Error() string { return e.Fact }

// StateError says that the repository or the machine is not in a state in which a loop can run.
type StateError struct {
	Fact  string   // one line that names the thing
	Hints []string // what to type
}

func (e *StateError) Error() string { return e.Fact }

// DirtyError says that the work tree holds uncommitted work of the user's.
type DirtyError struct {
	Paths []string // all of them
	Takes bool     // the command can take it along: --dirty=include
	Away  string   // short name of the loop's branch, where HEAD is not on it; empty: it is, or that does not matter
}

func (e *DirtyError) Error() string {
	if len(e.Paths) == 1 {
		return fmt.Sprintf("the work tree has uncommitted changes: %s", e.Paths[0])
	}
	return fmt.Sprintf("the work tree has uncommitted changes in %d files", len(e.Paths))
}

// OverError says that a loop is over and that nothing was changed that lets it go on.
type OverError struct {
	Loop  string
	Exit  gitstate.Exit // why it is over
	Hints []string      // how it can go on
}

func (e *OverError) Error() string { return fmt.Sprintf("loop %q is over: %s", e.Loop, e.Exit) }

// ElsewhereError says that the loop's branch is checked out in another work tree.
type ElsewhereError struct {
	Loop, Branch, Path string // the branch by its short name; the top level of the work tree
}

func (e *ElsewhereError) Error() string {
	return fmt.Sprintf("branch %q of loop %q is checked out at %s", e.Branch, e.Loop, e.Path)
}

// UntrustedError says that claims were not approved.
type UntrustedError struct{ Claims []Claim }

func (e *UntrustedError) Error() string {
	if len(e.Claims) == 1 {
		return fmt.Sprintf("%s from %s needs your yes", e.Claims[0].Kind, e.Claims[0].Source)
	}
	return fmt.Sprintf("%d settings from elsewhere need your yes", len(e.Claims))
}

// NoTasksError says that a plan has nothing to run.
type NoTasksError struct {
	Tag  string   // its name
	Left []string // one line for each task that is not done, and why it is not run; empty: all are done
}

func (e *NoTasksError) Error() string {
	if len(e.Left) == 0 {
		return "all tasks of tag " + strconv.Quote(e.Tag) + " are done"
	}
	return "tag " + strconv.Quote(e.Tag) + " has no task that can be run"
}

// NoVerifyError says that nothing decides whether a task of a plan is done.
type NoVerifyError struct {
	Tag string // its name
}

func (e *NoVerifyError) Error() string {
	return "a plan needs a command that decides whether a task is done"
}

// NotReadyError says that a loop should not land.
type NotReadyError struct {
	Loop string
	Why  string // one line
	Done bool   // only the check is missing
}

func (e *NotReadyError) Error() string {
	return fmt.Sprintf("loop %q is not ready to land: %s", e.Loop, e.Why)
}

// ConflictsError says that a loop and the branch that it is to land on have changed the same. Nothing was changed.
type ConflictsError struct {
	Loop, Branch, Into string   // the branches by their short names
	Mode               LandMode // that was asked for
	At                 string   // subject of the commit that did not fit, where they land one by one; empty: all at once
	Paths              []string // in conflict
}

func (e *ConflictsError) Error() string {
	fact := fmt.Sprintf("loop %q and %s have changed the same", e.Loop, e.Into)
	if e.At != "" {
		fact += fmt.Sprintf(", at %q", e.At)
	}
	return fact + ": nothing was landed, and nothing is left of the try"
}

// UnverifiedError says that verify failed on what would have landed. Nothing was changed.
type UnverifiedError struct {
	Loop, Branch, Into string   // the branches by their short names
	Mode               LandMode // that was asked for
	Command            string   // that failed
	ExitCode           int      // of it
	Tail               string   // the end of what it printed
}

func (e *UnverifiedError) Error() string {
	return fmt.Sprintf("verify fails on the result (exit %d): %s", e.ExitCode, e.Command)
}
