package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// fetchCmd fetches loops.
type fetchCmd struct {
	answer
	Remote string `arg:"" optional:"" help:"Where from (default: where git push would go)."`
	Loop   string `placeholder:"NAME" help:"The loop (default: all that the remote has)."`
}

// fetchJSON is the answer of fetch.
type fetchJSON struct {
	Schema int               `json:"schema"`
	Remote string            `json:"remote"`
	Loops  []fetchedLoopJSON `json:"loops"`
	Told   []string          `json:"told"`
}

// fetchedLoopJSON is a loop as the remote has it.
type fetchedLoopJSON struct {
	Loop        string  `json:"loop"`
	Branch      string  `json:"branch"`
	Commit      string  `json:"commit"`
	Iteration   int     `json:"iteration"`
	ExitReason  *string `json:"exit_reason"`
	Stands      string  `json:"stands"`       // how the loop here stood to it: "new" (there was none), "same", "behind", "ahead", "diverged", "another"
	Moved       bool    `json:"moved"`        // the loop here is the same now
	HeldBy      *string `json:"held_by"`      // who continues it
	HeartbeatAt *string `json:"heartbeat_at"` // when that was renewed last
}

// Run fetches, and says what there is.
func (c *fetchCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	r, err := a.runner(repo, nil)
	if err != nil {
		return err
	}
	o, err := r.Fetch(ctx, runner.FetchRequest{Remote: c.Remote, Loop: c.Loop, Ask: a.canAsk()})
	if err != nil {
		return err
	}
	if c.Loop != "" && len(o.Loops) == 0 {
		return &problem{status: 4, text: fmt.Sprintf("there is no loop %q on remote %s", c.Loop, o.Remote),
			hints: []string{"see which there are: git ralph fetch " + shellWord(o.Remote)}, cause: gitstate.ErrNoLoop}
	}
	if a.json {
		return a.printJSON(fetchOf(o))
	}
	for _, line := range o.Told {
		a.say("%s", oneLine(line))
	}
	if len(o.Loops) == 0 {
		a.say("no loops on remote %s", o.Remote)
		return nil
	}
	return renderFetched(a.stdout, o.Loops, a.now(), lookOf(a.outTerm))
}

// fetchOf is the answer for a program.
func fetchOf(o runner.FetchOutcome) fetchJSON {
	answer := fetchJSON{Schema: jsonSchema, Remote: o.Remote, Loops: []fetchedLoopJSON{}, Told: notNil(o.Told)}
	for _, l := range o.Loops {
		row := fetchedLoopJSON{
			Loop: l.State.Loop.Name, Branch: l.State.Loop.Branch.Short(), Commit: l.State.Loop.Tip.String(), Iteration: l.State.Totals.Iteration,
			ExitReason: some(string(l.State.Totals.Exit)), Stands: standing(l), Moved: l.Moved,
		}
		if held(l.Lease) {
			row.HeldBy, row.HeartbeatAt = some(l.Lease.Holder()), utc(l.Lease.Heartbeat)
		}
		answer.Loops = append(answer.Loops, row)
	}
	return answer
}

func standing(l runner.FetchedLoop) string {
	if l.Stands == "" {
		return "new"
	}
	return string(l.Stands)
}

// held reports whether somebody continues a loop, or did and did not say that it stopped.
func held(l gitstate.Lease) bool { return l.Owner != "" && !l.Released }

// renderFetched writes one line a loop.
func renderFetched(w io.Writer, loops []runner.FetchedLoop, now time.Time, l look) error {
	rows := make([][]string, len(loops))
	for n, f := range loops {
		state := stateOf(runner.View{State: f.State})
		shown := l.paintState(state, string(state))
		if held(f.Lease) && !f.Lease.Free(now) && f.State.Totals.Exit == "" {
			shown = l.loud("running")
		}
		rows[n] = []string{l.loud(f.State.Loop.Name), shown, "iteration " + fmt.Sprint(f.State.Totals.Iteration), standingWords(f)}
		if held(f.Lease) {
			rows[n] = append(rows[n], fmt.Sprintf("continued by %s, seen %s", flat(f.Lease.Holder()), ago(f.Lease.Heartbeat, now)))
		}
	}
	var b strings.Builder
	for _, line := range columns(rows) {
		b.WriteString(l.cut(line) + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// standingWords says what there is here of a fetched loop.
func standingWords(f runner.FetchedLoop) string {
	switch {
	case f.Moved:
		return "brought up to date"
	case f.Stands == "":
		return "new here"
	case f.Stands == gitstate.StandsBehind:
		return "behind here: resume takes it along"
	case f.Stands == gitstate.StandsAhead:
		return "ahead here: not pushed yet"
	case f.Stands == gitstate.StandsDiverged:
		return "other iterations here"
	case f.Stands == gitstate.StandsAnother:
		return "another loop of that name here"
	}
	return "the same here"
}
