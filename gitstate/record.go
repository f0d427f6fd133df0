package gitstate

import (
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Format is the version of the trailers that this program writes. A record with a greater one is refused by name.
const Format = 1

// Kind says what a commit of ours stands for.
type Kind string

// The kinds of records.
const (
	Opening   Kind = "opening"
	Iteration Kind = "iteration"
	Wave      Kind = "wave"
	Event     Kind = "event"
	Landfall  Kind = "landing" // of a note only: of the commit that lands a loop, which is none of its chain
)

// Status says how an iteration ended.
type Status string

// The statuses of an iteration.
const (
	Completed   Status = "completed"
	Failed      Status = "failed"
	TimedOut    Status = "timed-out"
	Stalled     Status = "stalled"
	Interrupted Status = "interrupted"
	Skipped     Status = "skipped"
)

// Exit says why a loop ended. The empty Exit means that it has not.
type Exit string

// The exits of a loop.
const (
	PromiseDetected Exit = "completion-promise-detected"
	ProcessSuccess  Exit = "process-success"
	AllTasksDone    Exit = "all-tasks-done"
	TasksBlocked    Exit = "tasks-blocked"
	Blocked         Exit = "blocked"
	MaxIterations   Exit = "max-iterations-reached"
	LimitReached    Exit = "limit-reached"
	NoProgress      Exit = "no-progress"
	Failing         Exit = "failing"
	UserCancelled   Exit = "user-cancelled"
	ExitError       Exit = "error"
)

// Done reports whether the loop's work is done.
func (e Exit) Done() bool { return e == PromiseDetected || e == ProcessSuccess || e == AllTasksDone }

// Record is one commit of ours on a loop's chain: what its trailers say. A nil pointer, an empty string and an empty
// slice are unknown: there is no such trailer.
type Record struct {
	Commit  plumbing.Hash // zero before it is written
	Tree    plumbing.Hash
	Parents []plumbing.Hash // the first is what it stands on: our commit before it, or what somebody put on top of that
	Time    time.Time       // when it was written

	Kind      Kind
	Event     string // of an event: resume, pause, cancel, tell, stop, set-aside, retry, rewind, undo
	Subject   string // one line; the usual one is written where it is empty, and always for openings and events
	Body      string // opening: the prompt; iteration: the summary; tell: the text
	Loop      string
	Iteration int           // opening: 0; events and waves repeat the last number
	Previous  plumbing.Hash // our commit before this one; zero for the opening
	Config    []string      // lines of TOML, together the whole configuration; opening and resume
	Base      *Base         // opening

	Status   Status         // iteration
	Agent    string         // its preset; of a command of the user's the program, where it is a known one
	Session  string         // the agent's own name for its run
	ExitCode *int           // the agent's; 128+n when signal n ended it; nil too when it was not started
	Duration *time.Duration // of the whole iteration: waits, hooks and verify too
	Files    *FileCounts
	Tests    *TestCounts
	Verify   *Verify // nil: it did not run
	Tokens   *Tokens // of all runs of the agent in the iteration, as is CostUSD
	CostUSD  *float64
	Context  *int                     // percent
	Exit     Exit                     // on the commit that ends the loop
	Skipped  []SkippedPath            // what the snapshot left out
	Kept     []plumbing.ReferenceName // refs that hold what was moved away from

	From   plumbing.Hash // rewind, undo: our last commit until then; Duration, Tokens and CostUSD are what was spent on what is taken off
	Held   plumbing.Hash // rewind, undo: the commit that Kept held then; in another clone it may have another number
	Untold *Untold       // rewind, undo, pause, cancel: iterations among those that told no usage

	Task        string   // its id, as the plan had it
	Wave        *int     // number of the wave, or of the one that the task is in
	Attempt     *int     // at the task, from 1
	WaveDone    []string // wave: ids of its tasks that the loop finished
	WaveBlocked []string // wave: ids of its tasks that the loop gave up
	Blocked     string   // why: of a task that is given up, or of the loop that cannot go on

	Unknown []Trailer // Ralph-* trailers that this version does not know, kept in order

	malformed  []Trailer // those that it knows and that make no sense: a value that is none, a second one
	unnumbered bool      // there is no Ralph-Iteration
}

// Base is where a loop began.
type Base struct {
	Branch string        // short name, "HEAD" when detached
	Commit plumbing.Hash // zero when the branch was unborn
}

// FileCounts counts the files that differ between an iteration's base and its commit.
type FileCounts struct{ Created, Modified, Deleted, Renamed int }

// TestCounts counts tests.
type TestCounts struct{ Passed, Failed, Skipped int }

// Verify is the result of the verify commands.
type Verify struct {
	Passed   bool          // all of them did
	ExitCode int           // of the command that failed
	Command  string        // the command that failed, or the last one
	Tree     plumbing.Hash // what it ran on
}

// Tokens counts tokens. Cached ones are not part of Input.
type Tokens struct{ Input, Output, Cached int64 }

// Untold counts iterations that told no tokens and no cost.
type Untold struct{ Tokens, Cost int }

// SkippedPath is a path that a snapshot left out.
type SkippedPath struct {
	Path   string // as bytes from git, unquoted
	Reason string // such as "312 MB" or "secret"
}

// ParseRecord reads the record of a commit. It returns false when the commit is none of ours. The error is that of a
// record which a later version of the program wrote; it names the commit and wraps [ErrNewer].
func ParseRecord(c *object.Commit) (Record, bool, error) {
	m := ParseMessage(c.Message)
	r := Record{
		Commit: c.Hash, Tree: c.TreeHash, Parents: c.ParentHashes, Time: c.Committer.When,
		Subject: m.Subject, Body: m.Body,
	}
	ours, err := r.parseTrailers(m.Trailers)
	if err != nil || !ours {
		return Record{}, false, err
	}
	return r, true, nil
}
