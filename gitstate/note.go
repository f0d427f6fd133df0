package gitstate

import "time"

// NoteVersion is the version of the notes that this program writes.
const NoteVersion = 1

// NotesRef is the ref that holds the notes.
const NotesRef = "refs/notes/ralph"

// Note is the state in full at one commit of ours, beside its trailers. Keys that this version does not know are kept when
// a note is read and written again. Empty values are not written.
type Note struct {
	Kind      Kind
	Loop      string
	Iteration int

	Prompt string   // opening
	Config []string // opening and resume, as in the trailers

	Started  time.Time
	Ended    time.Time
	Agent    string
	Session  string
	ExitCode *int
	Status   Status

	Created, Modified, Deleted []string // paths
	Renamed                    []RenamedPath
	Tests                      *TestDetail
	Verify                     *VerifyDetail
	Usage                      map[string]Tokens // by model
	Output                     string            // first 500 characters of what the agent printed
	Summary                    string
	Error                      string

	Totals Totals // of the loop up to and with this commit

	extra map[string]any // keys of a note that we do not know, by dotted path
}

// RenamedPath is a path that was renamed.
type RenamedPath struct{ From, To string }

// TestDetail is a test report in full.
type TestDetail struct {
	Passed, Failed, Skipped int
	Failures                []TestFailure
}

// TestFailure is one failed test.
type TestFailure struct {
	Name     string
	Duration time.Duration // zero: unknown
	Error    string
}

// VerifyDetail is a verify run in full.
type VerifyDetail struct {
	Command  string
	Passed   bool
	ExitCode int
	Tail     string // the end of what it printed
}
