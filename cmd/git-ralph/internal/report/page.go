package report

// Mood says how something went. A page shows it by colour, and by a sign for those who see none.
type Mood string

// The moods.
const (
	Plain Mood = ""     // nothing is to be said of it
	Good  Mood = "good" // done, passed
	Bad   Mood = "bad"  // failed, blocked
	Wait  Mood = "wait" // neither: paused, interrupted, not begun
	Busy  Mood = "busy" // at work now
)

// sign is the mood for those who see no colour.
func (m Mood) sign() string {
	switch m {
	case Good:
		return "✓"
	case Bad:
		return "✗"
	case Wait:
		return "–"
	case Busy:
		return "▶"
	}
	return ""
}

// Page is everything that a reader sees of a loop. Texts are plain: whoever wrote them may be hostile, but they hold no escape sequences and no control
// characters but line breaks. What is empty is left out.
type Page struct {
	Loop       string      // name
	Outcome    string      // what it came to, one line
	Mood       Mood        // of the outcome
	Facts      []Fact      // below it
	Prompt     string      // what the agent was told
	Limits     []Fact      // that are on
	Plots      []Plot      // over iterations
	Plan       *Plan       // nil: the loop works through none
	Iterations []Iteration // oldest first
	After      []string    // what happened after the last of them, a line each
	Config     []string    // lines of the configuration
	Made       string      // when and with what the page was made, one line
}

// Fact is a labelled line.
type Fact struct {
	Label string // one word or two
	Text  string // one line
	Mood  Mood   // of the text
}

// Iteration is one iteration.
type Iteration struct {
	Number   int
	Before   []string // what happened between the one before and this one, a line each
	Status   string   // one word
	Mood     Mood     // of the status
	Cells    []Fact   // what it came to in short: the same labels in every iteration, a dash for what is not known
	Headline string   // first line of the summary
	Summary  string   // in the agent's words
	Facts    []Fact   // everything else
	Files    []File   // that changed
	Commits  []string // of the agent's own, a line each
	Failures []string // failed tests, a line each
	Tail     string   // end of what verify printed
	Error    string   // why the agent failed
}

// File is a file that an iteration changed.
type File struct {
	Path      string // as it is shown, both of them when it was renamed
	Added     int    // lines
	Removed   int    // lines
	Binary    bool   // there are no lines in it
	Uncounted bool   // its lines are not known
}

// Plot is a number that each iteration has, or several that add up to one.
type Plot struct {
	Title   string   // what is shown, such as "Tokens"
	Words   string   // what it comes to, one line
	Most    string   // the highest column in words
	Parts   []Part   // of a column, from the bottom up
	Columns []Column // oldest iteration first
}

// Part is one of the numbers that add up to a column.
type Part struct {
	Name string // such as "failed"; empty when there is only one
	Mood Mood   // of its columns
}

// Column is what a plot shows of one iteration.
type Column struct {
	Words  string    // what it says
	Values []float64 // one for each part; nil: not known
}

// Plan is the SCUD plan that a loop works through.
type Plan struct {
	Tag   string // name
	Waves []Wave // in order
	Left  int    // tasks that are left out of the waves
}

// Wave is one wave of a plan.
type Wave struct {
	Number int
	Tasks  []Task
}

// Task is one task of a plan.
type Task struct {
	ID    string   // as the plan writes it
	Title string   // empty: not known here
	State string   // how far it is, one word
	Mood  Mood     // of the state
	Words string   // attempts, why it is blocked; one line
	Needs []string // ids of those that it waits for
}
