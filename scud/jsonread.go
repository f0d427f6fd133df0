package scud

import (
	"errors"
	"path"
	"slices"
	"strconv"
	"strings"
)

// jsonReader reads the tags of one JSON file.
type jsonReader struct {
	*jsonText
	*draft
	file  string
	lines lineTable
	links []jsonLink   // of the tag that is read
	brief bool         // only what a mark needs is read: tasks, statuses and parents
	spare []jsonMember // room for the members of the next objects: there are many, and none is needed for long
}

// jsonLink says that a task is a part of another one.
type jsonLink struct {
	child, parent string
	line          int
	nested        bool // the child stands inside the parent
}

// readJSON reads a JSON file. An object with a list "tasks" is one tag, called as the file. In a tasks.json each member of
// any other object that is such an object is a tag with the member's name. Any other JSON is no task file: no tags, no error.
func readJSON(file, text string) ([]*draft, error) {
	r := &jsonReader{jsonText: &jsonText{text: text}, file: file, lines: tableOf(text)}
	return r.tags()
}

// readJSONStructure reads the same, but of each task only its id, its status and its parent.
func readJSONStructure(file, text string) ([]*draft, error) {
	r := &jsonReader{jsonText: &jsonText{text: text}, file: file, lines: tableOf(text), brief: true}
	return r.tags()
}

// tags reads all tags of the file.
func (r *jsonReader) tags() ([]*draft, error) {
	drafts, err := r.drafts(strings.TrimSuffix(path.Base(r.file), ".json"), path.Base(r.file) == mirrorName)
	var wrong *jsonError
	if errors.As(err, &wrong) {
		err = &ParseError{r.file, r.lines.of(wrong.at), wrong.what}
	}
	return drafts, err
}

func (r *jsonReader) drafts(name string, keyed bool) ([]*draft, error) {
	top, err := r.shapeWithItems()
	if err != nil {
		return nil, err
	}
	if err := r.jsonText.end(); err != nil {
		return nil, err
	}
	if top.isTag() {
		return r.append(nil, name, top)
	}
	if !keyed {
		return nil, nil
	}
	var drafts []*draft
	seen := map[string]bool{}
	for _, m := range slices.Backward(top.members) { // the last of two with one name counts
		r.at = m.at
		inner, err := r.shapeWithItems()
		if err != nil || !inner.isTag() || seen[m.key] {
			continue // it was skipped once already: no error is new
		}
		seen[m.key] = true
		if drafts, err = r.append(drafts, m.key, inner); err != nil {
			return nil, err
		}
	}
	return drafts, nil
}

// append reads one more tag. A list of things without ids holds no tasks.
func (r *jsonReader) append(drafts []*draft, name string, shape jsonShape) ([]*draft, error) {
	d, err := r.tag(name, shape)
	if err != nil || len(d.tasks) == 0 && len(d.warnings) > 0 {
		return drafts, err
	}
	return append(drafts, d), nil
}

// jsonShape is where the members of an object are.
type jsonShape struct {
	start   int
	members []jsonMember
}

// jsonMember is a member of an object: kind is the first byte of its value, which is text[at:end].
type jsonMember struct {
	key     string
	kind    byte
	at, end int
	items   int         // of a list
	shapes  []jsonShape // of its items, where they were asked for; one that is no object has no members
}

// spareMembers is how many members get room at once.
const spareMembers = 1 << 12

// shape moves behind a value and returns what its members are, if it is an object.
func (r *jsonReader) shape() (jsonShape, error) {
	if len(r.spare) < spareMembers/4 {
		r.spare = make([]jsonMember, spareMembers)
	}
	shape, err := r.shapeIn(r.spare[:0], r.member)
	if n := len(shape.members); n <= len(r.spare) { // else they have moved elsewhere
		shape.members, r.spare = shape.members[:n:n], r.spare[n:]
	}
	return shape, err
}

// shapeWithItems is the same for an object with lists of objects: these are gone through but once.
func (r *jsonReader) shapeWithItems() (jsonShape, error) { return r.shapeIn(nil, r.memberWithItems) }

// shapeIn is shape with room for the members, in which nothing else is put meanwhile.
func (r *jsonReader) shapeIn(room []jsonMember, read func(key string) (jsonMember, error)) (jsonShape, error) {
	kind := r.kind()
	shape := jsonShape{start: r.at, members: room}
	if kind != '{' {
		return shape, r.skip()
	}
	err := r.object(func(key string) error {
		m, err := read(key)
		shape.members = append(shape.members, m)
		return err
	})
	return shape, err
}

// member moves behind the value of a member and returns where it is.
func (r *jsonReader) member(key string) (jsonMember, error) {
	m := jsonMember{key: key, kind: r.kind()}
	m.at = r.at
	skip := r.skip
	if m.kind == '[' {
		skip = func() error {
			return r.array(func() error {
				m.items++
				return r.skip()
			})
		}
	}
	err := skip()
	m.end = r.at
	return m, err
}

// memberWithItems is member for a list of objects.
func (r *jsonReader) memberWithItems(key string) (jsonMember, error) {
	if r.kind() != '[' {
		return r.member(key)
	}
	m := jsonMember{key: key, kind: '[', at: r.at}
	err := r.array(func() error {
		shape, err := r.shape()
		m.items, m.shapes = m.items+1, append(m.shapes, shape)
		return err
	})
	m.end = r.at
	return m, err
}

// find returns the member with one of these names; of several the last one counts. It returns false when there is none.
func (s jsonShape) find(names ...string) (jsonMember, bool) {
	for _, m := range slices.Backward(s.members) {
		if slices.Contains(names, m.key) {
			return m, true
		}
	}
	return jsonMember{}, false
}

func (s jsonShape) isTag() bool {
	m, ok := s.find("tasks")
	return ok && m.kind == '['
}

// tag reads one tag.
func (r *jsonReader) tag(name string, shape jsonShape) (*draft, error) {
	r.draft, r.links = newDraft(r.file, name, r.lines.of(shape.start)), nil
	if said, ok := shape.find("tag"); ok && said.kind == '"' && r.textOf(said) != name {
		r.warn(r.lines.of(said.at), "the file says tag %q, its name says %q, which counts", r.textOf(said), name)
	}
	tasks, _ := shape.find("tasks")
	r.expect(tasks.items)
	for _, task := range tasks.shapes {
		if err := r.task("", task); err != nil {
			return nil, err
		}
	}
	waves, _ := shape.find("waves")
	for _, wave := range waves.shapes {
		r.wave(wave)
	}
	r.linkTasks()
	r.settle()
	return r.draft, nil
}

// wave reads one wave: its number, its name, its tasks.
func (r *jsonReader) wave(shape jsonShape) {
	number, _ := shape.find("number")
	name, _ := shape.find("name")
	tasks, _ := shape.find("task_ids", "tasks")
	w := Wave{Name: r.textOf(name)}
	w.Number, _ = strconv.Atoi(r.textOf(number))
	for _, id := range r.listOf(tasks) {
		w.Tasks = append(w.Tasks, id.On)
	}
	if w.Number < 1 {
		w.Number = len(r.waves) + 1
		r.warn(r.lines.of(shape.start), "this wave has no number; it is taken for wave %d", w.Number)
	}
	r.waves = append(r.waves, w)
}

// textOf returns a string, a number, true or false as text. Anything else is empty.
func (r *jsonReader) textOf(m jsonMember) string {
	if m.kind == 0 || m.kind == '{' || m.kind == '[' {
		return ""
	}
	text, _, err := (&jsonText{text: r.text, at: m.at}).value()
	if err != nil {
		r.warn(r.lines.of(m.at), "%s", err)
	}
	return text
}

// listOf returns the ids in a list; what is no id is left out.
func (r *jsonReader) listOf(m jsonMember) []Dependency {
	if m.kind != '[' || m.items == 0 {
		return nil
	}
	ids := make([]Dependency, 0, m.items)
	list := &jsonText{text: r.text, at: m.at}
	_ = list.array(func() error { // it was skipped once already: only an escape can be wrong in it
		list.kind()
		at := list.at
		id, ok, err := list.value()
		if id = strings.TrimSpace(id); ok && id != "" {
			ids = append(ids, Dependency{On: id, Line: r.lines.of(at)})
		}
		return err
	})
	return ids
}
