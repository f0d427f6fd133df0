// Package agent knows what a coding agent is: how it is called, how the prompt reaches it, and what its output says.
//
// A [Preset] turns a request into an [Invocation] (argument vector, standard input, environment) and gives the [Reader]
// for what the agent prints. The reader ends in one [Verdict]. The package starts no process: the runner gives the
// invocation to runner/proc and the output to the reader.
package agent

import (
	"io"
	"time"
)

// PromptMode says how the prompt reaches the agent.
type PromptMode string

// The prompt modes.
const (
	PromptArg   PromptMode = "arg"   // as the last argument, or where {prompt} stands
	PromptStdin PromptMode = "stdin" // on standard input
	PromptEnv   PromptMode = "env"   // in $PROMPT
	PromptFile  PromptMode = "file"  // in a file: its path is the last argument and in $PROMPT_FILE
	PromptNone  PromptMode = "none"  // not at all
)

// PromptPlaceholder in an argument is replaced by the prompt (by the file's path in mode file).
const PromptPlaceholder = "{prompt}"

// Match says where a text-only agent's promise may stand.
type Match string

// The ways to match a promise.
const (
	MatchTag   Match = "tag"   // <promise>X</promise> alone on its line
	MatchPlain Match = "plain" // X anywhere as a whole word, whatever its case
)

// Request is what one iteration asks of an agent.
type Request struct {
	Command     []string   // argument vector that the user gave; empty: the preset's own
	Prompt      string     // the whole prompt
	PromptMode  PromptMode // empty: the preset's own
	PromptFile  string     // path of a file that holds the prompt; required, the runner writes it before every iteration
	Promise     string     // empty: none
	Match       Match      // empty: MatchTag
	Model       string     // empty: the agent's own default
	Permissions string     // "all": may write and run unattended; empty: the agent's own safe default
}

// Invocation is how the agent is to be started.
type Invocation struct {
	Argv     []string // program and arguments
	Stdin    string   // path of a file; empty: none
	Env      []string // variables beside the loop's ("K=V")
	Switched bool     // the prompt was too long for its mode and goes to standard input
}

// Preset is one kind of agent.
type Preset interface {
	// Name is how users name the preset, such as "generic".
	Name() string
	// Invoke builds the invocation for one iteration.
	Invoke(Request) (Invocation, error)
	// Reader returns a new reader for the standard output of one run of that request.
	Reader(Request) Reader
}

// Reader reads one run's standard output as it comes.
type Reader interface {
	// Read consumes output until EOF or an error; emit is called for what a person can follow live. Memory is bounded.
	Read(output io.Reader, emit func(Activity)) error
	// Verdict tells what the run said, given how the process ended. Call it after Read.
	Verdict(Exit) Verdict
}

// Activity is something that the agent did, for a person to follow: one line.
type Activity struct {
	Kind string // "text", "tool"
	Text string // one line
}

// Exit is how the process ended.
type Exit struct {
	Code   int       // exit code
	Ours   bool      // we ended it: time, stall, cancel
	Stderr string    // last 64 KiB of standard error
	Now    time.Time // when it ended: what a reset "at 3pm" is counted from
}

// Class says what kind of end a run had.
type Class string

// The classes of a verdict.
const (
	Completed   Class = "completed"     // the agent itself says that it ended well
	Failed      Class = "failed"        // it ended badly
	RateLimited Class = "rate-limited"  // wait until ResetAt and run the same iteration again
	Transient   Class = "transient"     // overloaded, network: back off and run the same iteration again
	OutOfBudget Class = "out-of-budget" // no money or quota is left: waiting does not help
	Refused     Class = "refused"       // authentication, permission, unknown command: trying again is of no use
	Truncated   Class = "truncated"     // its output ends before it said how it ended
)

// Verdict is what a run's output says. A nil pointer is unknown, never zero.
type Verdict struct {
	Class     Class             // what kind of end it was
	Promise   bool              // the promise stands in the final text, and the run ended well
	Blocked   string            // the reason in <blocked>…</blocked>, empty: none; it counts also when the run ended badly by itself
	FinalText string            // the agent's last words, at most 64 KiB
	Session   string            // empty: unknown
	Tokens    *Tokens           // of the whole run
	CostUSD   *float64          // of the whole run, in US dollars
	Context   *int              // percent of the window used by the last main request
	ResetAt   time.Time         // RateLimited: when it ends; zero: unknown
	Error     string            // one line; empty: none
	Usage     map[string]Tokens // by model; nil: unknown
}

// Tokens counts tokens. Cached ones are not part of Input.
type Tokens struct {
	Input  int64 // read, the cached ones aside
	Output int64 // written
	Cached int64 // read from the cache
}
