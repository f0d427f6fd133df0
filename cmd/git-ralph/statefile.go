package main

import (
	"bytes"
	"encoding/json"
	"time"
)

// stateFile is a loop as a loop-state.json holds it: the file that other tools of this kind keep a loop in. A loop over a plan has the fields of both kinds
// of loop that these tools know, so that each finds its own. What it cannot hold is not exported: totals, verify, notes.
type stateFile struct {
	Version            string          `json:"version"`
	Iteration          int             `json:"iteration"` // that have ended
	Config             stateFileConfig `json:"config"`
	StartedAt          *time.Time      `json:"started_at"`
	LastIterationAt    *time.Time      `json:"last_iteration_at,omitempty"`
	Completed          bool            `json:"completed"` // it has ended, whether or not its work is done
	CompletionAt       *time.Time      `json:"completion_detected_at,omitempty"`
	CompletionText     *string         `json:"completion_text,omitempty"`
	ExitReason         *stateFileExit  `json:"exit_reason,omitempty"`
	IterationSummaries []stateFilePast `json:"iteration_summaries"`
	Error              *string         `json:"error,omitempty"`
	*stateFilePlan                     // nil: it works through no plan
}

// stateFilePlan is what a loop over a plan has beside.
type stateFilePlan struct {
	CurrentWave    int                `json:"current_wave"`
	TotalWaves     int                `json:"total_waves"`
	TasksCompleted int                `json:"tasks_completed"`
	TasksTotal     int                `json:"tasks_total"`
	IterationCount int                `json:"iteration_count"`
	WaveCommits    []stateFileWave    `json:"wave_commits"`
	LastActivityAt *time.Time         `json:"last_activity_at"`
	BlockedTasks   []stateFileBlocked `json:"blocked_tasks"`
}

// stateFileConfig is the configuration of either kind of loop. A pointer that is nil is null or missing.
type stateFileConfig struct {
	Command              string            `json:"command"`
	Args                 []string          `json:"args"`
	Prompt               string            `json:"prompt"`
	CompletionPromise    *string           `json:"completion_promise"`
	MaxIterations        *int              `json:"max_iterations"`
	WorkingDirectory     *string           `json:"working_directory"`
	StateFile            *string           `json:"state_file"`
	IterationContext     *bool             `json:"include_iteration_context"`
	TimeoutSecs          *int64            `json:"iteration_timeout_secs"`
	VerificationCommand  *string           `json:"verification_command,omitempty"` // other tools know it in loops over a plan only
	Backend              *stateFileBackend `json:"backend,omitempty"`
	Git                  *stateFileGit     `json:"git,omitempty"`
	*stateFilePlanConfig                   // nil: it works through no plan
}

// stateFilePlanConfig is the part of it that tells of a plan.
type stateFilePlanConfig struct {
	Tag                  string         `json:"tag"`
	PlanPath             *string        `json:"plan_path"`
	HandoffPath          *string        `json:"handoff_path"`
	MaxIterationsPerTask *int           `json:"max_iterations_per_task"`
	MaxTotalIterations   *int           `json:"max_total_iterations"`
	UseSubAgents         bool           `json:"use_sub_agents"`
	AutoCommitWaves      bool           `json:"auto_commit_waves"`
	Spec                 *stateFileSpec `json:"spec,omitempty"`
}

// stateFileSpec says what the agent of a task is told.
type stateFileSpec struct {
	IncludeTask     *bool    `json:"include_task"`
	IncludePlan     *bool    `json:"include_plan_section"`
	AdditionalSpecs []string `json:"additional_specs"`
	MaxSpecTokens   *int     `json:"max_spec_tokens"`
	SpecTemplate    *string  `json:"spec_template"` // the text; ours names a file
}

// stateFileBackend says how the agent is called.
type stateFileBackend struct {
	Type         string            `json:"backend_type"`
	PromptMode   string            `json:"prompt_mode"`
	Environment  map[string]string `json:"environment"`
	OutputFormat string            `json:"output_format"`
}

// stateFileGit says what is committed, and where.
type stateFileGit struct {
	AutoCommit     bool   `json:"auto_commit"`
	CommitTemplate string `json:"commit_template"`
	CreateBranch   bool   `json:"create_branch"`
	BranchTemplate string `json:"branch_template"`
}

// stateFileExit is why a loop ended, or that it has not.
type stateFileExit struct {
	Type    string `json:"type"`
	Message string `json:"message,omitempty"` // of an error
}

// stateFilePast is one iteration.
type stateFilePast struct {
	Iteration      int       `json:"iteration"` // from 0
	StartedAt      time.Time `json:"started_at"`
	CompletedAt    time.Time `json:"completed_at"`
	ExitCode       *int      `json:"exit_code"`
	OutputPreview  string    `json:"output_preview"`
	PromiseChecked bool      `json:"promise_checked"`
}

// stateFileWave is a wave that is closed. Ids of tasks are numbers where they are such, as these tools want them.
type stateFileWave struct {
	Wave           int       `json:"wave"`
	CommitHash     string    `json:"commit_hash"`
	Timestamp      time.Time `json:"timestamp"`
	TasksCompleted []any     `json:"tasks_completed"`
}

// stateFileBlocked is a task that was given up.
type stateFileBlocked struct {
	TaskID    any       `json:"task_id"`
	Title     string    `json:"title"`
	Reason    string    `json:"reason"`
	Attempts  int       `json:"attempts"`
	BlockedAt time.Time `json:"blocked_at"`
}

// stateFileVersion is the version of the file that we read and write.
const stateFileVersion = "1.0"

// stateFileKeys are the keys that a configuration in a file has: a null takes a limit away, a key that is missing leaves our default.
type stateFileKeys map[string]json.RawMessage

// parseStateFile reads a file of either kind.
func parseStateFile(text []byte) (stateFile, stateFileKeys, error) {
	state := stateFile{stateFilePlan: &stateFilePlan{}, Config: stateFileConfig{stateFilePlanConfig: &stateFilePlanConfig{}}}
	var outer struct {
		Config stateFileKeys `json:"config"`
	}
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if err := json.Unmarshal(text, &outer); err != nil {
		return state, nil, err
	}
	err := json.Unmarshal(text, &state)
	return state, outer.Config, err
}
