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
	Program     string     // path of the preset's program; empty: its name, to be found on PATH. Not used with Command
	Prompt      string     // the whole prompt
	PromptMode  PromptMode // empty: the preset's own
	PromptFile  string     // path of a file that holds the prompt; required, the runner writes it before every iteration
	Promise     string     // empty: none
	Match       Match      // empty: MatchTag
	Task        TaskWords  // how the agent of one task ends it; zero: there is no task
	Model       string     // empty: the agent's own default
	Permissions string     // "all": may write and run unattended; empty: the agent's own safe default
}

// Invocation is how the agent is to be started.
type Invocation struct {
	Argv     []string // program and arguments
	Stdin    string   // path of a file; empty: none
	Env      []string // variables beside the loop's ("K=V")
	Unset    []string // names of variables that the agent must not inherit
	Switched bool     // the prompt was too long for its mode and goes to standard input
}

// Preset is one kind of agent.
type Preset interface {
	// Name is how users name the preset, such as "generic".
	Name() string
	// Prompt returns the request's prompt as the agent has to get it: what the runner puts into the file, and gives to the other methods.
	Prompt(Request) string
	// Invoke builds the invocation for one iteration.
	Invoke(Request) (Invocation, error)
	// Reader returns a new reader for the standard output of one run of that request.
	Reader(Request) Reader
	// CannotEdit says in one line why the agent will not be able to edit files; empty: it will, or nobody can know.
	CannotEdit(Request) string
	// Tells says which costs the reader of that request can learn from the output.
	Tells(Request) Telling
}

// Telling says what an agent tells about its costs. The zero value: nothing.
type Telling struct {
	Tokens  bool // it counts its tokens
	Cost    bool // it names a price
	Context bool // it says how full its context is
}

// Reader reads one run's standard output as it comes.
type Reader interface {
	// Read consumes output until EOF or an error; emit is called for what a person can follow live. Memory is bounded.
	Read(output io.Reader, emit func(Activity)) error
	// Verdict tells what the run said, given how the process ended. Call it after Read.
	Verdict(Exit) Verdict
}

// The kinds of activity.
const (
	ActivityText   = "text"   // a line of what the agent says
	ActivityTool   = "tool"   // a tool that it calls: its name, and ": " and what it is used on where that is known
	ActivityNotice = "notice" // something about the run, such as a request that is tried again
	ActivityUsage  = "usage"  // no text: what the run has used so far
	ActivityMore   = "more"   // no text: it begins with another request, which costs more
	ActivityEnd    = "end"    // no text: it has said how the run ended, which may be its last word
	ActivityOver   = "over"   // no text: that too, and it is known to hang sometimes instead of ending
)

// Activity is something that the agent did, for a person to follow: one line.
type Activity struct {
	Kind    string   // one of the kinds above
	Text    string   // one line; empty for the kinds without text
	Tokens  *Tokens  // usage: of the run so far; nil: not told
	CostUSD *float64 // usage: of the run so far; nil: not told
}

// Exit is how the process ended.
type Exit struct {
	Code   int       // exit code
	Ours   bool      // we ended it: time, stall, cancel
	Cause  Class     // why we ended it: [TimedOut] or [Stalled]; empty: another reason
	Stderr string    // last 64 KiB of standard error
	Now    time.Time // when it ended: what a reset "at 3pm" is counted from
}

// Class says what kind of end a run had.
type Class string

// The classes of a verdict.
const (
	Completed   Class = "completed"     // the agent itself says that it ended well
	Failed      Class = "failed"        // it ended badly
	TimedOut    Class = "timed-out"     // we ended it after its time limit
	Stalled     Class = "stalled"       // we ended it because nothing moved any more
	RateLimited Class = "rate-limited"  // wait until ResetAt and run the same iteration again
	Transient   Class = "transient"     // overloaded, network: back off and run the same iteration again
	OutOfBudget Class = "out-of-budget" // no money or quota is left: waiting does not help
	Refused     Class = "refused"       // authentication, permission, unknown command: trying again is of no use
	Truncated   Class = "truncated"     // its output ends before it said how it ended
)

// Hopeless reports whether trying again is of no use after such an end. Standard error alone says that only of a run that never began: what an agent's helpers log
// there while it works may say the same of themselves.
func (c Class) Hopeless() bool { return c == Refused || c == OutOfBudget }

// Verdict is what a run's output says. A nil pointer is unknown, never zero.
type Verdict struct {
	Class         Class             // what kind of end it was
	Promise       bool              // the promise stands in the final text, and the run ended well
	Blocked       string            // the reason in <blocked>…</blocked>, empty: none; it counts also when the run ended badly by itself
	TaskComplete  bool              // Request.Task.Complete stands in the final text, and the run ended well
	TaskBlocked   string            // why the task cannot be done, after a good end; empty: the final text does not say so
	FinalText     string            // the agent's last words, at most 64 KiB
	Session       string            // empty: unknown
	Tokens        *Tokens           // of the whole run
	CostUSD       *float64          // of the whole run, in US dollars
	Partial       bool              // Tokens and CostUSD end before the run did: it used at least that
	Context       *int              // percent of the window used by the last main request
	ContextUsed   *int64            // tokens in the last main request
	ContextWindow *int64            // tokens that a request can have
	ResetAt       time.Time         // RateLimited: when it ends; zero: unknown
	Error         string            // one line; empty: none
	Denied        string            // one line: what the agent was not allowed to do; empty: nothing
	Broken        int               // lines of output that could not be read
	Usage         map[string]Tokens // by model; nil: unknown
}
