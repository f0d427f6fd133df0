package runner

import (
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// EventType names what an [Event] tells.
type EventType string

// The events, in the order of a loop.
const (
	LoopStarted      EventType = "started"           // the opening is written: Loop, Branch, Max
	LoopResumed      EventType = "resumed"           // Iteration is the next one
	IterationStarted EventType = "iteration-started" // Iteration, Max
	PhaseChanged     EventType = "phase"             // Phase; Until when waiting, Argv when executing
	AgentActivity    EventType = "activity"          // Text: one line of what the agent does; Kind
	Told             EventType = "told"              // Text: one line that the user should know
	Busy             EventType = "busy"              // Text: one line of what takes its time now; where no loop runs
	IterationEnded   EventType = "iteration"         // Record is written
	LoopEnded        EventType = "ended"             // Totals; Exit or Paused, both empty when interrupted
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

// Event is something that happened in a running loop. Fields that its type does not name are empty.
type Event struct {
	Type      EventType
	Time      time.Time
	Loop      string
	Branch    string
	Iteration int
	Max       int // zero: no limit
	Phase     Phase
	Until     time.Time
	Text      string
	Kind      string   // AgentActivity: agent.ActivityText, agent.ActivityTool or agent.ActivityNotice
	Argv      []string // PhaseChanged to Executing: the agent's argument vector; the prompt in it stands as agent.PromptPlaceholder
	Record    *gitstate.Record
	Totals    *gitstate.Totals
	Exit      gitstate.Exit
	Paused    bool
	Left      []LeftTask // LoopEnded of a loop over a plan: what is neither done nor cancelled
}
