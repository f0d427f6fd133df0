package scud

import "strings"

// detailText gathers the lines of one text in @details.
type detailText struct {
	into  *string // nil: the text belongs to nothing that we know
	lines []string
	blank int // blank lines that count only if text follows
}

// end writes the text to where it belongs.
func (t *detailText) end() {
	if t.into != nil && len(t.lines) > 0 {
		*t.into = strings.Join(t.lines, "\n")
	}
	*t = detailText{}
}

// add adds a line that is not blank.
func (t *detailText) add(line string) {
	for ; t.blank > 0; t.blank-- {
		t.lines = append(t.lines, "")
	}
	t.lines = append(t.lines, line)
}

// details reads texts: a line "id | field |" in the first column, then the text, each line indented by two blanks.
//
// Whatever is indented is text, also what looks like a section, a comment or a separator, and so are blank lines between
// such lines. What is not indented and is no such header is left out, and the text goes on behind it.
func (r scgReader) details(s scgSection) {
	var text detailText
	lost := false // text follows a header that we do not know
	for line := range eachLine(r.text, s) {
		switch {
		case strings.TrimSpace(line.text) == "":
			text.blank++
		case isBlank(line.text[0]) && text.into != nil:
			text.add(unindent(line.text))
		case isBlank(line.text[0]):
			if !lost {
				r.warn(line.number, "this text belongs to no task")
				lost = true
			}
		case line.text[0] == '#':
		default:
			into, rest, ok := r.detailHeader(line)
			if !ok {
				continue
			}
			text.end()
			text.into, lost = into, into == nil
			if rest != "" && into != nil {
				text.add(rest)
			}
		}
	}
	text.end()
}

// unindent takes the indentation away that makes a line text.
func unindent(line string) string {
	if text, ok := strings.CutPrefix(line, "  "); ok {
		return text
	}
	return line[1:]
}

// detailHeader reads "id | field |" and returns where the text goes; nil for a task or field that is unknown. Text may
// follow on the same line. It returns false when the line is no header.
func (r scgReader) detailHeader(line textLine) (into *string, rest string, ok bool) {
	id, after, piped := strings.Cut(line.text, "|")
	field, rest, closed := strings.Cut(after, "|")
	id, field, rest = strings.TrimSpace(id), strings.TrimSpace(field), strings.TrimSpace(rest)
	i, known := r.find(id)
	switch {
	case known && field == "description":
		into = &r.tasks[i].Description
	case known && field == "details":
		into = &r.tasks[i].Details
	case known && field == "test_strategy":
		into = &r.tasks[i].TestStrategy
	}
	if into == nil && (!piped || !closed || rest != "") || !closed {
		r.warn(line.number, "this line is not indented and left out")
		return nil, "", false
	}
	if into == nil {
		r.warn(line.number, "a text %q of %q, which is unknown, is left out", field, id)
	}
	return into, rest, true
}
