package scud

// Wave is a group of tasks that is closed together.
type Wave struct {
	Number int      // from 1; numbers grow, but one may be missing
	Name   string   // only a {tag}.json names its waves; empty: no name
	Tasks  []string // ids. In a [Graph]: leaves, in an order in which they can run
}
