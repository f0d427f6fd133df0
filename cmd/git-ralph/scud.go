package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/scud"
)

// scudCmd shows a SCUD plan.
type scudCmd struct {
	answer
	What    string        `arg:"" enum:"tags,tasks,waves,spec,retry" help:"tags, tasks, waves, spec: what a task's agent is told, or retry a blocked or abandoned task."`
	Tag     string        `arg:"" optional:"" name:"tag|id" help:"The tag (default: the active or the only one); of spec and retry the task."`
	Loop    string        `placeholder:"NAME" help:"Spec, retry: the loop (default: the branch's, or the only one)."`
	Mermaid bool          `help:"Waves: draw what waits for what, as Mermaid."`
	Graph   bool          `help:"Waves: say what waits for what."`
	Of      taskSpecFlags `embed:""`
}

// Run reads the plan, which it does not change. What is odd in it is said on stderr.
func (c *scudCmd) Run(ctx context.Context, a *app) error {
	repo, err := a.repo(ctx)
	if err != nil {
		return err
	}
	switch c.What {
	case "retry":
		return c.retry(ctx, a, repo)
	case "spec":
		return c.showSpec(ctx, a, repo)
	}
	all, err := runner.ReadPlan(ctx, repo, a.path("."))
	if err != nil {
		return err
	}
	a.warn(all.Warnings)
	if c.What == "tags" {
		return a.showTags(all)
	}
	tag, err := runner.ChooseTag(all, c.Tag)
	if err != nil {
		p := a.explain(err)
		p.hints = nil
		for _, tag := range all.Tags {
			p.hints = append(p.hints, "git ralph scud "+c.What+" "+shellWord(tag.Name))
		}
		return p
	}
	a.warn(tag.Warnings)
	graph := all.Graph(tag)
	if c.What == "tasks" {
		return a.showTasks(tag, graph)
	}
	a.warn(graph.Warnings)
	if err := graph.Err(); err != nil {
		a.say("%s", flat(err.Error()))
	}
	if c.Mermaid && !a.json {
		return a.drawMermaid(tag, graph)
	}
	return a.showWaves(tag, graph, c.Graph)
}

// warn says what was odd.
func (a *app) warn(warnings []scud.Warning) {
	for _, w := range warnings {
		if w.Line > 0 {
			a.say("%s:%d: %s", w.File, w.Line, flat(w.Text))
		} else {
			a.say("%s: %s", w.File, flat(w.Text))
		}
	}
}

// doneOf counts the leaves of a tag, and those that are done.
func doneOf(tag *scud.Tag, leaves []string) (done, all int) {
	for _, leaf := range leaves {
		if task, ok := tag.Task(leaf); ok {
			all++
			if task.Status == scud.Done {
				done++
			}
		}
	}
	return done, all
}

func (a *app) showTags(all *scud.Plan) error {
	list := tagsJSON{Schema: jsonSchema, Tags: []tagJSON{}}
	var rows [][]string
	for _, tag := range all.Tags {
		done, tasks := doneOf(tag, tag.Leaves())
		active := tag.Name == all.Active
		list.Tags = append(list.Tags, tagJSON{Tag: tag.Name, Tasks: tasks, Done: done, Active: active, File: tag.File})
		row := []string{flat(tag.Name), fmt.Sprintf("%d of %d done", done, tasks), tag.File}
		if active {
			row = append(row, "active")
		}
		rows = append(rows, row)
	}
	if a.json {
		return a.printJSON(list)
	}
	return a.printRows(rows)
}

// printRows prints rows in columns, cut to the terminal.
func (a *app) printRows(rows [][]string) error {
	l := lookOf(a.outTerm)
	for _, line := range columns(rows) {
		if err := a.print("%s", l.cut(line)); err != nil {
			return err
		}
	}
	return nil
}

func (a *app) showTasks(tag *scud.Tag, graph *scud.Graph) error {
	if a.json {
		list := tasksJSON{Schema: jsonSchema, Tag: tag.Name, Tasks: []taskJSON{}}
		for _, task := range tag.Tasks {
			list.Tasks = append(list.Tasks, taskOf(task, graph))
		}
		return a.printJSON(list)
	}
	var rows [][]string
	for _, task := range tag.Tasks {
		rows = append(rows, a.taskRow(task, graph, true))
	}
	return a.printRows(rows)
}

// taskRow is a task in one line.
func (a *app) taskRow(task scud.Task, graph *scud.Graph, needs bool) []string {
	l := lookOf(a.outTerm)
	status := paintTask(task.Status, l)
	complexity := "-"
	if task.Complexity > 0 {
		complexity = fmt.Sprint(task.Complexity)
	}
	row := []string{"  " + flat(task.ID), status, complexity, flat(task.Title)}
	if needs {
		if on := graph.Needs(task.ID); len(on) > 0 {
			row[3] += "  (after " + flat(strings.Join(on, ", ")) + ")"
		}
	}
	return row
}

// paintTask is the status of a task in its colour.
func paintTask(status scud.Status, l look) string {
	switch status {
	case scud.Done:
		return l.good(string(status))
	case scud.Blocked, scud.Failed:
		return l.bad(string(status))
	case scud.InProgress:
		return l.wait(string(status))
	}
	return string(status)
}

// taskOf is a task for a program.
func taskOf(task scud.Task, graph *scud.Graph) taskJSON {
	answer := taskJSON{ID: task.ID, Title: task.Title, Status: string(task.Status), DependsOn: notNil(graph.Needs(task.ID))}
	if task.Complexity > 0 {
		answer.Complexity = &task.Complexity
	}
	return answer
}

// tagsJSON is the answer of scud tags.
type tagsJSON struct {
	Schema int       `json:"schema"`
	Tags   []tagJSON `json:"tags"`
}

// tagJSON is one tag. Tasks without subtasks are counted.
type tagJSON struct {
	Tag    string `json:"tag"`
	Tasks  int    `json:"tasks"`
	Done   int    `json:"done"`
	Active bool   `json:"active"`
	File   string `json:"file"`
}

// tasksJSON is the answer of scud tasks.
type tasksJSON struct {
	Schema int        `json:"schema"`
	Tag    string     `json:"tag"`
	Tasks  []taskJSON `json:"tasks"`
}

// taskJSON is one task.
type taskJSON struct {
	ID         string   `json:"id"`
	Title      string   `json:"title"`
	Status     string   `json:"status"`
	Complexity *int     `json:"complexity"` // null: not estimated
	DependsOn  []string `json:"depends_on"` // leaves, those that its parents wait for too
}
