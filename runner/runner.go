package runner

import (
	"context"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// Runner runs loops in one repository.
type Runner struct {
	Repo       *gitstate.Repository       // required
	Supervisor proc.Supervisor            // required
	Env        []string                   // required: environment that agents, verify and hooks start from ("K=V")
	Now        func() time.Time           // required
	Emit       func(Event)                // told of everything that happens, one call at a time; nil: nobody
	Control    *Control                   // how the caller stops a running loop; nil: only other processes can
	Approve    func(claims []Claim) error // asked before anything runs whose hash is unknown; nil refuses with an *[UntrustedError]
}

// StartRequest says what loop to start.
type StartRequest struct {
	Name         string // empty: made from the prompt
	Prompt       string // required unless Config.PromptFile is set
	Config       Config
	EnvValues    map[string]string // of the variables named in Config.Env
	Claims       []Claim           // what did not come from the user: to be approved
	Own          []string          // paths (from the top level) that the loop itself reads; they may be dirty and go into the opening
	DirtyInclude bool              // put uncommitted work into a commit of its own before the opening
	Worktree     string            // path of a linked worktree to be made for the loop; empty: this one
}

// Plan is what [Runner.Start] would do.
type Plan struct {
	Name, Branch string
	Argv         []string // agent's argument vector of the first iteration
	Prompt       string   // first iteration's prompt
	Worktree     string
}

// ResumeRequest says how a loop goes on.
type ResumeRequest struct {
	Loop         string        // required
	Change       func(*Config) // applied to the recorded configuration; nil: nothing changes
	EnvValues    map[string]string
	DirtyInclude bool
}

// Outcome is what a loop has come to when it stops.
type Outcome struct {
	Loop     string
	Branch   string
	Exit     gitstate.Exit // empty: it was interrupted or paused and has not ended
	Paused   bool
	Already  bool // the loop was done before; nothing was run
	Totals   gitstate.Totals
	Base     *gitstate.Base // where the loop began
	Worktree string         // path of the linked worktree that it ran in; empty: the current one
}

// Start makes a new loop and runs it to its end. When it returns an error before the opening is written, nothing has changed.
func (r *Runner) Start(ctx context.Context, q StartRequest) (Outcome, error) { return Outcome{}, nil }

// Plan returns what Start would do with the request, after the same checks, and changes nothing.
func (r *Runner) Plan(ctx context.Context, q StartRequest) (Plan, error) { return Plan{}, nil }

// Resume goes on with a loop that is not running.
func (r *Runner) Resume(ctx context.Context, q ResumeRequest) (Outcome, error) { return Outcome{}, nil }

// Cancel ends a loop that is not running: what lies in the work tree is committed, and the end is recorded.
func (r *Runner) Cancel(ctx context.Context, loop string) (Outcome, error) { return Outcome{}, nil }

// Pause marks a loop that is not running as paused.
func (r *Runner) Pause(ctx context.Context, loop string) (Outcome, error) { return Outcome{}, nil }

// Tell leaves guidance for the loop's next iteration. It works whether the loop runs or not; see design: a stopped one gets an event commit.
func (r *Runner) Tell(ctx context.Context, loop, text string) error { return nil }
