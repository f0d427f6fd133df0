package scud

import "strings"

// column is where the text of a column stands in its line, without the blanks around it.
type column struct{ start, end int }

func (c column) of(line string) string { return line[c.start:c.end] }

// columns splits a line at its pipes, but not at escaped ones. There is at least one column.
func columns(line string) []column {
	split := make([]column, 0, 6)
	start := 0
	for i := 0; i <= len(line); i++ {
		switch {
		case i == len(line) || line[i] == '|':
			split = append(split, trimColumn(line, start, i))
			start = i + 1
		case line[i] == '\\' && i+1 < len(line):
			i++ // whatever follows does not separate
		}
	}
	return split
}

// trimColumn takes the blanks around line[start:end] away. What holds nothing but blanks is empty and stands behind the
// first of them, so that text put there has a blank before and, if there were two, one behind it.
func trimColumn(line string, start, end int) column {
	if start < end && strings.Trim(line[start:end], " \t") == "" {
		return column{start + 1, start + 1}
	}
	for start < end && isBlank(line[start]) {
		start++
	}
	for start < end && isBlank(line[end-1]) {
		end--
	}
	return column{start, end}
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// unescape reads a title: \\, \| and \n stand for backslash, pipe and newline, any other backslash for itself.
func unescape(title string) string {
	if !strings.ContainsRune(title, '\\') {
		return title
	}
	return strings.NewReplacer(`\\`, `\`, `\|`, `|`, `\n`, "\n").Replace(title)
}
