package watch

import (
	"strings"

	"github.com/charmbracelet/x/ansi"
)

// uncoloured ends all colours.
const uncoloured = "\x1b[m"

// appendRows makes rows of a line: one at least, none of more cells than width. A row of a coloured line has the colour
// from its beginning, and keeps it to itself.
func appendRows(rows []row, line string, number, width int) []row {
	if width <= 0 || len(line) <= width && !strings.Contains(line, "\x1b") { // a byte takes one cell at most
		return append(rows, row{span{number, 0, ansi.StringWidth(line)}, line})
	}
	var text strings.Builder
	colours, from, at, state := "", 0, 0, byte(0)
	for rest := line; rest != ""; {
		sequence, cells, n, next := ansi.DecodeSequence(rest, state, nil)
		rest, state = rest[n:], next
		if at+cells-from > width && at > from {
			if colours != "" {
				text.WriteString(uncoloured)
			}
			rows = append(rows, row{span{number, from, at}, text.String()})
			from = at
			text.Reset()
			text.WriteString(colours)
		}
		if isColour(sequence) {
			if colours += sequence; endsColours(sequence) {
				colours = ""
			}
		}
		text.WriteString(sequence)
		at += cells
	}
	return append(rows, row{span{number, from, at}, text.String()})
}

// isColour reports whether a sequence changes how text looks.
func isColour(sequence string) bool {
	return strings.HasPrefix(sequence, "\x1b[") && strings.HasSuffix(sequence, "m")
}

// endsColours reports whether text looks as usual after a sequence.
func endsColours(sequence string) bool { return sequence == uncoloured || sequence == "\x1b[0m" }
