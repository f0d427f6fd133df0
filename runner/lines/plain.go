package lines

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const escape = 0x1b

// Plain returns text without terminal escape sequences (colours, cursor moves, titles, links: the text of a link stays)
// and without control characters other than tab and newline. What is not UTF-8 becomes U+FFFD. A sequence that the text
// does not end is taken away as far as it goes.
func Plain(text string) string {
	if isPlain(text) {
		return text
	}
	var plain strings.Builder
	for i := 0; i < len(text); {
		if text[i] == escape {
			i += sequence(text[i:])
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == '\t' || r == '\n' || !unicode.IsControl(r) {
			plain.WriteRune(r)
		}
		i += size
	}
	return plain.String()
}

// isPlain reports whether nothing has to be taken away from text: nearly every line.
func isPlain(text string) bool {
	for i := 0; i < len(text); i++ {
		if b := text[i]; b != '\t' && b != '\n' && (b < ' ' || b >= 0x7f) {
			return false
		}
	}
	return true
}

// sequence is the length of the escape sequence that text begins with.
func sequence(text string) int {
	if len(text) < 2 {
		return len(text)
	}
	switch text[1] {
	case '[': // a control sequence: parameters, intermediates, one final byte
		end := 2 + span(text[2:], 0x20, 0x3f)
		return end + min(span(text[end:], 0x40, 0x7e), 1)
	case ']', 'P', 'X', '^', '_': // a string: a title or a link, ended by BEL or by ESC \
		for i := 2; i < len(text); i++ {
			switch {
			case text[i] == '\a' && text[1] == ']':
				return i + 1
			case text[i] == escape && i+1 < len(text) && text[i+1] == '\\':
				return i + 2
			case text[i] == '\n':
				return i
			}
		}
		return len(text)
	default: // such as ESC ( B
		end := 1 + span(text[1:], 0x20, 0x2f)
		return end + min(span(text[end:], 0x30, 0x7e), 1)
	}
}

// span is the number of bytes from low to high that text begins with.
func span(text string, low, high byte) int {
	n := 0
	for n < len(text) && text[n] >= low && text[n] <= high {
		n++
	}
	return n
}
