package main

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
)

// look is what the stream that text goes to can show.
type look struct {
	colour bool // colours may be used; they never say anything that the words do not
	width  int  // columns of the terminal; zero: it is none, and lines are never cut
}

// lookOf is what the stream of the answer can show now.
func lookOf(t terminal) look {
	if !t.is {
		return look{}
	}
	return look{colour: t.colour, width: t.width()}
}

func (l look) good(text string) string  { return l.paint(green, text) }
func (l look) bad(text string) string   { return l.paint(red, text) }
func (l look) wait(text string) string  { return l.paint(yellow, text) }
func (l look) faint(text string) string { return l.paint(dim, text) }
func (l look) loud(text string) string  { return l.paint(bold, text) }

// paint styles text that has something to show; trailing spaces of a column stay plain.
func (l look) paint(s style, text string) string {
	words := strings.TrimRight(text, " ")
	return terminal{colour: l.colour}.paint(s, words) + text[len(words):]
}

// cut shortens a line to the terminal's width. Wide characters and colours are counted as the terminal shows them.
func (l look) cut(line string) string {
	line = strings.TrimRight(line, " ")
	if l.width <= 0 {
		return line
	}
	return ansi.Truncate(line, l.width, "…")
}

// left fills text up to a column of so many cells; longer text stays whole.
func left(text string, cells int) string {
	return text + strings.Repeat(" ", max(0, cells-ansi.StringWidth(text)))
}

// right does the same with the text at the end of the column.
func right(text string, cells int) string {
	return strings.Repeat(" ", max(0, cells-ansi.StringWidth(text))) + text
}

// columns lines rows up: every column is as wide as its widest cell, three spaces apart. A row's last cell takes the room that it needs.
func columns(rows [][]string) []string {
	var widths []int
	for _, row := range rows {
		for i, cell := range row {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			if i < len(row)-1 {
				widths[i] = max(widths[i], ansi.StringWidth(cell))
			}
		}
	}
	lines := make([]string, len(rows))
	for n, row := range rows {
		for i, cell := range row {
			lines[n] += left(cell, widths[i]+3)
		}
		lines[n] = strings.TrimRight(lines[n], " ")
	}
	return lines
}

// flat makes text from outside safe to show: one line, no control characters, no escape sequences, nothing that turns the
// direction of writing around.
func flat(text string) string {
	return strings.Join(strings.Fields(visible(text)), " ")
}

// firstLine is the first line with words on it, made safe to show.
func firstLine(text string) string {
	for line := range strings.Lines(text) {
		if line = flat(line); line != "" {
			return line
		}
	}
	return ""
}

// paragraphs makes text from outside safe to show and keeps its lines; a tab becomes spaces. Empty lines at its ends are left out.
func paragraphs(text string) []string {
	text = strings.Trim(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	if text == "" {
		return nil
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight(visible(strings.ReplaceAll(line, "\t", "    ")), " ")
	}
	return lines
}

// exactly makes text from outside safe to show without leaving anything out: its lines, what does not show as an escape.
func exactly(text string) []string {
	lines := strings.Split(strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n"), "\n")
	for i, line := range lines {
		var b strings.Builder
		for len(line) > 0 {
			c, size := utf8.DecodeRuneInString(line)
			switch {
			case c == utf8.RuneError && size == 1:
				fmt.Fprintf(&b, `\x%02x`, line[0])
			case c == '\t':
				b.WriteString("    ")
			case strconv.IsPrint(c):
				b.WriteRune(c)
			default:
				b.WriteString(strings.Trim(strconv.QuoteRune(c), "'"))
			}
			line = line[size:]
		}
		lines[i] = b.String()
	}
	return lines
}

// visible drops escape sequences and what does not show. White space becomes spaces.
func visible(text string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case unicode.IsSpace(c):
			return ' '
		case unicode.IsControl(c), unicode.In(c, unicode.Bidi_Control):
			return -1
		}
		return c
	}, ansi.Strip(strings.ToValidUTF8(text, "\uFFFD")))
}

// shownPath writes a path the way that git does: as it is, or quoted with octal escapes when it holds something that would not show.
func shownPath(path string) string {
	if utf8.ValidString(path) && !strings.ContainsAny(path, "\"\\") && visible(path) == path && path != "" {
		return path
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(path) {
		switch c := path[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c == '\n':
			b.WriteString(`\n`)
		case c == '\t':
			b.WriteString(`\t`)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// shellWord writes text as one word for a shell, so that a hint can be pasted.
func shellWord(text string) string {
	plain := func(c rune) bool {
		return c < utf8.RuneSelf && (unicode.IsLetter(c) || unicode.IsDigit(c) || strings.ContainsRune("._-/@+:", c))
	}
	if text != "" && strings.IndexFunc(text, func(c rune) bool { return !plain(c) }) < 0 {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
