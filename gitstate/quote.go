package gitstate

import (
	"strings"
	"unicode/utf8"
)

// quoted returns s on one line of valid UTF-8: as it is where that is possible, else in double quotes with the escapes
// that git uses for paths. Other readable text stays readable in it.
func quoted(s string) string {
	if needsQuotes(s) {
		return quote(s)
	}
	return s
}

// quote puts s in double quotes.
func quote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r < utf8.RuneSelf || unwritable(r, size) {
			for _, c := range []byte(s[i : i+size]) {
				writeQuotedByte(&b, c)
			}
		} else {
			b.WriteString(s[i : i+size])
		}
		i += size
	}
	b.WriteByte('"')
	return b.String()
}

func needsQuotes(s string) bool {
	if s == "" || s[0] == ' ' || s[0] == '"' || s[len(s)-1] == ' ' {
		return true
	}
	for i, r := range s {
		if unwritable(r, 0) || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
			return true
		}
	}
	return false
}

// unwritable reports whether a trailer cannot hold r, which was read from so many bytes.
func unwritable(r rune, size int) bool {
	return isControl(r) || nonCharacter(r) || r == utf8.RuneError && size == 1
}

const quotedBytes = "\a\b\t\n\v\f\r\"\\"
const quotedLetters = `abtnvfr"\`

func writeQuotedByte(b *strings.Builder, c byte) {
	switch i := strings.IndexByte(quotedBytes, c); {
	case i >= 0:
		b.WriteByte('\\')
		b.WriteByte(quotedLetters[i])
	case c < 0x20 || c >= 0x7f:
		b.WriteByte('\\')
		for shift := 6; shift >= 0; shift -= 3 {
			b.WriteByte('0' + c>>shift&7)
		}
	default:
		b.WriteByte(c)
	}
}

// unquoted gives back what quoted or git quoted. It returns false when s begins with a quote and is not well quoted.
func unquoted(s string) (string, bool) {
	if !strings.HasPrefix(s, `"`) {
		return s, true
	}
	s = s[1:]
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '"':
			return b.String(), i == len(s)-1
		case '\\':
			c, size, ok := unescape(s[i+1:])
			if !ok {
				return "", false
			}
			b.WriteByte(c)
			i += size
		default:
			b.WriteByte(s[i])
		}
	}
	return "", false
}

// unescape reads what stands behind a backslash and tells how long it is.
func unescape(s string) (c byte, size int, ok bool) {
	if s == "" {
		return 0, 0, false
	}
	if i := strings.IndexByte(quotedLetters, s[0]); i >= 0 {
		return quotedBytes[i], 1, true
	}
	if len(s) < 3 || s[0] > '3' {
		return 0, 0, false
	}
	for _, digit := range []byte(s[:3]) {
		if digit < '0' || digit > '7' {
			return 0, 0, false
		}
		c = c<<3 | (digit - '0')
	}
	return c, 3, true
}
