package scud

import (
	"sort"
	"strconv"
	"strings"
)

// task reads one task and the subtasks that are written inside it. parent is the task that it stands in; empty: none.
func (r *jsonReader) task(parent string, shape jsonShape) error {
	line := r.lines.of(shape.start)
	id, ok := shape.find("id")
	t := Task{ID: strings.TrimSpace(r.textOf(id)), Line: line}
	if !ok || t.ID == "" {
		r.warn(line, "this task has no id and is left out")
		return nil
	}
	if parent != "" {
		if !strings.HasPrefix(t.ID, parent+".") {
			t.ID = parent + "." + t.ID
		}
		r.links = append(r.links, jsonLink{child: t.ID, parent: parent, line: line, nested: true})
	}
	if r.brief {
		title, _ := shape.find("title") // the oldest generation marks its parents there
		t.Title = r.textOf(title)
	} else {
		r.fill(&t, shape)
	}
	if parent, ok := shape.find("parent_id"); ok {
		r.links = append(r.links, jsonLink{child: t.ID, parent: r.textOf(parent), line: r.lines.of(parent.at)})
	}
	r.add(t, r.status(&t, shape, id))
	return r.subtasks(t, shape)
}

// fill reads the plain fields of a task.
func (r *jsonReader) fill(t *Task, shape jsonShape) {
	text := func(names ...string) string {
		m, _ := shape.find(names...)
		if m.kind == '{' || m.kind == '[' {
			r.warn(r.lines.of(m.at), "task %q: %s is no text", t.ID, m.key)
		}
		return r.textOf(m)
	}
	t.Title = text("title")
	t.Description = text("description")
	t.Details = text("details")
	t.TestStrategy = text("test_strategy", "testStrategy")
	t.Priority = priorityOf(text("priority"))
	t.AssignedTo = text("assigned_to")
	t.AgentType = text("agent_type")
	if number := text("complexity"); number != "" {
		complexity, err := strconv.ParseFloat(number, 64)
		if err != nil || complexity < 0 || complexity > 1<<30 {
			r.warn(t.Line, "task %q: complexity %q is no number", t.ID, number)
			complexity = 0
		}
		t.Complexity = int(complexity)
	}
	m, _ := shape.find("dependencies", "depends_on")
	t.DependsOn = r.listOf(m)
}

// status reads how far a task is and returns where that stands. Where there is no status, one can follow the id.
func (r *jsonReader) status(t *Task, shape jsonShape, id jsonMember) place {
	m, ok := shape.find("status")
	if !ok {
		t.Status = Pending
		r.warn(t.Line, "task %q has no status: read as %s", t.ID, t.Status)
		return place{start: id.end, end: id.end, absent: true}
	}
	known := false
	t.Written = r.textOf(m)
	if t.Status, known = statusOfWord(t.Written); !known {
		r.warn(r.lines.of(m.at), "task %q: status %q is none of SCUD's: %s", t.ID, t.Written, readAs(t.Status))
	}
	return place{start: m.at, end: m.end}
}

// subtasks reads a list of ids, or of tasks.
func (r *jsonReader) subtasks(t Task, shape jsonShape) error {
	m, ok := shape.find("subtasks")
	if !ok || m.kind != '[' {
		return nil
	}
	for _, child := range r.listOf(m) {
		r.links = append(r.links, jsonLink{child: child.On, parent: t.ID, line: child.Line})
	}
	behind := r.at
	r.at = m.at
	err := r.array(func() error {
		if r.kind() != '{' {
			return r.skip()
		}
		child, err := r.shape()
		if err != nil {
			return err
		}
		return r.task(t.ID, child)
	})
	r.at = behind
	return err
}

// linkTasks tells the tasks which of them are parts of others, and what the bare numbers in nested ones mean.
func (r *jsonReader) linkTasks() {
	for _, l := range r.links {
		if l.parent == "" { // of no parent
			continue
		}
		r.link(l.child, l.parent, l.line)
		if i, ok := r.find(l.child); ok && l.nested {
			r.siblings(i, l.parent)
		}
	}
	for i := range r.tasks {
		t := &r.tasks[i]
		if dot := strings.LastIndexByte(t.ID, '.'); t.Parent == "" && dot > 0 {
			// The oldest generation knows its parents by their titles alone.
			if p, ok := r.byID[t.ID[:dot]]; ok && strings.HasPrefix(r.tasks[p].Title, "[PARENT] ") {
				t.Parent = r.tasks[p].ID
			}
		}
	}
}

// siblings spells out the dependencies of a nested subtask that name another subtask of its parent by its last number.
func (r *jsonReader) siblings(i int, parent string) {
	for at, dependency := range r.tasks[i].DependsOn {
		if sibling, ok := r.find(parent + "." + dependency.On); ok {
			r.tasks[i].DependsOn[at].On = r.tasks[sibling].ID
		}
	}
}

// lineTable turns offsets into line numbers.
type lineTable []int // the offsets of the newlines

func tableOf(text string) lineTable {
	table := make(lineTable, 0, strings.Count(text, "\n"))
	for at := 0; ; {
		length := strings.IndexByte(text[at:], '\n')
		if length < 0 {
			return table
		}
		table = append(table, at+length)
		at += length + 1
	}
}

// of returns the line that holds the byte at offset, from 1.
func (t lineTable) of(offset int) int { return sort.SearchInts(t, offset) + 1 }
