package main

import (
	"fmt"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/report"
	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/scud"
)

// reportPlan puts a loop's progress through its plan into words; nil for a loop without a plan.
func reportPlan(v runner.View, p *runner.Progress) *report.Plan {
	if p == nil {
		return nil
	}
	blocked := map[string]string{}
	for _, t := range p.Blocked {
		blocked[t.ID] = fmt.Sprintf("%s, %s", counted(t.Attempts, "attempt"), flat(t.Reason))
	}
	plan := &report.Plan{Tag: flat(p.Tag)}
	for _, wave := range p.Waves {
		told := report.Wave{Number: wave.Number}
		for _, t := range wave.Tasks {
			task := report.Task{ID: flat(t.ID), Title: flat(t.Title), State: flat(string(t.Status)), Mood: taskMood(t.Status), Words: blocked[t.ID]}
			if now := p.Task; now != nil && now.ID == t.ID && v.Running != nil {
				task.State, task.Mood, task.Words = "running", report.Busy, fmt.Sprintf("attempt %d of %d", now.Attempt, now.Of)
			}
			if task.State == "" {
				task.State = "not known"
			}
			for _, need := range t.Needs {
				task.Needs = append(task.Needs, flat(need))
			}
			told.Tasks = append(told.Tasks, task)
		}
		plan.Waves = append(plan.Waves, told)
	}
	return plan
}

// planFacts says how many of the tasks are done.
func planFacts(p *runner.Progress) []report.Fact {
	if p == nil {
		return nil
	}
	text := fmt.Sprintf("%d of %d done", p.Done, p.Total)
	if len(p.Blocked) > 0 {
		text += fmt.Sprintf(", %d blocked", len(p.Blocked))
	}
	return []report.Fact{{Label: "tasks", Text: text}}
}

// taskMood says how the status of a task is to be taken.
func taskMood(s scud.Status) report.Mood {
	switch s {
	case scud.Done:
		return report.Good
	case scud.Blocked, scud.Failed:
		return report.Bad
	case scud.InProgress:
		return report.Busy
	}
	return report.Wait
}
