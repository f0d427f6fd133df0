package runner

import (
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// EventType names what an [Event] tells.
type EventType string

// The events, in the order of a loop.
const (
	LoopStarted      EventType = "started"           // the opening is written
	LoopResumed      EventType = "resumed"           // Iteration is the next one
	IterationStarted EventType = "iteration-started" // Iteration
	PhaseChanged     EventType = "phase"             // Iteration, Phase; Until and Text when waiting, Argv when executing
	AgentActivity    EventType = "activity"          // Iteration, Text: one line of what the agent does; Kind
	Told             EventType = "told"              // Iteration, Text: one line that the user should know
	Busy             EventType = "busy"              // Text: one line of what takes its time now; where no loop runs
	IterationEnded   EventType = "iteration"         // Iteration, Record, Totals: its commit is written
	LoopEnded        EventType = "ended"             // Totals, Left; Exit or Paused, both empty when interrupted
)

// Phase is what an iteration is doing.
type Phase string

// The phases.
const (
	PreHooks  Phase = "pre-hooks"
	Executing Phase = "executing"
	Verifying Phase = "verifying"
	Waiting   Phase = "waiting"
	PostHooks Phase = "post-hooks"
)

// Event is something that happened in a running loop. Time, Loop, Branch and Max are always there, but for Busy, which has the time alone; of the others those
// are empty that the type does not name.
type Event struct {
	Type      EventType
	Time      time.Time
	Loop      string
	Branch    string           // short name
	Iteration int              // the one at hand; LoopResumed: the next one
	Max       int              // zero: no limit
	Phase     Phase            // PhaseChanged
	Until     time.Time        // PhaseChanged to Waiting: when the wait is over
	Text      string           // one line; PhaseChanged to Waiting: why it waits
	Kind      string           // AgentActivity: agent.ActivityText, agent.ActivityTool or agent.ActivityNotice
	Argv      []string         // PhaseChanged to Executing: the agent's argument vector; the prompt in it stands as agent.PromptPlaceholder
	Record    *gitstate.Record // IterationEnded: as it was written
	Totals    *gitstate.Totals // IterationEnded, LoopEnded: with that iteration in them
	Exit      gitstate.Exit    // LoopEnded; empty: paused or interrupted
	Paused    bool             // LoopEnded
	Left      []LeftTask       // LoopEnded of a loop over a plan: what is neither done nor cancelled
}
