package scud

import "fmt"

// Warning is something odd in a task file that did not keep it from being read.
type Warning struct {
	File string // relative to the plan's root, with slashes
	Line int    // from 1; zero: the file as a whole
	Text string // one line, lower case
}

// String is "file:line: text".
func (w Warning) String() string { return at(w.File, w.Line) + w.Text }

// ParseError says that a task file cannot be understood.
type ParseError struct {
	File string // relative to the plan's root, with slashes
	Line int    // from 1
	What string // one line, lower case
}

func (e *ParseError) Error() string { return at(e.File, e.Line) + e.What }

func at(file string, line int) string {
	if line == 0 {
		return file + ": "
	}
	return fmt.Sprintf("%s:%d: ", file, line)
}
