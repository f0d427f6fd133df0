package gitstate

import (
	"strings"
	"unicode/utf8"
)

// Message is a commit message of ours in its three parts.
type Message struct {
	Subject  string    // one line; a message of ours is never without one
	Body     string    // any text; never mistaken for trailers, given back word for word but for its final newlines
	Trailers []Trailer // the last paragraph, in order
}

// String puts the message together: subject, body and one block of trailers, each a paragraph of its own. Line breaks and
// control characters in the subject and in trailers become spaces, a trailer without a value is left out.
// What no commit message can hold (NUL, invalid UTF-8, the code points that git replaces) is left out of the body or
// becomes U+FFFD.
//
// [ParseMessage] gives the parts back, with one exception: a message without trailers whose body ends in a paragraph
// that is a block of trailers.
func (m Message) String() string {
	subject := oneLine(m.Subject)
	if subject == "" {
		subject = "ralph"
	}
	var b strings.Builder
	b.WriteString(subject + "\n")
	if body := strings.TrimRight(storable(m.Body), "\n"); body != "" {
		b.WriteString("\n" + hideScissors(body) + "\n")
	}
	separator := "\n"
	for _, t := range m.Trailers {
		if line, ok := t.line(); ok {
			b.WriteString(separator + line + "\n")
			separator = ""
		}
	}
	return b.String()
}

// ParseMessage takes a message of ours apart. A message whose last paragraph is not a block of trailers has none.
func ParseMessage(text string) Message {
	subject, rest, _ := strings.Cut(strings.TrimRight(text, "\n"), "\n")
	m := Message{Subject: subject}
	titleEnds := strings.HasPrefix(rest, "\n")
	rest = strings.TrimPrefix(rest, "\n")
	body, block, cut := cutLastParagraph(rest)
	if cut || titleEnds {
		m.Trailers = parseBlock(block)
	}
	if len(m.Trailers) == 0 {
		body = rest
	}
	m.Body = showScissors(strings.TrimRight(body, "\n"))
	return m
}

// cutLastParagraph cuts text at its last blank line. Without one the whole text is the last paragraph.
func cutLastParagraph(text string) (before, last string, cut bool) {
	for end := len(text); end > 0; {
		start := strings.LastIndexByte(text[:end], '\n') + 1
		if strings.TrimLeft(text[start:end], " \t\r\v\f") == "" {
			return text[:start], strings.TrimPrefix(text[end:], "\n"), true
		}
		end = start - 1
	}
	return "", strings.TrimPrefix(text, "\n"), strings.HasPrefix(text, "\n")
}

// scissors is the line that git takes for the end of a message when it looks for trailers, behind any comment
// character, and with it the backslashes that hide such a line.
const scissors = ` ------------------------ >8 ------------------------`

// hideScissors puts a backslash before each line that git takes for the end of the message.
func hideScissors(body string) string {
	return editScissors(body, func(line string) string { return `\` + line })
}

// showScissors takes the backslash away again.
func showScissors(body string) string {
	return editScissors(body, func(line string) string { return strings.TrimPrefix(line, `\`) })
}

func editScissors(body string, edit func(line string) string) string {
	if !strings.Contains(body, scissors) {
		return body
	}
	lines := strings.Split(body, "\n")
	for i, line := range lines {
		if strings.HasSuffix(line, scissors) {
			lines[i] = edit(line)
		}
	}
	return strings.Join(lines, "\n")
}

// storable returns text as a commit message can hold it.
func storable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == 0:
			return -1
		case nonCharacter(r):
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(text, string(utf8.RuneError)))
}

// nonCharacter reports whether r is a code point that is valid UTF-8 but that git takes for a broken encoding: it would
// write its three bytes as three other characters.
func nonCharacter(r rune) bool { return r >= 0xfdd0 && r <= 0xfdef || r&0xfffe == 0xfffe }

// plainText returns text of an agent as a commit's body: without control characters other than tab and newline.
func plainText(text string) string {
	return strings.Map(func(r rune) rune {
		if isControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, storable(text))
}

// oneLine returns text as one line: every run of control characters is one space, none at either end.
func oneLine(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r < 0x20 || r >= 0x7f }) {
		return strings.Trim(text, " ")
	}
	var b strings.Builder
	inRun := false
	for _, r := range storable(text) {
		switch {
		case !isControl(r):
			b.WriteRune(r)
		case !inRun:
			b.WriteByte(' ')
		}
		inRun = isControl(r)
	}
	return strings.Trim(b.String(), " ")
}

func isControl(r rune) bool { return r < 0x20 || r >= 0x7f && r < 0xa0 }
