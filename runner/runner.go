package runner

import (
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
	Renew      time.Duration              // between two renewals of the lease of a loop that is shared; zero means 2m
	Silence    time.Duration              // how long a remote may say nothing before it counts as out of reach; zero means 1m
	HookLimit  time.Duration              // how long a hook of ours may take; zero means 10m
	Approve    func(claims []Claim) error // asked before anything runs whose hash is unknown; nil refuses with an *[UntrustedError]
}

// StartRequest says what loop to start.
type StartRequest struct {
	Name         string            // empty: made from the prompt
	Prompt       string            // required unless Config.PromptFile is set
	Config       Config            // its Branch is the template, filled in by the start; empty: DefaultBranch
	EnvValues    map[string]string // of the variables named in Config.Env
	Claims       []Claim           // what did not come from the user: to be approved
	Own          []string          // paths (from the top level) that the loop itself reads; they may be dirty and go into the opening
	DirtyInclude bool              // put uncommitted work into a commit of its own before the opening
	Worktree     string            // path of a linked worktree to be made for the loop, {loop} is its name; empty: this one
}

// Plan is what [Runner.Start] would do.
type Plan struct {
	Name, Branch string
	Argv         []string // agent's argument vector of the first iteration
	Prompt       string   // first iteration's prompt
	Worktree     string   // path of the linked worktree; empty: the current one
	Config       Config   // with the branch filled in
}

// ResumeRequest says how a loop goes on.
type ResumeRequest struct {
	Loop         string            // required
	Change       func(*Config)     // applied to the recorded configuration; nil: nothing changes
	EnvValues    map[string]string // of the variables named in the configuration's Env
	DirtyInclude bool              // put uncommitted work of the user's into a commit of its own before the loop goes on
	On           CaughtUp          // what [Runner.CatchUp] found; its zero value: the loop is shared only if it is to be pushed
	TakeOver     bool              // its lease is taken from the owner that CatchUp found, or from whoever has it
}

// Outcome is what a loop has come to when it stops.
type Outcome struct {
	Loop        string
	Branch      string          // short name
	Exit        gitstate.Exit   // empty: it was interrupted or paused and has not ended
	Paused      bool            // it waits for a resume
	Interrupted bool            // it was told to stop now and may be resumed
	Already     bool            // the loop was done before; nothing was run
	Totals      gitstate.Totals // of the loop's life, not of this run alone
	Base        *gitstate.Base  // where the loop began
	Worktree    string          // path of the linked worktree that it ran in; empty: the current one
}

// busy tells what takes its time now.
func (r *Runner) busy(what string) {
	if r.Emit != nil {
		r.Emit(Event{Type: Busy, Time: r.Now(), Text: what})
	}
}
