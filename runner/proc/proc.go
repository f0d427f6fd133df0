// Package proc runs one program and everything that it starts, and leaves none of it behind.
//
// The program runs under a supervisor: this very program started again ([Supervisor], [Main]) as the leader of a
// session of its own, on Linux a subreaper too, tied to its parent by a pipe. The supervisor starts the program,
// copies what it prints into files, keeps its deadlines, and when the program has ended, the time is over, the parent
// asks for it or the parent is dead, it ends the whole tree: TERM, a grace, KILL to the session, and then whatever
// still carries the marker in its environment. Memory is bounded whatever the program prints.
//
// The package knows nothing of git, loops or agents, reads no environment of its own and prints nothing.
package proc

import (
	"context"
	"errors"
	"time"
)

// Command says what to run and when to end it.
type Command struct {
	Argv   []string // required: program and arguments; the program is looked up in Env's PATH
	Dir    string   // required: working directory
	Env    []string // whole environment of the program ("K=V"); the marker is added to it
	Stdin  string   // path of a file; empty means the null device
	Stdout string   // required: path of the file that gets standard output, created or truncated
	Stderr string   // path of the file that gets standard error; empty: it goes into Stdout's file

	Marker      string        // required: the value of [MarkerVariable] in the program's environment
	OutputLimit int64         // bytes kept of each file's beginning and again of its end; zero means 512 MiB
	Redact      []string      // values that become *** in the files
	Timeout     time.Duration // wall-clock time for the program; zero means no limit
	Stall       time.Duration // time without output, without a changed file below WatchDir and with under a second of CPU time; zero means no limit
	WatchDir    string        // directory whose files count as activity for Stall; its .git is not looked at
	Grace       time.Duration // between TERM and KILL; zero means 10s
}

// MarkerVariable is the environment variable that everything started under a supervisor carries.
const MarkerVariable = "GIT_RALPH_MARKER"

// End says how a command came to its end.
type End string

// The ends of a command.
const (
	Exited   End = "exited"    // by itself
	TimedOut End = "timed-out" // ended by us: Timeout was over
	Stalled  End = "stalled"   // ended by us: nothing moved for Stall
	Stopped  End = "stopped"   // ended by us: the context was cancelled
	Lost     End = "lost"      // the supervisor died; its tree was ended by the marker
)

// Result is what is known of a command after no process of it is left.
type Result struct {
	End       End
	ExitCode  int           // of the program; 128+n when signal n ended it, -1 when unknown
	Duration  time.Duration // wall-clock
	Leftovers int           // processes that had to be ended after the program itself was gone
	Cut       int64         // bytes of output that were dropped from the middle of the files
}

// ErrNotStarted is the cause when the program could not be started at all: not found, not executable, no memory.
var ErrNotStarted = errors.New("program not started")

// Supervisor starts commands. The zero value is of no use.
type Supervisor struct {
	Argv []string // required: argument vector that makes our own program call [Main], such as {"/usr/bin/git-ralph"}
}

// Run runs c to its end and returns when no process of it is left.
//
// When ctx is cancelled the tree is ended (End is [Stopped]); cancelling with the cause [ErrKill] skips the grace,
// and so does a second cancellation through c's Kill. Run returns an error only when the command could not be run:
// one that wraps [ErrNotStarted], or one that tells what the supervisor met. The output files stay.
func (s Supervisor) Run(ctx context.Context, c Command) (Result, error) {
	return Result{}, errors.New("not built yet")
}

// ErrKill as the cause of a cancelled context ends the tree without a grace.
var ErrKill = errors.New("kill")

// Main turns the process into a supervisor if it was started as one, and does not return then. Call it first in main
// and in TestMain; in any other process it returns at once and has no effect.
func Main() {}

// Sweep ends every process that carries the marker, except this process and those that started it, and returns how many there were. It
// is for what a dead loop left behind. Where the system does not let us read environments it finds none.
func Sweep(marker string, grace time.Duration) (int, error) { return 0, nil }
