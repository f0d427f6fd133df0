package main

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// statusCmd shows a loop at one glance.
type statusCmd struct {
	answer
	Loop string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
}

// Run reads one commit and one note, whatever the loop's length. It writes nothing.
func (c *statusCmd) Run(ctx context.Context, a *app) error {
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	progress, err := runner.ReadProgress(ctx, a.opened, v)
	if err != nil {
		return err
	}
	if a.json {
		answer := statusOf(v, a.now())
		answer.planStatusJSON = planStatusOf(progress)
		return a.printJSON(answer)
	}
	return renderStatus(a.stdout, v, progress, a.now(), lookOf(a.outTerm))
}

// statusOf is a loop at one glance, for a program.
func statusOf(v runner.View, now time.Time) statusJSON {
	answer := statusJSON{
		Schema:         jsonSchema,
		Loop:           v.Loop.Name,
		Branch:         v.Loop.Branch.Short(),
		State:          stateOf(v),
		Iteration:      currentIteration(v),
		MaxIterations:  some(v.Config.MaxIterations),
		StartedAt:      utc(v.Totals.StartedAt),
		ElapsedS:       seconds(elapsed(v, now)),
		Tokens:         tokensOf(v.Totals.Tokens),
		CostUSD:        costOf(v.Totals.CostUSD),
		ContextPercent: v.Totals.Context,
		Verify:         verifyOf(v.Totals.Verify),
		Tests:          testsOf(v.Totals.Tests),
		Files:          filesOf(v.Totals.Files),
		WaitingUntil:   utc(waitsUntil(v, now)),
	}
	if v.Running == nil {
		answer.ExitReason = some(string(v.Totals.Exit))
	} else if v.Live != nil {
		answer.Phase = some(string(v.Live.Phase))
	}
	return answer
}

// renderStatus writes a loop at one glance, for a person: a line that says it all, then what is known, then what to type.
func renderStatus(w io.Writer, v runner.View, progress *runner.Progress, now time.Time, l look) error {
	var b strings.Builder
	fmt.Fprintln(&b, l.cut(statusHead(v, now, l)))
	for _, f := range statusFacts(v, now, l) {
		fmt.Fprintln(&b, l.cut("  "+l.faint(left(f.label, 9))+f.text))
	}
	writeProgress(&b, progress, l)
	label := "next"
	var rows [][]string
	for _, s := range nextSteps(v) {
		rows = append(rows, []string{s.command, l.faint(s.does)})
	}
	for _, line := range columns(rows) { // never cut: half a command is of no use
		fmt.Fprintln(&b, "  "+l.faint(left(label, 9))+line)
		label = ""
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// statusHead is the line that says it all.
func statusHead(v runner.View, now time.Time, l look) string {
	state := stateOf(v)
	parts := []string{l.loud(v.Loop.Name), l.paintState(state, string(state)+" "+stateTime(v, now)), iterationOf(currentIteration(v), v.Config.MaxIterations)}
	if v.Running != nil && v.Live != nil && v.Live.Phase != "" {
		phase := string(v.Live.Phase)
		if !v.Live.Started.IsZero() {
			phase += " " + roughDuration(now.Sub(v.Live.Started))
		}
		parts = append(parts, phase)
	}
	if used := elapsed(v, now); used > 0 && v.Running == nil {
		parts = append(parts, "took "+shortDuration(used))
	}
	if cost := costKnown(v.Totals); cost != "" {
		parts = append(parts, cost)
	}
	return strings.Join(parts, "   ")
}

// stateTime says how long a loop has been running, or when it was last heard of.
func stateTime(v runner.View, now time.Time) string {
	if v.Running == nil {
		return ago(v.Last.Time, now)
	}
	since := v.Running.Since
	if since.IsZero() {
		since = v.Totals.StartedAt
	}
	return roughDuration(now.Sub(since))
}

// fact is a labelled line.
type fact struct{ label, text string }

// statusFacts are the lines below the first one: only what is known.
func statusFacts(v runner.View, now time.Time, l look) []fact {
	var facts []fact
	add := func(label, text string) {
		if text != "" {
			facts = append(facts, fact{label, text})
		}
	}
	t := v.Totals
	if v.Running == nil && t.Exit != "" {
		words := exitWords(t.Exit)
		if t.Exit == gitstate.LimitReached {
			words = reachedWords(v.Config, t)
		}
		add("ended", words)
	}
	if until := waitsUntil(v, now); !until.IsZero() {
		add("waiting", "until "+clock(until, now)+", "+roughDuration(until.Sub(now))+" from now")
	}
	if v.Running != nil && v.Running.Pid != 0 {
		add("process", processWords(v))
	}
	if t.Tasks == nil {
		add("blocked", flat(v.Last.Blocked))
	}
	if v.Note != nil && t.LastStatus != gitstate.Completed {
		add("error", firstLine(v.Note.Error))
	}
	add("last", lastWords(v, l))
	if t.Verify != nil {
		add("verify", l.verdict(t.Verify.Passed, verifyWords(*t.Verify)))
	}
	if t.Tests != nil {
		add("tests", l.verdict(t.Tests.Failed == 0, testWords(*t.Tests)))
	}
	if t.Tokens != nil {
		add("tokens", atLeast(t.TokensUnknown)+tokenWords(*t.Tokens))
	}
	if t.Context != nil {
		add("context", strconv.Itoa(*t.Context)+"% of the agent's window used")
	}
	add("branch", shownBranch(v.Loop))
	return facts
}

// verdict colours what is good or bad.
func (l look) verdict(good bool, text string) string {
	if good {
		return l.good(text)
	}
	return l.bad(text)
}

// lastWords is the last iteration in a few words.
func lastWords(v runner.View, l look) string {
	t := v.Totals
	if t.LastStatus == "" {
		return ""
	}
	text := fmt.Sprintf("iteration %d %s", t.Iteration, l.paintStatus(t.LastStatus, string(t.LastStatus)))
	if t.Files != nil {
		text += ", " + fileWords(*t.Files)
	}
	if t.FailureStreak > 1 {
		text += ", " + strconv.Itoa(t.FailureStreak) + " failed in a row"
	}
	return text
}

// paintStatus colours how an iteration ended.
func (l look) paintStatus(s gitstate.Status, text string) string {
	switch s {
	case gitstate.Completed:
		return l.good(text)
	case gitstate.Interrupted, gitstate.Skipped:
		return l.wait(text)
	}
	return l.bad(text)
}

// processWords says who runs the loop, and where.
func processWords(v runner.View) string {
	text := strconv.Itoa(v.Running.Pid)
	if v.Live != nil && v.Live.Worktree != "" {
		text += " in " + flat(v.Live.Worktree)
	}
	return text
}

// costKnown is the cost as far as it is known; empty: no iteration told any.
func costKnown(t gitstate.Totals) string {
	if t.CostUSD == nil {
		return ""
	}
	return atLeast(t.CostUnknown) + costWords(*t.CostUSD)
}

// atLeast says that some iterations told nothing.
func atLeast(unknown int) string {
	if unknown == 0 {
		return ""
	}
	return "at least "
}
