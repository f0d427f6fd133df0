package scud

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// scgReader reads the sections of one phase.
type scgReader struct {
	*draft
	text string // of the whole file
}

// readSCG reads every tag of an SCG file. Of two with the same name the last one counts, as in SCUD.
func readSCG(file, text string) ([]*draft, error) {
	phases, err := outlineSCG(file, text)
	if err != nil {
		return nil, err
	}
	drafts := make([]*draft, 0, len(phases))
	for _, phase := range phases {
		d := readPhase(file, text, phase)
		twice := slices.IndexFunc(drafts, func(other *draft) bool { return other.name == d.name })
		if twice >= 0 {
			d.warn(d.line, "tag %q is there twice; the one at line %d does not count", d.name, drafts[twice].line)
			drafts = slices.Delete(drafts, twice, twice+1)
		}
		drafts = append(drafts, d)
	}
	return drafts, nil
}

// readPhase reads all that a phase says.
func readPhase(file, text string, phase scgPhase) *draft {
	r := scgReader{newDraft(file, phase.name, phase.line), text}
	r.warnings = append(r.warnings, phase.warnings...)
	r.structure(phase)
	r.each(phase, "edges", r.edge)
	r.each(phase, "assignments", r.assignment)
	r.each(phase, "agents", r.agent)
	for _, s := range phase.sections {
		switch s.name {
		case sectionDetails:
			r.details(s)
		case sectionMeta, "nodes", "parents", "edges", "assignments", "agents", "roles", "weave", "partitions", "locks":
		default:
			r.warn(s.line-1, "section @%s is unknown and left alone", s.name)
		}
	}
	r.settle()
	slices.SortStableFunc(r.warnings, func(a, b Warning) int { return cmp.Compare(a.Line, b.Line) })
	return r.draft
}

// readStructure reads the tasks of one tag, their statuses and which is a part of which; of a tag that is not there none.
func readStructure(file, name, text string) (*draft, error) {
	phases, err := outlineSCG(file, text)
	if err != nil {
		return nil, err
	}
	for _, phase := range slices.Backward(phases) { // the last of two with one name counts
		if phase.name == name {
			r := scgReader{newDraft(file, name, phase.line), text}
			r.structure(phase)
			r.settle()
			return r.draft, nil
		}
	}
	return newDraft(file, name, 0), nil
}

// structure reads the tasks, their statuses and which is a part of which. Sections may come in any order, and all others
// speak of tasks, so these are read first.
func (r scgReader) structure(phase scgPhase) {
	lines := 0
	for _, s := range phase.sections {
		if s.name == "nodes" {
			lines += strings.Count(r.text[s.start:s.end], "\n") + 1
		}
	}
	r.expect(lines)
	r.each(phase, "nodes", r.node)
	r.each(phase, "parents", r.parents)
}

// each reads all sections of a name line by line, without blank lines and comments.
func (r scgReader) each(phase scgPhase, name string, read func(textLine)) {
	for _, s := range phase.sections {
		if s.name != name {
			continue
		}
		for line := range eachLine(r.text, s) {
			if trimmed := strings.TrimSpace(line.text); trimmed != "" && trimmed[0] != '#' {
				read(line)
			}
		}
	}
}

// node reads "id | title | status | complexity | priority".
func (r scgReader) node(line textLine) {
	c := columns(line.text)
	if len(c) < 5 || c[0].of(line.text) == "" {
		r.warn(line.number, "this is no task: it takes id | title | status | complexity | priority")
		return
	}
	written := c[2].of(line.text)
	status, known := statusOfCode(written)
	t := Task{
		ID: c[0].of(line.text), Title: unescape(c[1].of(line.text)), Status: status, Written: written,
		Priority: priorityOf(c[4].of(line.text)), Line: line.number,
	}
	if !known {
		r.warn(line.number, "task %q: status %q is none of SCUD's: %s", t.ID, written, readAs(status))
	}
	number := c[3].of(line.text)
	if complexity, err := strconv.ParseUint(number, 10, 31); err == nil {
		t.Complexity = int(complexity)
	} else if number != "" {
		r.warn(line.number, "task %q: complexity %q is no number", t.ID, number)
	}
	r.add(t, place{start: line.start + c[2].start, end: line.start + c[2].end})
}

// readAs says what is made of a status that is written in an odd way.
func readAs(s Status) string {
	if s.Known() {
		return "read as " + string(s)
	}
	return "kept as it is, and the task is not run"
}

// edge reads "dependent -> dependency". Edges of other kinds say nothing about order.
func (r scgReader) edge(line textLine) {
	left, right, ok := strings.Cut(line.text, "->")
	if !ok {
		if !slices.ContainsFunc([]string{" ~~ ", " >> ", " != "}, func(kind string) bool { return strings.Contains(line.text, kind) }) {
			r.warn(line.number, "this is no edge: it takes dependent -> dependency")
		}
		return
	}
	left, right = strings.TrimSpace(left), strings.TrimSpace(right)
	i, ok := r.find(left)
	if !ok {
		r.warn(line.number, "task %q depends on %q, but is not there", left, right)
		return
	}
	if _, ok := r.find(right); !ok {
		right, _, _ = strings.Cut(right, "|")
		right = strings.TrimSpace(right)
	}
	r.tasks[i].DependsOn = append(r.tasks[i].DependsOn, Dependency{On: right, Line: line.number})
}

// parents reads "parent: child, child". An id may hold a colon itself.
func (r scgReader) parents(line textLine) {
	text := strings.TrimSpace(line.text)
	cut := -1
	for i := strings.LastIndexByte(text, ':'); i >= 0 && cut < 0; i = strings.LastIndexByte(text[:i], ':') {
		if _, ok := r.find(strings.TrimSpace(text[:i])); ok {
			cut = i
		}
	}
	if cut < 0 {
		cut = strings.Index(text+" ", ": ")
	}
	if cut < 0 {
		r.warn(line.number, "this names no parent: it takes parent: subtask, subtask")
		return
	}
	for child := range strings.SplitSeq(text[cut+1:], ",") {
		if child = strings.TrimSpace(child); child != "" {
			r.link(child, strings.TrimSpace(text[:cut]), line.number)
		}
	}
}

// assignment reads "id | name"; old files have more columns.
func (r scgReader) assignment(line textLine) {
	c := columns(line.text)
	if i, ok := r.find(c[0].of(line.text)); ok && len(c) > 1 {
		r.tasks[i].AssignedTo = c[1].of(line.text)
	}
}

// agent reads "id | type" or "id | type | tier".
func (r scgReader) agent(line textLine) {
	c := columns(line.text)
	i, ok := r.find(c[0].of(line.text))
	if !ok || len(c) < 2 {
		return
	}
	r.tasks[i].AgentType = c[1].of(line.text)
	if len(c) > 2 {
		r.tasks[i].ModelTier = c[2].of(line.text)
	}
}
