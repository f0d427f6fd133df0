package runner

import (
	"time"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// Config is what a loop is told, recorded whole in the trailers of its opening. Keys are the names of the flags with underscores.
type Config struct {
	Command     []string         `toml:"command"`         // argument vector of the agent; empty: the preset's own
	Model       string           `toml:"model"`           // empty: the agent's own default
	Permissions string           `toml:"permissions"`     // "all": the agent may write and run unattended; empty: its own safe default
	Agent       string           `toml:"agent"`           // preset; "generic" is any program
	PromptMode  agent.PromptMode `toml:"prompt_mode"`     // empty: the preset's own
	PromptFile  string           `toml:"prompt_file"`     // read again for each iteration; relative to the top level; empty: the prompt is in the opening
	Dir         string           `toml:"working_dir"`     // where the agent and verify run, from the top level; empty: the top level
	Template    bool             `toml:"prompt_template"` // the prompt is a text/template
	Env         []string         `toml:"env"`             // names of variables that the agent gets; values are never recorded
	Branch      string           `toml:"branch"`          // template filled in
	Subject     string           `toml:"subject"`         // template of an iteration's subject

	Promise string      `toml:"completion_promise"` // empty: none, exit code 0 is success
	Match   agent.Match `toml:"promise_match"`      // how the promise is looked for in the agent's words

	Verify        []string   `toml:"verify"`         // each through sh -c, in order
	VerifyTimeout Duration   `toml:"verify_timeout"` // of each command
	VerifyWhen    VerifyWhen `toml:"verify_when"`    // where no promise is asked for: always

	MaxIterations    int      `toml:"max_iterations"`     // zero: no limit, as for all limits
	Timeout          Duration `toml:"timeout"`            // of the agent in one iteration
	StallTimeout     Duration `toml:"stall_timeout"`      // of an agent that prints nothing, changes no file and computes nothing
	MaxDuration      Duration `toml:"max_duration"`       // of all iterations together
	MaxFailures      int      `toml:"max_failures"`       // failed iterations in a row
	NoProgress       int      `toml:"no_progress"`        // completed iterations in a row that changed nothing
	MaxCost          float64  `toml:"max_cost"`           // US dollars that all iterations together may cost
	MaxTokens        int      `toml:"max_tokens"`         // tokens of input and output, cached ones aside, of all iterations together
	AllowUnknownCost bool     `toml:"allow_unknown_cost"` // a limit on what the agent does not tell is accepted
	MaxRetries       int      `toml:"max_retries"`        // passing failures in a row that are waited out
	Grace            Duration `toml:"grace"`              // between TERM and KILL

	Push   bool   `toml:"push"`   // after every iteration
	Remote string `toml:"remote"` // name of the remote that it is pushed to; empty: git's default for the branch

	ScudTag     string    `toml:"scud_tag"`     // tag of the SCUD plan to work through; empty: there is no plan
	PlanRoot    string    `toml:"scud_root"`    // the folder that holds the .scud folder, from the top level: "." is that itself; empty: it is looked for from Dir upwards
	Plan        string    `toml:"plan"`         // Markdown file that the agent of a task gets its section of; from the top level; empty: none
	MaxAttempts int       `toml:"max_attempts"` // iterations for one task before it is blocked; at least 1
	OnBlocked   OnBlocked `toml:"on_blocked"`   // what becomes of the work tree when a task is given up
	SkipBroken  bool      `toml:"skip_broken"`  // run what can be run of a plan with cycles or missing tasks
	Waves       []string  `toml:"waves"`        // as they were fixed at the start: number, then leaves
	Statuses    []string  `toml:"statuses"`     // tasks that were not pending at the start, or at the last resume after an orderly stop: id and status

	SpecFiles     []string `toml:"spec_file"`            // files that every agent is told, each under its name; from the top level
	Handoff       string   `toml:"handoff"`              // file that the first prompt after a start or a resume tells; from the top level; empty: none
	SpecTemplate  string   `toml:"spec_template"`        // file that arranges what the agent of a task is told; from the top level; empty: the usual order
	IncludeTask   bool     `toml:"include_task"`         // the agent of a task is told all that the task file says, not only id and title
	IncludePlan   bool     `toml:"include_plan_section"` // the agent of a task is told what the plan says of it
	MaxSpecTokens int      `toml:"max_spec_tokens"`      // a longer text for the agent is warned of; zero: none is

	IterationContext bool `toml:"iteration_context"`  // the prompt tells what earlier iterations did, and what git knows
	MaxContextTokens int  `toml:"max_context_tokens"` // the most that this adds, four bytes counted as one; at least 1

	Custom      agent.Custom `toml:"-"` // agents.NAME: the agent that the user describes; its Name is Agent, or empty: none is described
	MaxFileSize int64        `toml:"-"` // snapshot.max_file_size: bytes; larger new files are left out of commits
	Allow       []string     `toml:"-"` // snapshot.allow: paths that are never left out
}

// OnBlocked says what becomes of the work tree when a task is given up.
type OnBlocked string

// What may become of it.
const (
	SetAside OnBlocked = "set-aside" // what the attempts at the task changed is taken back, task files aside
	KeepWork OnBlocked = "keep"      // it stays as the last attempt left it
)

// VerifyWhen says when verify runs.
type VerifyWhen string

// The times to verify.
const (
	VerifyPromise VerifyWhen = "promise" // when the promise stands
	VerifyAlways  VerifyWhen = "always"  // after every iteration
)

// DefaultConfig returns the configuration that is used where nothing is said.
func DefaultConfig() Config {
	return Config{
		Agent: "generic", Subject: DefaultSubject, Promise: "COMPLETE", Match: agent.MatchTag,
		VerifyTimeout: Duration(10 * time.Minute), VerifyWhen: VerifyPromise,
		MaxIterations: 20, Timeout: Duration(time.Hour), StallTimeout: Duration(15 * time.Minute), MaxFailures: 3, NoProgress: 3, MaxRetries: 10, MaxAttempts: 3, OnBlocked: SetAside,
		IncludeTask: true, IncludePlan: true, MaxSpecTokens: 5000,
		Grace: Duration(10 * time.Second), IterationContext: true, MaxContextTokens: 2000, MaxFileSize: 100_000_000,
	}
}

// DefaultSubject and DefaultBranch are templates; see [Config].
const (
	DefaultSubject = "loop: iteration {iteration}"
	DefaultBranch  = "ralph/{loop}"
)
