package watch

import (
	"context"
	"iter"
)

// Source is where the screen gets what it shows, and who does what its keys ask for. Its functions are called from
// goroutines of the screen's, each by one at a time, and Show and Diff by one at a time together; Output alone may be
// called for several iterations at once. When their context ends they return soon. Texts are single lines that hold
// nothing but printable characters and colours.
type Source struct {
	// Look returns the loop as it is now. It is called several times a second and must cost next to nothing while
	// nothing happens.
	Look func(ctx context.Context) (Sight, error)

	// History returns the loop's iterations, newest first.
	History func(ctx context.Context) iter.Seq2[Row, error]

	// Show returns all that is known of an iteration.
	Show func(ctx context.Context, iteration int) ([]string, error)

	// Diff returns what an iteration changed.
	Diff func(ctx context.Context, iteration int) ([]string, error)

	// Output hands on what the agent prints in an iteration, line by line, from some way before the end, until ended is
	// closed and all is read. The error says why there is none, or no more.
	Output func(ctx context.Context, iteration int, ended <-chan struct{}, line func(string)) error

	// Do does what a key asks for and returns what to tell the user. The text belongs to Tell.
	Do func(ctx context.Context, what Action, text string) (string, error)

	Columns   []Column      // of the history
	Notices   <-chan string // lines that the user should know; nil: none come
	Interrupt func()        // does what Ctrl-C means; nil: it leaves the screen
}

// Action is what a key asks the source to do.
type Action string

// The actions.
const (
	Pause     Action = "pause"      // after the iteration at hand
	Cancel    Action = "cancel"     // after the iteration at hand
	CancelNow Action = "cancel-now" // at once
	Tell      Action = "tell"       // guidance for the next iteration
)

// Sight is a loop at one glance.
type Sight struct {
	Head      string  // the line that says it all
	Gauges    []Gauge // the iterations, then what else is limited or known
	Facts     []Fact  // the most important first
	Plan      *Plan   // nil: it has none
	Tip       string  // another one with every commit of the loop
	Running   bool    // a process on this machine runs it
	Iteration int     // the one at hand while it runs, else the last one; 0: none
}

// Gauge is an amount that may have a limit.
type Gauge struct {
	Label string  // what is measured, in a word or two
	Text  string  // how much it is, and of how much
	Part  float64 // of the limit, 0 to 1; negative: there is no limit
}

// Fact is a labelled line.
type Fact struct{ Label, Text string }

// Plan is how far the plan of a loop is.
type Plan struct {
	Tasks   string   // how many are done, in a few words
	Waves   []Wave   // in their order
	At      int      // index of the wave at hand, else of the first one that is not finished
	Current string   // the task in hand; empty: none
	Blocked []string // tasks that the loop gave up, with the reasons
	Page    []string // all waves with all their tasks
}

// Wave is how far a wave of tasks is.
type Wave struct {
	Label string // such as "wave 2"
	State string // in a word or two
	Done  int    // of its tasks
	All   int    // of its tasks that count
}

// Row is an iteration in the history.
type Row struct {
	ID     string   // of its commit
	Number int      // iteration
	Cells  []string // as many as there are columns
}

// Column is a column of the history.
type Column struct {
	Head   string
	Cells  int  // width; zero: the rest of the line
	Right  bool // text stands at its right end
	Screen int  // columns of the narrowest screen that shows it; zero: every one
}
