package gitstate

import "time"

// NoteVersion is the version of the notes that this program writes.
const NoteVersion = 1

// NotesRef is the ref that holds the notes.
const NotesRef = "refs/notes/ralph"

// Note is the state in full at one commit of ours, beside its trailers. Keys that this version does not know are kept when
// a note is read and written again. Empty values are not written.
type Note struct {
	// Set by Append, and Totals, too; in the note of a landing by who writes it.
	Kind      Kind
	Loop      string
	Iteration int

	Prompt string   // opening
	Config []string // opening and resume, as in the trailers

	Started time.Time // of the iteration
	Ended   time.Time // just before its commit

	// As in the trailers.
	Agent    string
	Session  string
	ExitCode *int
	Status   Status

	Created, Modified, Deleted []string          // paths
	Renamed                    []RenamedPath     // paths, too
	Tests                      *TestDetail       // nil: no counts were found
	Verify                     *VerifyDetail     // nil: it did not run
	Usage                      map[string]Tokens // by model
	Output                     string            // first 500 characters of what the agent printed
	Summary                    string            // as the body of its commit
	Error                      string            // why it is not completed, one line

	Totals Totals // of the loop up to and with this commit

	extra map[string]any // keys of a note that we do not know, by dotted path
}

// RenamedPath is a path that was renamed.
type RenamedPath struct{ From, To string }

// TestDetail is a test report in full.
type TestDetail struct {
	Passed, Failed, Skipped int
	Failures                []TestFailure // as far as the report names them
}

// TestFailure is one failed test.
type TestFailure struct {
	Name     string        // as the report has it
	Duration time.Duration // zero: unknown
	Error    string        // what the report says of it; empty: nothing
}

// VerifyDetail is a verify run in full.
type VerifyDetail struct {
	Command  string // the command that failed, or the last one
	Passed   bool
	ExitCode int    // of the command that failed; 124: its time was over
	Tail     string // the end of what it printed
}
