package runner

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/scud"
)

// known is how far a task was when the plan was last read while nobody ran the loop. From then on nothing that the task file says of statuses is believed:
// an agent, a check or a killed loop may have written it.
type known struct {
	status  scud.Status
	written string // as the file spells it; empty: as SCUD does
}

// statusLines writes what is known as the configuration keeps it: the task, its status, and after a tab how the file spells it, if that is otherwise. Of
// another tag it is "tag:id". Pending tasks are left out.
func statusLines(all map[string]known) []string {
	lines := []string{}
	for _, id := range sortedIDs(all) {
		line := id + " " + string(all[id].status)
		if all[id].written != "" {
			line += "\t" + all[id].written
		}
		lines = append(lines, line)
	}
	return lines
}

// knownOf reads what statusLines wrote.
func knownOf(lines []string) map[string]known {
	all := map[string]known{}
	for _, line := range lines {
		id, rest, _ := strings.Cut(line, " ")
		status, written, _ := strings.Cut(rest, "\t")
		all[id] = known{scud.Status(status), written}
	}
	return all
}

func sortedIDs[V any](of map[string]V) []string {
	ids := make([]string, 0, len(of))
	for id := range of {
		ids = append(ids, id)
	}
	slices.SortFunc(ids, scud.CompareIDs)
	return ids
}

// knownFrom is what the file says of a task.
func knownFrom(task scud.Task) known {
	k := known{status: task.Status}
	if task.Written != "" && task.Written != string(task.Status) && task.Written != task.Status.Code() || !task.Status.Known() {
		k.written = task.Written
	}
	return k
}

// see takes what the task file says of the tasks that the loop has not settled, and of those in other tags that they wait for. Call it only while nobody has
// run the loop since it stopped as it should.
func (b *board) see() {
	seen := map[string]known{}
	for id, k := range b.known {
		if _, _, there := b.all.Task(b.tag, id); !there { // cleaned up
			seen[id] = k
		}
	}
	for _, task := range b.tag.Tasks {
		if k := knownFrom(task); k != (known{status: scud.Pending}) && !strings.Contains(task.ID, " ") && !b.stale(task) {
			seen[task.ID] = k
		}
		if !task.Leaf() {
			continue
		}
		for _, need := range b.graph.Needs(task.ID) {
			if other, in, ok := b.all.Task(b.tag, need); ok && in != b.tag && other.Status != scud.Pending {
				seen[need] = knownFrom(other)
			}
		}
	}
	b.plan.known = seen
}

// stale reports whether the history tells more of a task than its status in the file, which the loop wrote itself.
func (b *board) stale(task scud.Task) bool {
	past := b.tasks[task.ID]
	switch task.Status {
	case scud.Done:
		return past.settled() || past.undone
	case scud.Blocked:
		return past.settled() || past.undone || past.retried
	case scud.InProgress:
		return past.settled() || past.undone || b.last == task.ID
	}
	return past.settled()
}

// expected is how far a task is that nobody works on, by all that the loop knows.
func (b *board) expected(task scud.Task) known {
	past, k := b.tasks[task.ID], b.known[task.ID]
	switch {
	case past.done:
		return known{status: scud.Done}
	case past.blocked != "":
		return known{status: scud.Blocked}
	case past.retried && (k.status == scud.Blocked || k.status == scud.InProgress), k.status == "":
		return known{status: scud.Pending}
	}
	return k
}

// due are the marks that make the task file say what the loop knows, when the task of that id has that status; an empty id: none is in hand.
func (b *board) due(id string, status scud.Status) []scud.Mark {
	var marks []scud.Mark
	for _, task := range b.tag.Tasks {
		want := b.expected(task)
		switch {
		case task.ID == id:
			want = known{status: status}
		case !task.Leaf() && (task.Status == scud.Expanded || task.Status == scud.Done && b.finished(task.ID)):
			continue
		}
		if task.Status != want.status {
			marks = append(marks, scud.Mark{ID: task.ID, Status: want.status, Written: want.written})
		}
	}
	return marks
}

// finished reports whether all leaves below a task are done.
func (b *board) finished(id string) bool {
	return !slices.ContainsFunc(b.tag.LeavesOf(id), func(leaf string) bool { return b.status(leaf) != scud.Done })
}

// correct makes the task file say what the loop knows, when the task of that id has that status. It returns what somebody else had written: what follows from the
// loop's own history, and the task in hand, are not among it.
func (l *loop) correct(ctx context.Context, b *board, id string, status scud.Status) ([]scud.Change, error) {
	marks := b.due(id, status)
	if len(marks) == 0 {
		return nil, nil
	}
	changes, err := b.tag.Mark(ctx, marks...)
	if err != nil {
		return nil, fmt.Errorf("mark tasks: %w", planError(err))
	}
	return slices.DeleteFunc(changes, func(c scud.Change) bool {
		past, meant := b.tasks[c.ID], slices.ContainsFunc(marks, func(m scud.Mark) bool { return m.ID == c.ID })
		return !meant || c.ID == id || past.undone || past.retried
	}), nil
}

// tellMarks tells which statuses somebody wrote that do not count.
func (l *loop) tellMarks(changes []scud.Change) {
	for _, c := range changes {
		l.tell("task %s was marked %s meanwhile: it is %s again", c.ID, c.From, c.To)
	}
}
