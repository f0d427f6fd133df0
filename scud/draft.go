package scud

import (
	"fmt"
	"slices"
	"strings"
)

// place is where a task's status stands in the text of its file: the bytes from start to end.
type place struct {
	start, end int
	absent     bool // JSON without a status: one can be put in at start
}

// draft is a tag while it is read: what every format has in common. What is odd becomes a warning.
type draft struct {
	name     string
	file     string
	line     int
	tasks    []Task
	places   []place // of the tasks' statuses
	byID     map[string]int
	waves    []Wave
	warnings []Warning
}

func newDraft(file, name string, line int) *draft {
	return &draft{name: name, file: file, line: line, byID: map[string]int{}}
}

func (d *draft) warn(line int, format string, args ...any) {
	d.warnings = append(d.warnings, Warning{File: d.file, Line: line, Text: fmt.Sprintf(format, args...)})
}

// expect makes room for about n tasks.
func (d *draft) expect(n int) {
	d.tasks, d.places, d.byID = make([]Task, 0, n), make([]place, 0, n), make(map[string]int, n)
}

// add adds a task. Of two with the same id the last one counts, as in SCUD.
func (d *draft) add(t Task, p place) {
	if i, twice := d.byID[t.ID]; twice {
		d.warn(t.Line, "task %q is there twice; line %d does not count", t.ID, d.tasks[i].Line)
		d.tasks[i], d.places[i] = t, p
		return
	}
	d.byID[t.ID] = len(d.tasks)
	d.tasks, d.places = append(d.tasks, t), append(d.places, p)
}

// find returns the place of the task that ref means in this tag.
func (d *draft) find(ref string) (int, bool) { return findIn(d.byID, d.name, ref) }

// findIn looks for an id as it is, and with and without the tag's name before it: both forms occur in one tag.
func findIn(byID map[string]int, tag, ref string) (int, bool) {
	if i, ok := byID[ref]; ok {
		return i, true
	}
	if bare, ok := strings.CutPrefix(ref, tag+":"); ok {
		i, ok := byID[bare]
		return i, ok
	}
	i, ok := byID[tag+":"+ref]
	return i, ok
}

// link makes child a subtask of parent. The first link counts.
func (d *draft) link(child, parent string, line int) {
	c, ok := d.find(child)
	if !ok {
		d.warn(line, "subtask %q of %q is not there", child, parent)
		return
	}
	p, ok := d.find(parent)
	if !ok {
		d.warn(line, "task %q has subtasks, but is not there", parent)
		return
	}
	switch task := &d.tasks[c]; task.Parent {
	case "":
		task.Parent = d.tasks[p].ID
	case d.tasks[p].ID:
	default:
		d.warn(line, "task %q is a subtask of %q already, not of %q", task.ID, task.Parent, d.tasks[p].ID)
	}
}

// settle completes what the tasks know of each other. Nothing is added or linked after it.
func (d *draft) settle() {
	for i := range d.tasks {
		if d.isOwnAncestor(i) {
			d.warn(d.tasks[i].Line, "task %q would be a part of itself; it is read as a task of its own", d.tasks[i].ID)
			d.tasks[i].Parent = ""
		}
	}
	for _, t := range d.tasks {
		if t.Parent != "" {
			parent := &d.tasks[d.byID[t.Parent]]
			parent.Subtasks = append(parent.Subtasks, t.ID)
		}
	}
	for i := range d.tasks {
		t := &d.tasks[i]
		slices.SortFunc(t.Subtasks, CompareIDs)
		if t.Status == Expanded && t.Leaf() {
			d.warn(t.Line, "task %q is expanded, but has no subtasks: it is neither open nor done", t.ID)
		}
	}
}

// isOwnAncestor reports whether the parents of a task lead back to it.
func (d *draft) isOwnAncestor(i int) bool {
	at := i
	for range d.tasks { // a chain that is longer goes round elsewhere
		if d.tasks[at].Parent == "" {
			return false
		}
		if at = d.byID[d.tasks[at].Parent]; at == i {
			return true
		}
	}
	return false
}

// finish returns what was read, in natural order.
func (d *draft) finish(root string) *Tag {
	t := &Tag{Name: d.name, File: d.file, Waves: d.waves, Warnings: d.warnings, root: root, byID: make(map[string]int, len(d.tasks))}
	order := make([]int, len(d.tasks))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return CompareIDs(d.tasks[a].ID, d.tasks[b].ID) })
	t.Tasks = make([]Task, len(order))
	for at, i := range order {
		t.Tasks[at] = d.tasks[i]
		t.byID[d.tasks[i].ID] = at
	}
	return t
}
