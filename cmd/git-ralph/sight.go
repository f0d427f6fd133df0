package main

import (
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/watch"
	"github.com/git-ralph/git-ralph/runner"
)

// sightOf is a loop at one glance, for the screen.
func sightOf(v runner.View, now time.Time, l look) watch.Sight {
	return watch.Sight{
		Head: watchHead(v, now, l), Gauges: watchGauges(v, now), Facts: watchFacts(v, now, l),
		Tip: v.Loop.Tip.String(), Running: v.Running != nil, Iteration: currentIteration(v),
	}
}

// watchHead is the line that says it all.
func watchHead(v runner.View, now time.Time, l look) string {
	state := stateOf(v)
	parts := []string{l.loud(v.Loop.Name), l.paintState(state, string(state)+" "+stateTime(v, now))}
	if words := phaseWords(v, now); words != "" {
		parts = append(parts, words)
	}
	return strings.Join(parts, "   ")
}

// phaseWords says what the iteration at hand is doing, and for how long.
func phaseWords(v runner.View, now time.Time) string {
	if v.Running == nil || v.Live == nil || v.Live.Phase == "" {
		return ""
	}
	text := iterationOf(v.Live.Iteration, 0) + " " + string(v.Live.Phase)
	if !v.Live.Since.IsZero() {
		text += " " + runningTime(now.Sub(v.Live.Since))
	}
	return text
}

// runningTime is a duration that goes on while it is looked at: whole seconds.
func runningTime(d time.Duration) string {
	if d < 10*time.Second {
		return roughDuration(d)
	}
	return shortDuration(d.Truncate(time.Second))
}

// watchGauges are the amounts that may have a limit.
func watchGauges(v runner.View, now time.Time) []watch.Gauge {
	t, c := v.Totals, v.Config
	gauges := []watch.Gauge{gauge("iteration", float64(currentIteration(v)), float64(c.MaxIterations), wholeWords, "")}
	used := elapsed(v, now).Truncate(time.Second)
	gauges = append(gauges, gauge("time", float64(used), float64(c.MaxDuration), func(n float64) string { return runningTime(time.Duration(n)) }, ""))
	switch {
	case t.CostUSD != nil:
		g := gauge("cost", *t.CostUSD, c.MaxCost, amount, " USD")
		g.Text = atLeast(t.CostUnknown) + g.Text
		gauges = append(gauges, g)
	case c.MaxCost > 0 && t.Iteration > 0:
		gauges = append(gauges, watch.Gauge{Label: "cost", Text: "unknown of " + costWords(c.MaxCost), Part: -1})
	}
	if t.Tokens != nil {
		g := gauge("tokens", float64(t.Tokens.Input+t.Tokens.Output), float64(c.MaxTokens), wholeWords, " tokens")
		g.Text = atLeast(t.TokensUnknown) + g.Text
		gauges = append(gauges, g)
	}
	return gauges
}

func wholeWords(n float64) string { return grouped(int64(n)) }

// gauge is an amount of a limit; zero: there is none.
func gauge(label string, used, limit float64, words func(float64) string, unit string) watch.Gauge {
	if limit <= 0 {
		return watch.Gauge{Label: label, Text: words(used) + unit, Part: -1}
	}
	return watch.Gauge{Label: label, Text: words(used) + " of " + words(limit) + unit, Part: min(1, used/limit)}
}

// watchFacts are the lines below: those of status, but for what the gauges say.
func watchFacts(v runner.View, now time.Time, l look) []watch.Fact {
	var facts []watch.Fact
	for _, f := range statusFacts(v, now, l) {
		if f.label != "tokens" {
			facts = append(facts, watch.Fact{Label: f.label, Text: f.text})
		}
	}
	return facts
}
