package watch

import (
	"strings"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// history is the table of iterations, newest first, with one of them selected. Its rows change while the program reads
// on, at both ends: a row is known by a serial number that stays.
type history struct {
	columns []Column
	rows    []Row
	newest  int            // serial number of the first row; the next one has one less
	serial  map[string]int // of each commit
	at      int            // selected row
	top     int            // first row that is shown
}

func newHistory(columns []Column) *history {
	return &history{columns: columns, serial: map[string]int{}}
}

// older adds rows at the end.
func (h *history) older(rows []Row) {
	for _, r := range rows {
		h.serial[r.ID] = h.newest - len(h.rows)
		h.rows = append(h.rows, r)
	}
}

// newer puts rows before the one of the commit at which both meet. What was before that is no longer the loop's; where
// they do not meet nothing is. The selection stays on its row; at the newest it stays there.
func (h *history) newer(rows []Row, meet string) {
	selected, known := "", len(h.rows)
	if h.at > 0 && h.at < len(h.rows) {
		selected = h.rows[h.at].ID
	}
	if serial, ok := h.serial[meet]; ok {
		known = h.newest - serial
	}
	for _, gone := range h.rows[:known] {
		delete(h.serial, gone.ID)
	}
	h.newest += len(rows) - known
	h.rows = append(append(make([]Row, 0, len(rows)+len(h.rows)-known), rows...), h.rows[known:]...)
	for i, r := range rows {
		h.serial[r.ID] = h.newest - i
	}
	h.at = 0
	if serial, ok := h.serial[selected]; ok {
		h.at = h.newest - serial
	}
}

// has reports whether a commit has a row.
func (h *history) has(commit string) bool {
	_, ok := h.serial[commit]
	return ok
}

// selected returns the row that is selected; false: there is none.
func (h *history) selected() (Row, bool) {
	if h.at >= len(h.rows) {
		return Row{}, false
	}
	return h.rows[h.at], true
}

// move moves the selection by so many rows.
func (h *history) move(by int) { h.at = max(0, min(h.at+by, len(h.rows)-1)) }

// view shows the heads and so many rows.
func (h *history) view(width, rows int, s styles) []string {
	heads := make([]string, len(h.columns))
	for i, c := range h.columns {
		heads[i] = c.Head
	}
	h.top = max(0, min(h.top, h.at, len(h.rows)-rows))
	h.top = max(h.top, h.at-rows+1)
	lines := []string{s.faint.Render("  " + h.line(heads, width))}
	for i := h.top; i < h.top+rows; i++ {
		switch {
		case i >= len(h.rows):
			lines = append(lines, "")
		case i == h.at:
			lines = append(lines, s.loud.Render(">")+" "+h.line(h.rows[i].Cells, width))
		default:
			lines = append(lines, "  "+h.line(h.rows[i].Cells, width))
		}
	}
	return lines
}

// line lines cells up. Columns that a narrow screen has no room for are left out.
func (h *history) line(cells []string, width int) string {
	var b strings.Builder
	for i, c := range h.columns {
		if width < c.Screen || i >= len(cells) {
			continue
		}
		at := lipgloss.Left
		if c.Right {
			at = lipgloss.Right
		}
		b.WriteString(lipgloss.PlaceHorizontal(c.Cells, at, cells[i]) + "  ")
	}
	return ansi.Truncate(strings.TrimRight(b.String(), " "), max(0, width-2), "…")
}
