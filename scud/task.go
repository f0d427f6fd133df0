package scud

// Task is one task of a tag.
type Task struct {
	ID           string       // any text without blanks at its ends: "1", "2.1", "auth:1"
	Title        string       // one line, or more where the file says so; may be empty
	Status       Status       // how far it is
	Written      string       // the status as it stands in the file, to put it back; empty: none stands there
	Complexity   int          // zero: not estimated
	Priority     Priority     // never empty
	DependsOn    []Dependency // its own, in the file's order; what it inherits from its parent is not among them
	Parent       string       // the id of the task that it is a part of; empty: none
	Subtasks     []string     // ids in natural order; empty: the task is a leaf, and only leaves are run
	Description  string       // text of any length; may be empty
	Details      string       // text of any length; may be empty
	TestStrategy string       // text of any length; may be empty
	AssignedTo   string       // a name; empty: nobody's
	AgentType    string       // such as "builder"; empty: any
	ModelTier    string       // such as "smart"; empty: any
	Line         int          // where the task stands in its file, from 1
}

// Leaf reports whether t has no subtasks.
func (t Task) Leaf() bool { return len(t.Subtasks) == 0 }

// Dependency says that a task waits for another one.
type Dependency struct {
	On   string // as it is written: an id of the same tag, or "tag:id"
	Line int    // where it is written, from 1
}

// Priority says how much a task matters. It changes nothing in the order of the tasks.
type Priority string

// The priorities of SCUD. What is not one of them is read as medium, as SCUD does.
const (
	Critical Priority = "critical" // C
	High     Priority = "high"     // H
	Medium   Priority = "medium"   // M
	Low      Priority = "low"      // L
)

// priorityOf reads a letter of SCG or a word of JSON.
func priorityOf(text string) Priority {
	switch text {
	case "C", "critical":
		return Critical
	case "H", "high":
		return High
	case "L", "low":
		return Low
	}
	return Medium
}
