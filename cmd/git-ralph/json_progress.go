package main

import (
	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// progressJSON is one event of a running loop: a line of start --json and resume --json. An iteration that has ended is
// an iterationJSON, as in log.
type progressJSON struct {
	Type          string   `json:"type"` // "started", "resumed", "iteration-started", "phase", "activity", "told"
	Schema        int      `json:"schema"`
	Time          *string  `json:"time"`
	Loop          string   `json:"loop"`
	Branch        string   `json:"branch"`
	Iteration     int      `json:"iteration"`
	MaxIterations *int     `json:"max_iterations"`
	Phase         *string  `json:"phase"`
	WaitingUntil  *string  `json:"waiting_until"`
	Text          *string  `json:"text"`
	Kind          *string  `json:"kind,omitempty"` // of an activity: "text", "tool" (its name, and what it is used on), "notice"
	Argv          []string `json:"argv,omitempty"` // of the agent, when it is executing; the prompt stands as {prompt}
}

// endJSON is the last event: what the loop has come to.
type endJSON struct {
	Type       string      `json:"type"` // "ended"
	Schema     int         `json:"schema"`
	Time       *string     `json:"time"`
	Loop       string      `json:"loop"`
	Branch     string      `json:"branch"`
	State      loopState   `json:"state"` // done, stopped, paused, interrupted
	ExitReason *string     `json:"exit_reason"`
	Iteration  int         `json:"iteration"`
	ElapsedS   float64     `json:"elapsed_s"`
	Tokens     *tokensJSON `json:"tokens"`
	CostUSD    *float64    `json:"cost_usd"`
	Verify     *verifyJSON `json:"verify"`
	Tests      *testsJSON  `json:"tests"`
	Files      *filesJSON  `json:"files"` // of the last iteration

	Unfinished []leftTaskJSON `json:"unfinished_tasks"` // of a plan: neither done nor cancelled
}

// progressOf turns an event into its line of JSON.
func progressOf(e runner.Event) any {
	switch {
	case e.Type == runner.IterationEnded && e.Record != nil:
		return iterationOfRecord(*e.Record)
	case e.Type == runner.LoopEnded && e.Totals != nil:
		return endOf(e)
	}
	return progressJSON{
		Type: string(e.Type), Schema: jsonSchema, Time: utc(e.Time), Loop: e.Loop, Branch: e.Branch, Iteration: e.Iteration, MaxIterations: some(e.Max),
		Phase: some(string(e.Phase)), WaitingUntil: utc(e.Until), Text: some(e.Text), Kind: some(e.Kind), Argv: e.Argv,
	}
}

func endOf(e runner.Event) endJSON {
	state := stateOf(runner.View{State: gitstate.State{Totals: gitstate.Totals{Exit: e.Exit, Paused: e.Paused}}})
	t := e.Totals
	return endJSON{
		Type: string(e.Type), Schema: jsonSchema, Time: utc(e.Time), Loop: e.Loop, Branch: e.Branch, State: state, ExitReason: some(string(e.Exit)),
		Iteration: t.Iteration, ElapsedS: seconds(t.Elapsed), Tokens: tokensOf(t.Tokens), CostUSD: costOf(t.CostUSD), Verify: verifyOf(t.Verify),
		Tests: testsOf(t.Tests), Files: filesOf(t.Files), Unfinished: leftOf(e.Left),
	}
}
