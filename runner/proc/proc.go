// Package proc runs one program and everything that it starts, and leaves none of it behind.
//
// The program runs under a supervisor: this very program started again ([Supervisor], [Main]) as the leader of a
// session of its own, on Linux a subreaper too, tied to its parent by a pipe. The supervisor starts the program,
// copies what it prints into files, keeps its deadlines, and when the program has ended, the time is over, the parent
// asks for it or the parent is dead, it ends the whole tree: TERM, a grace, KILL to the session, and then whatever
// still carries the marker in its environment, or on Linux, where that was taken off, in a limit. Memory is bounded
// whatever the program prints.
//
// The package knows nothing of git, loops or agents, reads no environment of its own but the one variable by which
// [Main] knows a supervisor, and prints nothing.
package proc

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// Command says what to run and when to end it.
type Command struct {
	Argv   []string // required: program and arguments; the program is looked up in Env's PATH, below Dir if it has a slash
	Dir    string   // required: working directory; the program also gets it as PWD
	Env    []string // whole environment of the program ("K=V"); PWD and the marker are added to it
	Stdin  string   // path of a file; empty means the null device
	Stdout string   // required: path of the file that gets standard output, created or truncated
	Stderr string   // path of the file that gets standard error; empty: it goes into Stdout's file, in the order it came

	Marker      string        // required: the value of [MarkerVariable]; commands that run at one time have different ones
	OutputLimit int64         // bytes kept of each file's beginning and again of its end; zero means [DefaultOutputLimit]
	Redact      []string      // values that become *** in the files, as they are and as JSON escapes them
	Timeout     time.Duration // wall-clock time for the program; zero means no limit
	Stall       time.Duration // time without output, changed files below WatchDir, and a second of CPU time; zero means no limit
	WatchDir    string        // directory whose files count as activity for Stall; no .git is looked at; empty: none count
	Grace       time.Duration // between TERM and KILL; zero means 10s

	Kill <-chan struct{} // closed: the tree is ended now, without a grace; nil: never
}

// DefaultOutputLimit is the [Command]'s OutputLimit where none is given.
const DefaultOutputLimit = 512 << 20

// MarkerVariable is the environment variable that everything started under a supervisor carries.
const MarkerVariable = "GIT_RALPH_MARKER"

// End says how a command came to its end.
type End string

// The ends of a command.
const (
	Exited   End = "exited"    // by itself
	TimedOut End = "timed-out" // ended by us: Timeout was over
	Stalled  End = "stalled"   // ended by us: nothing moved for Stall
	Stopped  End = "stopped"   // ended by us: the context was cancelled, or Kill closed
	Lost     End = "lost"      // somebody else ended the supervisor; its tree was ended by the marker
)

// Result is what is known of a command after no process of it is left.
type Result struct {
	End       End           // how it came to its end; what we did counts, not how the program took it
	ExitCode  int           // of the program; 128+n when signal n ended it, -1 when unknown
	Duration  time.Duration // wall-clock, until no process was left
	Leftovers int           // processes that had to be ended after the program itself was gone
	Cut       int64         // bytes of output that were dropped from the middle of the files, or could not be written
	Trouble   []string      // what could not be done: a process of another user not ended, output not written; usually empty
}

// ErrNotStarted is the cause when the program could not be started at all: not found, not executable, no memory.
var ErrNotStarted = errors.New("program not started")

// ErrKill as the cause of a cancelled context ends the tree without a grace.
var ErrKill = errors.New("kill")

// notStarted says in words why a program could not be started.
type notStarted struct {
	Program string
	Why     string
}

func (e *notStarted) Error() string { return fmt.Sprintf("start %q: %s", e.Program, e.Why) }
func (e *notStarted) Unwrap() error { return ErrNotStarted }

// defaultGrace is the time between TERM and KILL where the command gives none.
const defaultGrace = 10 * time.Second

// ready returns c with its defaults filled in and its paths absolute, for the supervisor has another directory.
func (c Command) ready() (Command, error) {
	switch {
	case len(c.Argv) == 0 || c.Argv[0] == "":
		return c, errors.New("run: no program given")
	case c.Dir == "":
		return c, errors.New("run: no working directory given")
	case c.Stdout == "":
		return c, errors.New("run: no output file given")
	case c.Marker == "":
		return c, errors.New("run: no marker given")
	case c.OutputLimit < 0 || c.Timeout < 0 || c.Stall < 0 || c.Grace < 0:
		return c, errors.New("run: a limit is negative")
	}
	if c.OutputLimit == 0 {
		c.OutputLimit = DefaultOutputLimit
	}
	if c.Grace == 0 {
		c.Grace = defaultGrace
	}
	for _, path := range []*string{&c.Dir, &c.Stdin, &c.Stdout, &c.Stderr, &c.WatchDir} {
		if *path == "" {
			continue
		}
		abs, err := filepath.Abs(*path)
		if err != nil {
			return c, fmt.Errorf("run: find %q: %w", *path, err)
		}
		*path = abs
	}
	c.Env = slices.Concat(without(c.Env, "PWD", MarkerVariable, supervisorVariable),
		[]string{"PWD=" + c.Dir, MarkerVariable + "=" + c.Marker})
	return c, nil
}

// without returns the environment env less the variables of these names.
func without(env []string, names ...string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(entry string) bool {
		return slices.ContainsFunc(names, func(name string) bool {
			return len(entry) > len(name) && entry[len(name)] == '=' && sameVariable(entry[:len(name)], name)
		})
	})
}

// variable returns the value of the last variable of this name in env, and empty when there is none.
func variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if len(entry) > len(name) && entry[len(name)] == '=' && sameVariable(entry[:len(name)], name) {
			return entry[len(name)+1:]
		}
	}
	return ""
}
