package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/report"
	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// measure is a number of each iteration, to be plotted.
type measure struct {
	title string
	parts []report.Part
	of    func(gitstate.Record) []float64 // one for each part; nil: not known
	words func(float64) string            // a sum of parts
	sum   bool                            // the columns add up to something
}

// measures are the numbers that a report plots.
func measures() []measure {
	count := func(v float64) string { return grouped(int64(v)) }
	return []measure{
		{title: "Duration", parts: []report.Part{{}}, sum: true, words: func(v float64) string { return shortDuration(time.Duration(v)) },
			of: func(r gitstate.Record) []float64 {
				if r.Duration == nil {
					return nil
				}
				return []float64{float64(*r.Duration)}
			}},
		{title: "Tokens", parts: []report.Part{{Name: "in"}, {Name: "out"}}, sum: true, words: count,
			of: func(r gitstate.Record) []float64 {
				if r.Tokens == nil {
					return nil
				}
				return []float64{float64(r.Tokens.Input), float64(r.Tokens.Output)}
			}},
		{title: "Cost", parts: []report.Part{{}}, sum: true, words: costWords,
			of: func(r gitstate.Record) []float64 {
				if r.CostUSD == nil {
					return nil
				}
				return []float64{*r.CostUSD}
			}},
		{title: "Files changed", parts: []report.Part{{Name: "created"}, {Name: "modified"}, {Name: "deleted"}, {Name: "renamed"}}, words: count,
			of: func(r gitstate.Record) []float64 {
				if r.Files == nil {
					return nil
				}
				return []float64{float64(r.Files.Created), float64(r.Files.Modified), float64(r.Files.Deleted), float64(r.Files.Renamed)}
			}},
		{title: "Tests", parts: []report.Part{{Name: "passed", Mood: report.Good}, {Name: "failed", Mood: report.Bad}}, words: count,
			of: func(r gitstate.Record) []float64 {
				if r.Tests == nil {
					return nil
				}
				return []float64{float64(r.Tests.Passed), float64(r.Tests.Failed)}
			}},
	}
}

// plotsOf plots what is known of at least one iteration.
func plotsOf(iterations []iterationView) []report.Plot {
	var plots []report.Plot
	for _, m := range measures() {
		if p, known := m.plot(iterations); known {
			plots = append(plots, p)
		}
	}
	return plots
}

// plot plots one measure; false: nothing is known of it.
func (m measure) plot(iterations []iterationView) (report.Plot, bool) {
	p := report.Plot{Title: m.title, Parts: m.parts}
	sum, most, unknown := 0.0, 0.0, 0
	for _, i := range iterations {
		values := m.of(i.record)
		column := report.Column{Values: values, Words: fmt.Sprintf("iteration %d: ", i.record.Iteration)}
		if values == nil {
			unknown++
		}
		all := 0.0
		for _, v := range values {
			all += v
		}
		sum, most = sum+all, max(most, all)
		column.Words += m.columnWords(values, all)
		p.Columns = append(p.Columns, column)
	}
	p.Most = m.words(most)
	var words []string
	if m.sum {
		words = append(words, atLeast(unknown)+m.words(sum)+" in all")
	}
	if unknown > 0 {
		words = append(words, "not told by "+grouped(int64(unknown)))
	}
	p.Words = strings.Join(words, ", ")
	return p, unknown < len(iterations)
}

// columnWords says what a column shows.
func (m measure) columnWords(values []float64, all float64) string {
	if values == nil {
		return "not told"
	}
	if len(m.parts) == 1 {
		return m.words(all)
	}
	var words []string
	for i, v := range values {
		words = append(words, m.words(v)+" "+m.parts[i].Name)
	}
	return strings.Join(words, ", ")
}

// limitFacts are the limits that are on.
func limitFacts(c runner.Config) []report.Fact {
	var facts []report.Fact
	add := func(on bool, label, text string) {
		if on {
			facts = append(facts, report.Fact{Label: label, Text: text})
		}
	}
	add(c.MaxIterations > 0, "iterations", grouped(int64(c.MaxIterations)))
	add(c.MaxDuration > 0, "time", c.MaxDuration.String()+" in all")
	add(c.Timeout > 0, "timeout", c.Timeout.String()+" for each iteration")
	add(c.StallTimeout > 0, "silence", c.StallTimeout.String()+" without a sign of life")
	add(c.MaxCost > 0, "cost", costWords(c.MaxCost))
	add(c.MaxTokens > 0, "tokens", grouped(int64(c.MaxTokens)))
	add(c.MaxFailures > 0, "failures", fmt.Sprintf("%d in a row", c.MaxFailures))
	add(c.NoProgress > 0, "idle", fmt.Sprintf("%d in a row without progress", c.NoProgress))
	add(c.MaxAttempts > 0 && c.ScudTag != "", "attempts", fmt.Sprintf("%d for one task", c.MaxAttempts))
	return facts
}
