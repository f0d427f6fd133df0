package watch

import (
	"regexp"
	"sort"

	"charm.land/lipgloss/v2"
	"github.com/charmbracelet/x/ansi"
)

// scroll is a text of which a part is shown: its lines in rows as wide as the screen, and what was searched for. Lines
// have numbers that stay when some are dropped at the beginning.
type scroll struct {
	width, height int
	lines         []string
	first         int // number of the first line
	rows          []row
	top           int // row that is shown first

	query   string
	pattern *regexp.Regexp // of the query; nil: there is none
	matches []span
	at      int // match that is selected
}

// span is a part of a line, in cells.
type span struct{ line, from, to int }

// row is a part of a line that fits on the screen.
type row struct {
	span
	text string
}

// set takes other lines, the first of which has this number. What is shown first and the selected match stay what they
// are, as far as they are still there.
func (s *scroll) set(lines []string, first int) {
	top, selected := s.topSpan(), span{}
	if s.at < len(s.matches) {
		selected = s.matches[s.at]
	}
	s.lines, s.first = lines, first
	s.wrap(top)
	s.mark()
	s.selectFrom(selected)
}

// forget makes room for another text. The search stays.
func (s *scroll) forget() {
	*s = scroll{width: s.width, height: s.height, query: s.query, pattern: s.pattern}
}

// resize fits the text into a screen.
func (s *scroll) resize(width, height int) {
	top := s.topSpan()
	s.width, s.height = width, max(1, height)
	s.wrap(top)
}

// topSpan is what the row that is shown first shows.
func (s *scroll) topSpan() span {
	if s.top < len(s.rows) {
		return s.rows[s.top].span
	}
	return span{line: s.first}
}

// wrap makes rows of the lines, and shows them from where top begins.
func (s *scroll) wrap(top span) {
	s.rows = s.rows[:0]
	for i, line := range s.lines {
		s.rows = appendRows(s.rows, line, s.first+i, s.width)
	}
	s.show(s.rowOf(top))
}

// rowOf is the row that shows where a part of a line begins, else the next one.
func (s *scroll) rowOf(p span) int {
	return sort.Search(len(s.rows), func(i int) bool {
		r := s.rows[i]
		return r.line > p.line || r.line == p.line && (r.to > p.from || r.to == r.from)
	})
}

// show shows the text from a row on, or as much of its end as there is room for.
func (s *scroll) show(top int) { s.top = max(0, min(top, len(s.rows)-s.height)) }

// showEnd shows the end of the text.
func (s *scroll) showEnd() { s.show(len(s.rows)) }

// atEnd reports whether the end is in sight.
func (s *scroll) atEnd() bool { return s.top+s.height >= len(s.rows) }

// search looks for a text, without regard to case. The first match from what is shown on is selected, and comes into
// sight. An empty text ends the search.
func (s *scroll) search(text string) {
	s.query, s.pattern = text, nil
	if text != "" {
		s.pattern = regexp.MustCompile("(?i)" + regexp.QuoteMeta(text))
	}
	s.mark()
	s.selectFrom(s.topSpan())
	s.reveal()
}

// mark finds the query in all lines.
func (s *scroll) mark() {
	s.matches = nil
	if s.pattern == nil {
		return
	}
	for i, line := range s.lines {
		plain := ansi.Strip(line)
		cells, counted := 0, 0 // cells before the byte
		for _, m := range s.pattern.FindAllStringIndex(plain, -1) {
			from := cells + ansi.StringWidth(plain[counted:m[0]])
			to := from + ansi.StringWidth(plain[m[0]:m[1]])
			s.matches = append(s.matches, span{s.first + i, from, to})
			cells, counted = to, m[1]
		}
	}
}

// matchFrom is the first match that does not end before a part of a line begins; as many as there are: none.
func (s *scroll) matchFrom(p span) int {
	return sort.Search(len(s.matches), func(i int) bool { m := s.matches[i]; return m.line > p.line || m.line == p.line && m.to > p.from })
}

// selectFrom selects the first match from a part of a line on; behind the last one the first.
func (s *scroll) selectFrom(p span) {
	if s.at = s.matchFrom(p); s.at == len(s.matches) {
		s.at = 0
	}
}

// next selects the match that is so many after the selected one; one that is not in sight counts as what is shown first.
func (s *scroll) next(by int) {
	if len(s.matches) == 0 {
		return
	}
	if at := s.rowOf(s.matches[s.at]); at < s.top || at >= s.top+s.height {
		s.selectFrom(s.topSpan())
		by = min(by, 0)
	}
	s.at = (s.at + by + len(s.matches)) % len(s.matches)
	s.reveal()
}

// reveal brings the selected match into sight.
func (s *scroll) reveal() {
	if len(s.matches) == 0 {
		return
	}
	if at := s.rowOf(s.matches[s.at]); at < s.top || at >= s.top+s.height {
		s.show(at - s.height/3)
	}
}

// view are the rows that are shown.
func (s *scroll) view(found, selected lipgloss.Style) []string {
	var shown []string
	for _, r := range s.rows[s.top:min(len(s.rows), s.top+s.height)] {
		shown = append(shown, lipgloss.StyleRanges(r.text, s.marked(r, found, selected)...))
	}
	return shown
}

// marked are the parts of a row that were searched for.
func (s *scroll) marked(r row, found, selected lipgloss.Style) []lipgloss.Range {
	var ranges []lipgloss.Range
	for i := s.matchFrom(r.span); i < len(s.matches) && s.matches[i].line == r.line && s.matches[i].from < r.to; i++ {
		style := found
		if i == s.at {
			style = selected
		}
		ranges = append(ranges, lipgloss.NewRange(max(s.matches[i].from, r.from)-r.from, min(s.matches[i].to, r.to)-r.from, style))
	}
	return ranges
}
