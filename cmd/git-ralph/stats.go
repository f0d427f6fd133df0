package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// statsCmd adds up over loops.
type statsCmd struct {
	answer
	Loop string `arg:"" optional:"" help:"Of this loop alone (default: all that ran in this clone)."`
	By   string `default:"loop" placeholder:"WHAT" words:"loop agent model task verify day" help:"Rows: loop, agent, model, task, verify or day (default: loop)."`
	All  bool   `help:"Also the loops that were only fetched."`
}

// statsKinds are what rows can stand for.
func statsKinds() []runner.StatsBy {
	return []runner.StatsBy{runner.ByLoop, runner.ByAgent, runner.ByModel, runner.ByTask, runner.ByVerify, runner.ByDay}
}

// Run reads the history of each loop, whole.
func (c *statsCmd) Run(ctx context.Context, a *app) error {
	by := runner.StatsBy(c.By)
	if !slices.Contains(statsKinds(), by) {
		return usage(oneOf(c.By, texts(statsKinds())), "--by: there is nothing to be grouped by %q", c.By)
	}
	loops, err := c.loops(ctx, a)
	if err != nil {
		return err
	}
	stats, err := during(a, "adding up "+counted(len(loops), "loop"), func() (runner.Stats, error) {
		return runner.ReadStats(ctx, a.opened, runner.StatsRequest{Loops: loops, By: by, Zone: a.now().Location()})
	})
	if err != nil {
		return err
	}
	if a.json {
		return a.printJSON(statsOf(stats, by))
	}
	for _, name := range slices.Sorted(maps.Keys(stats.Unreadable)) {
		a.say("loop %s is left out: %s", name, flat(stats.Unreadable[name].Error()))
	}
	if len(loops) == 0 {
		a.say("no loops in this repository yet")
		return nil
	}
	l := lookOf(a.outTerm)
	for i, line := range columns(statsRows(stats, by)) {
		if i == 0 {
			line = l.faint(line)
		}
		if err := a.print("%s", l.cut(line)); err != nil {
			return err
		}
	}
	return nil
}

// loops are those to be added up.
func (c *statsCmd) loops(ctx context.Context, a *app) ([]gitstate.Loop, error) {
	if c.Loop != "" {
		l, err := a.loop(ctx, c.Loop)
		return []gitstate.Loop{l}, err
	}
	loops, err := a.loops(ctx)
	if !c.All {
		loops = slices.DeleteFunc(loops, func(l gitstate.Loop) bool { return l.Found.IsRemote() })
	}
	return loops, err
}

// statsRows is the table: its head, a row for each group, and the sum of several.
func statsRows(s runner.Stats, by runner.StatsBy) [][]string {
	rows := [][]string{{string(by), "done", "success", "iterations", "to done", "time", "tokens in", "cached", "out", "USD"}}
	for _, r := range s.Rows {
		rows = append(rows, statsRow(cmp.Or(flat(r.Key), unknown), r))
	}
	if len(s.Rows) > 1 {
		rows = append(rows, statsRow("all", s.Total))
	}
	return rows
}

func statsRow(key string, r runner.StatsRow) []string {
	success, mean, in, cached, out, cost := unknown, unknown, unknown, unknown, unknown, unknown
	if rate := successRate(r); rate != nil {
		success = fmt.Sprintf("%.0f%%", *rate*100)
	}
	if n := toDone(r); n != nil {
		mean = strconv.FormatFloat(*n, 'f', -1, 64)
	}
	if t := r.Tokens; t != nil {
		known := atLeast(r.TokensUnknown)
		in, cached, out = known+grouped(t.Input), known+grouped(t.Cached), known+grouped(t.Output)
	}
	if r.CostUSD != nil {
		cost = atLeast(r.CostUnknown) + amount(*r.CostUSD)
	}
	return []string{key, fmt.Sprintf("%d of %d", r.Done, r.Loops), success, grouped(int64(r.Iterations)), mean, shortDuration(r.Elapsed), in, cached, out, cost}
}

// successRate is the part of the loops that have ended that is done; nil: none has ended.
func successRate(r runner.StatsRow) *float64 { return share(r.Done, r.Ended, 1000) }

// toDone is how many iterations it took on average until the work was done; nil: none is.
func toDone(r runner.StatsRow) *float64 { return share(r.ToDone, r.Done, 10) }

// share is a quotient, rounded to that part of one; nil: it is one of nothing.
func share(part, whole int, precision float64) *float64 {
	if whole == 0 {
		return nil
	}
	return new(math.Round(float64(part)/float64(whole)*precision) / precision)
}

// statsJSON is the answer of stats.
type statsJSON struct {
	Schema     int              `json:"schema"`
	By         string           `json:"by"` // loop, agent, model, task, verify or day
	Groups     []statsRowJSON   `json:"groups"`
	Total      statsRowJSON     `json:"total"`
	Unreadable []unreadableJSON `json:"unreadable"` // loops that are left out
}

// statsRowJSON is a group of iterations.
type statsRowJSON struct {
	Key              *string     `json:"key"`                // null: not known; in total
	Loops            int         `json:"loops"`              // with an iteration in the group; by task: tasks
	Ended            int         `json:"ended"`              // of these
	Done             int         `json:"done"`               // of these
	SuccessRate      *float64    `json:"success_rate"`       // done of ended
	Iterations       int         `json:"iterations"`         // all
	Completed        int         `json:"completed"`          // of these, whose agent ended well
	IterationsToDone *float64    `json:"iterations_to_done"` // on average of those that are done
	ElapsedS         float64     `json:"elapsed_s"`
	Tokens           *tokensJSON `json:"tokens"`         // as far as they are known
	TokensUnknown    int         `json:"tokens_unknown"` // iterations that told none
	CostUSD          *float64    `json:"cost_usd"`
	CostUnknown      int         `json:"cost_unknown"`
}

// unreadableJSON is a loop that cannot be read.
type unreadableJSON struct {
	Loop  string `json:"loop"`
	Error string `json:"error"`
}

func statsOf(s runner.Stats, by runner.StatsBy) statsJSON {
	answer := statsJSON{Schema: jsonSchema, By: string(by), Groups: []statsRowJSON{}, Total: statsRowOf(s.Total), Unreadable: []unreadableJSON{}}
	for _, r := range s.Rows {
		answer.Groups = append(answer.Groups, statsRowOf(r))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Unreadable)) {
		answer.Unreadable = append(answer.Unreadable, unreadableJSON{Loop: name, Error: s.Unreadable[name].Error()})
	}
	return answer
}

func statsRowOf(r runner.StatsRow) statsRowJSON {
	return statsRowJSON{
		Key: some(r.Key), Loops: r.Loops, Ended: r.Ended, Done: r.Done, SuccessRate: successRate(r), Iterations: r.Iterations, Completed: r.Completed,
		IterationsToDone: toDone(r), ElapsedS: seconds(r.Elapsed), Tokens: tokensOf(r.Tokens), TokensUnknown: r.TokensUnknown,
		CostUSD: costOf(r.CostUSD), CostUnknown: r.CostUnknown,
	}
}
