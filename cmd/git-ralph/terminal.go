package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// terminal says what a stream leads to.
type terminal struct {
	is     bool // a terminal
	colour bool // colours and live lines may be used
	fd     int
}

// lookAt finds out what w leads to. On a terminal that the user wants plain nothing is coloured or drawn again.
func lookAt(w io.Writer, plain bool) terminal {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return terminal{}
	}
	return terminal{is: true, colour: !plain, fd: int(f.Fd())}
}

// isTerminal tells whether somebody can answer on r.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the columns of the terminal now, and 80 where that is not known.
func (t terminal) width() int {
	if t.is {
		if w, _, err := term.GetSize(t.fd); err == nil && w > 0 {
			return w
		}
	}
	return 80
}

// style is how a word is shown where colours are used.
type style string

// The styles, as terminals know them.
const (
	bold   style = "1"
	dim    style = "2"
	red    style = "31"
	green  style = "32"
	yellow style = "33"
)

// paint puts the text into a style, if the terminal shows colours.
func (t terminal) paint(s style, text string) string {
	if !t.colour || text == "" {
		return text
	}
	return "\x1b[" + string(s) + "m" + text + "\x1b[0m"
}
