package main

import (
	"github.com/git-ralph/git-ralph/gitstate"
)

// iterationJSON is one iteration: a line of log, and the first half of what show answers. A nil pointer is unknown.
type iterationJSON struct {
	Type           string        `json:"type"` // "iteration"
	Schema         int           `json:"schema"`
	Loop           string        `json:"loop"`
	Iteration      int           `json:"iteration"`
	Commit         string        `json:"commit"`
	Previous       *string       `json:"previous"` // our commit before it
	CommittedAt    *string       `json:"committed_at"`
	Subject        string        `json:"subject"`
	Status         string        `json:"status"` // as in Ralph-Status
	Agent          *string       `json:"agent"`
	Session        *string       `json:"session"`
	ExitCode       *int          `json:"exit_code"`
	DurationS      *float64      `json:"duration_s"` // all of it: waits, hooks and verify too
	Files          *filesJSON    `json:"files"`
	Tests          *testsJSON    `json:"tests"`
	Verify         *verifyJSON   `json:"verify"`
	Tokens         *tokensJSON   `json:"tokens"`
	CostUSD        *float64      `json:"cost_usd"`
	ContextPercent *int          `json:"context_percent"`
	Task           *string       `json:"task"`
	Wave           *int          `json:"wave"`
	Attempt        *int          `json:"attempt"`
	Blocked        *string       `json:"blocked"`     // the reason
	ExitReason     *string       `json:"exit_reason"` // why the loop ended here
	Summary        *string       `json:"summary"`
	Skipped        []skippedJSON `json:"skipped"` // paths left out of the commit
	Kept           []string      `json:"kept"`    // refs that hold what was moved away
}

// skippedJSON is a path that was left out of a commit.
type skippedJSON struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// eventJSON is a commit of ours that is no iteration: a line of log --all.
type eventJSON struct {
	Type        string   `json:"type"` // "opening", "wave" or "event"
	Schema      int      `json:"schema"`
	Loop        string   `json:"loop"`
	Iteration   int      `json:"iteration"` // the last number before it
	Commit      string   `json:"commit"`
	CommittedAt *string  `json:"committed_at"`
	Subject     string   `json:"subject"`
	Event       *string  `json:"event"` // resume, pause, cancel, tell, stop, set-aside
	Text        *string  `json:"text"`  // the prompt, the guidance
	Config      []string `json:"config"`
	Wave        *int     `json:"wave"`
	WaveDone    []string `json:"wave_done"`
	WaveBlocked []string `json:"wave_blocked"`
	Task        *string  `json:"task"`
	Blocked     *string  `json:"blocked"`
	ExitReason  *string  `json:"exit_reason"`
}

// showJSON is the answer of show: the iteration, and what its note and git know beside it.
type showJSON struct {
	iterationJSON
	StartedAt      *string               `json:"started_at"`
	EndedAt        *string               `json:"ended_at"`
	Note           bool                  `json:"note"` // false: the note is not here; what only it knows is null or empty
	CreatedFiles   []string              `json:"created_files"`
	ModifiedFiles  []string              `json:"modified_files"`
	DeletedFiles   []string              `json:"deleted_files"`
	RenamedFiles   []renamedJSON         `json:"renamed_files"`
	FailedTests    []failedTestJSON      `json:"failed_tests"`
	VerifyTail     *string               `json:"verify_tail"` // end of what verify printed
	TokensByModel  map[string]tokensJSON `json:"tokens_by_model"`
	OutputHead     *string               `json:"output_head"` // begin of what the agent printed
	Error          *string               `json:"error"`
	AgentCommits   []agentCommitJSON     `json:"agent_commits"` // made by the agent itself, newest first
	AgentCommitted int                   `json:"agent_commits_total"`
}

// renamedJSON is a path that was renamed.
type renamedJSON struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// failedTestJSON is a test that failed.
type failedTestJSON struct {
	Name      string   `json:"name"`
	DurationS *float64 `json:"duration_s"`
	Error     *string  `json:"error"`
}

// agentCommitJSON is a commit that the agent made itself.
type agentCommitJSON struct {
	Commit  string `json:"commit"`
	Subject string `json:"subject"`
}

// recordOf turns a record into its line of JSON.
func recordOf(r gitstate.Record) any {
	if r.Status != "" {
		return iterationOfRecord(r)
	}
	return eventJSON{
		Type: string(r.Kind), Schema: jsonSchema, Loop: r.Loop, Iteration: r.Iteration, Commit: r.Commit.String(), CommittedAt: utc(r.Time),
		Subject: r.Subject, Event: some(r.Event), Text: some(r.Body), Config: notNil(r.Config), Wave: r.Wave, WaveDone: notNil(r.WaveDone),
		WaveBlocked: notNil(r.WaveBlocked), Task: some(r.Task), Blocked: some(r.Blocked), ExitReason: some(string(r.Exit)),
	}
}

// iterationOfRecord turns an iteration's record into its line of JSON.
func iterationOfRecord(r gitstate.Record) iterationJSON {
	answer := iterationJSON{
		Type: string(gitstate.Iteration), Schema: jsonSchema, Loop: r.Loop, Iteration: r.Iteration, Commit: r.Commit.String(), CommittedAt: utc(r.Time),
		Subject: r.Subject, Status: string(r.Status), Agent: some(r.Agent), Session: some(r.Session), ExitCode: r.ExitCode,
		Files: filesOf(r.Files), Tests: testsOf(r.Tests), Verify: verifyOf(r.Verify), Tokens: tokensOf(r.Tokens), CostUSD: costOf(r.CostUSD),
		ContextPercent: r.Context, Task: some(r.Task), Wave: r.Wave, Attempt: r.Attempt, Blocked: some(r.Blocked),
		ExitReason: some(string(r.Exit)), Summary: some(r.Body), Skipped: []skippedJSON{}, Kept: []string{},
	}
	if !r.Previous.IsZero() {
		answer.Previous = new(r.Previous.String())
	}
	if r.Duration != nil {
		answer.DurationS = new(seconds(*r.Duration))
	}
	for _, s := range r.Skipped {
		answer.Skipped = append(answer.Skipped, skippedJSON{Path: pathJSON(s.Path), Reason: s.Reason})
	}
	for _, k := range r.Kept {
		answer.Kept = append(answer.Kept, k.String())
	}
	return answer
}

// showOf is one iteration with everything that is known of it.
func showOf(i iterationView) showJSON {
	answer := showJSON{
		iterationJSON: iterationOfRecord(i.record),
		Note:          i.note != nil,
		CreatedFiles:  pathsJSON(i.changes.Created),
		ModifiedFiles: pathsJSON(i.changes.Modified),
		DeletedFiles:  pathsJSON(i.changes.Deleted),
		RenamedFiles:  []renamedJSON{},
		FailedTests:   []failedTestJSON{},
		TokensByModel: map[string]tokensJSON{},
		AgentCommits:  []agentCommitJSON{}, AgentCommitted: len(i.commits),
	}
	for _, p := range i.changes.Renamed {
		answer.RenamedFiles = append(answer.RenamedFiles, renamedJSON{From: pathJSON(p.From), To: pathJSON(p.To)})
	}
	for _, c := range i.commits {
		answer.AgentCommits = append(answer.AgentCommits, agentCommitJSON{Commit: c.Hash.String(), Subject: c.Subject})
	}
	n := i.note
	if n == nil {
		return answer
	}
	answer.StartedAt, answer.EndedAt = utc(n.Started), utc(n.Ended)
	answer.OutputHead, answer.Error = some(n.Output), some(n.Error)
	if n.Tests != nil {
		for _, f := range n.Tests.Failures {
			failed := failedTestJSON{Name: f.Name, Error: some(f.Error)}
			if f.Duration > 0 {
				failed.DurationS = new(seconds(f.Duration))
			}
			answer.FailedTests = append(answer.FailedTests, failed)
		}
	}
	if n.Verify != nil {
		answer.VerifyTail = some(n.Verify.Tail)
	}
	for model, used := range n.Usage {
		answer.TokensByModel[model] = *tokensOf(&used)
	}
	return answer
}
