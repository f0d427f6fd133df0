package scud

// Tag is a list of tasks with its own ids: a phase of a tasks.scg, an entry of a tasks.json, a {tag}.json.
type Tag struct {
	Name     string
	File     string    // the file that counts for this tag: relative to the plan's root, with slashes
	Tasks    []Task    // in natural order of their ids
	Waves    []Wave    // as a {tag}.json groups them, with any ids; empty elsewhere
	Warnings []Warning // what was odd about it, in the order in which it was found

	root string
	also string // another file that holds the same tasks, with the same dependencies: it is marked too; empty: none
	byID map[string]int
}

// Task returns the task that ref means: an id, or an id with the tag's name and a colon before it.
func (t *Tag) Task(ref string) (Task, bool) {
	i, ok := findIn(t.byID, t.Name, ref)
	if !ok {
		return Task{}, false
	}
	return t.Tasks[i], true
}

// Files returns the files in which the tag's statuses stand: relative to the plan's root, with slashes. The first one counts.
func (t *Tag) Files() []string {
	if t.also == "" {
		return []string{t.File}
	}
	return []string{t.File, t.also}
}

// Leaves returns the ids of the tasks without subtasks, in natural order.
func (t *Tag) Leaves() []string {
	leaves := make([]string, 0, len(t.Tasks))
	for _, task := range t.Tasks {
		if task.Leaf() {
			leaves = append(leaves, task.ID)
		}
	}
	return leaves
}

// LeavesOf returns the ids of the leaves below a task, in natural order: for a leaf itself, for an unknown ref none.
func (t *Tag) LeavesOf(ref string) []string {
	i, ok := findIn(t.byID, t.Name, ref)
	if !ok {
		return nil
	}
	var leaves []string
	var walk func(i int)
	walk = func(i int) {
		if t.Tasks[i].Leaf() {
			leaves = append(leaves, t.Tasks[i].ID)
		}
		for _, id := range t.Tasks[i].Subtasks {
			walk(t.byID[id])
		}
	}
	walk(i)
	return sortIDs(leaves)
}
