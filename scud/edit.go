package scud

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// edit puts text in the place of the bytes from start to end.
type edit struct {
	start, end int
	text       string
}

// edits works out what is to be written, in the order of the file.
func (t *Tag) edits(text string, marks []Mark) ([]edit, []Change, error) {
	d, err := readTag(t.File, t.Name, text)
	if err != nil {
		return nil, nil, err
	}
	unknown := &UnknownTaskError{File: t.File, Tag: t.Name}
	wanted := map[int]Mark{}
	for _, m := range marks {
		i, ok := d.find(m.ID)
		if !ok {
			unknown.IDs = append(unknown.IDs, m.ID)
			continue
		}
		if err := checkMark(m, t.File == graphFile); err != nil {
			return nil, nil, err
		}
		wanted[i] = m
	}
	if len(unknown.IDs) > 0 {
		return nil, nil, unknown
	}
	d.closeParents(wanted)
	var edits []edit
	var changes []Change
	for i, m := range wanted {
		e, to := d.editFor(i, m)
		if text[e.start:e.end] == e.text {
			continue
		}
		edits = append(edits, e)
		changes = append(changes, Change{ID: d.tasks[i].ID, From: d.tasks[i].Status, To: to})
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	slices.SortFunc(changes, func(a, b Change) int { return CompareIDs(a.ID, b.ID) })
	return edits, changes, nil
}

// readTag reads of one tag what a mark needs: its tasks, their statuses and their parents. A tag that is not there has no
// tasks.
func readTag(file, name, text string) (*draft, error) {
	if err := checkText(file, text); err != nil {
		return nil, err
	}
	if file == graphFile {
		return readStructure(file, name, text)
	}
	drafts, err := readJSONStructure(file, text)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(drafts, func(d *draft) bool { return d.name == name })
	if i < 0 {
		return newDraft(file, name, 0), nil
	}
	return drafts[i], nil
}

// checkMark makes sure that a mark can be written, and would be read again as it was given. In JSON any text can.
func checkMark(m Mark, inGraph bool) error {
	if m.Written == "" && !m.Status.Known() {
		return fmt.Errorf("task %q: status %q is none of SCUD's", m.ID, m.Status)
	}
	if !inGraph || m.Written == "" {
		return nil
	}
	line := "1 | 1 | " + m.Written + " | 1 | 1"
	if c := columns(line); strings.ContainsAny(m.Written, "\r\n") || len(c) != 5 || c[2].of(line) != m.Written {
		return fmt.Errorf("task %q: status %q does not fit into a column", m.ID, m.Written)
	}
	return nil
}

// closeParents adds a mark for each parent that is done because all leaves below it are, one of them by these marks.
func (d *draft) closeParents(wanted map[int]Mark) {
	var done []int
	for i, m := range wanted {
		if d.statusWith(i, m) == Done {
			done = append(done, i)
		}
	}
	for _, i := range done {
		for d.tasks[i].Parent != "" {
			i = d.byID[d.tasks[i].Parent]
			if _, own := wanted[i]; !own && d.allDone(i, wanted) {
				wanted[i] = Mark{Status: Done}
			}
		}
	}
}

// allDone reports whether every leaf below a task is done, with these marks.
func (d *draft) allDone(i int, wanted map[int]Mark) bool {
	for _, id := range d.tasks[i].Subtasks {
		child := d.byID[id]
		if !d.tasks[child].Leaf() {
			if !d.allDone(child, wanted) {
				return false
			}
			continue
		}
		status := d.tasks[child].Status
		if m, ok := wanted[child]; ok {
			status = d.statusWith(child, m)
		}
		if status != Done {
			return false
		}
	}
	return true
}

// statusWith returns the status that a task has once it is marked.
func (d *draft) statusWith(i int, m Mark) Status {
	if m.Written == "" {
		return m.Status
	}
	if d.file == graphFile {
		status, _ := statusOfCode(m.Written)
		return status
	}
	status, _ := statusOfWord(m.Written)
	return status
}

// editFor returns the edit that marks a task, which changes nothing if the mark is there, and its status then. In JSON
// another spelling of the same status stays.
func (d *draft) editFor(i int, m Mark) (edit, Status) {
	p, status, inJSON := d.places[i], d.statusWith(i, m), d.file != graphFile
	was := d.tasks[i]
	switch {
	case m.Written == was.Written && m.Written != "", m.Written == "" && status == was.Status && (inJSON || was.Written == ""):
		return edit{}, status
	case !inJSON:
		return edit{p.start, p.end, cmp.Or(m.Written, status.Code())}, status
	}
	quoted, _ := json.Marshal(cmp.Or(m.Written, string(status))) // of a string: never an error
	if p.absent {
		return edit{p.start, p.end, `, "status": ` + string(quoted)}, status
	}
	return edit{p.start, p.end, string(quoted)}, status
}
