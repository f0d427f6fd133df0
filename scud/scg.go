package scud

import (
	"iter"
	"strings"
)

// scgPhase is the part of an SCG file that holds one tag, cut into sections that are not read yet.
type scgPhase struct {
	name     string
	line     int // of its first line that is not blank
	sections []scgSection
	warnings []Warning
}

// scgSection is what follows a line with @name: the bytes from start to end of the file's text.
type scgSection struct {
	name       string
	line       int // the number of the line at start
	start, end int
}

// textLine is one line without its end.
type textLine struct {
	text   string
	start  int // offset of its first byte
	next   int // offset of the line after it
	number int // from 1
}

// eachLine goes through the lines of text from start to end; the first one has the given number. A carriage return
// belongs to the end of a line.
func eachLine(text string, s scgSection) iter.Seq[textLine] {
	return func(yield func(textLine) bool) {
		for start, number := s.start, s.line; start < s.end; number++ {
			length := strings.IndexByte(text[start:s.end], '\n')
			next := start + length + 1
			if length < 0 {
				length, next = s.end-start, s.end
			}
			line := strings.TrimSuffix(text[start:start+length], "\r")
			if !yield(textLine{text: line, start: start, next: next, number: number}) {
				return
			}
			start = next
		}
	}
}

// scgOutliner cuts an SCG file into phases and sections.
type scgOutliner struct {
	file    string
	phases  []scgPhase
	phase   scgPhase
	section string // the section that the line before was in; empty: none
	stray   int    // the first line of the phase that is in no section; zero: none
}

const (
	sectionMeta    = "meta"
	sectionDetails = "details"
)

// outlineSCG finds the phases of an SCG file. It is quick: nothing is read but names. The texts in @details are indented,
// so whatever they say, they are never taken for a section, a separator or a comment.
func outlineSCG(file, text string) ([]scgPhase, error) {
	o := &scgOutliner{file: file}
	whole := scgSection{line: 1, end: len(text)}
	if strings.HasPrefix(text, byteOrderMark) {
		whole.start = len(byteOrderMark)
	}
	for line := range eachLine(text, whole) {
		if o.section == sectionDetails && (line.text == "" || line.text[0] == ' ' || line.text[0] == '\t') {
			continue
		}
		if err := o.see(line); err != nil {
			return nil, err
		}
	}
	if err := o.close(len(text)); err != nil {
		return nil, err
	}
	return o.phases, nil
}

// see takes in one line that is not the text of a detail.
func (o *scgOutliner) see(line textLine) error {
	trimmed := strings.TrimSpace(line.text)
	switch {
	case trimmed == "":
		return nil
	case isConflictMarker(line.text):
		return &ParseError{o.file, line.number, "a merge conflict is not resolved here"}
	case strings.TrimRight(line.text, " \t") == "---":
		return o.close(line.start)
	case strings.HasPrefix(line.text, "# SCUD Graph") && len(o.phase.sections) > 0: // the separator is missing
		if err := o.close(line.start); err != nil {
			return err
		}
	}
	o.put(trimmed, line)
	return nil
}

// put adds a line to the phase; trimmed is its text without the blanks around it.
func (o *scgOutliner) put(trimmed string, line textLine) {
	if o.phase.line == 0 {
		o.phase.line = line.number
	}
	switch {
	case trimmed[0] == '@':
		o.open(trimmed[1:], line)
	case trimmed[0] == '#':
		o.header(trimmed)
	case o.section == sectionMeta && trimmed == "}":
		o.endSection(line.start)
	case o.section == sectionMeta:
		key, value, _ := strings.Cut(trimmed, " ")
		if value = strings.TrimSpace(value); key == "name" && value != "" {
			o.phase.name = value
		}
	case o.section == "" && o.stray == 0:
		o.stray = line.number
	}
}

// header reads a comment: before the first section it may name the tag.
func (o *scgOutliner) header(comment string) {
	if len(o.phase.sections) > 0 || o.section != "" {
		return
	}
	text := strings.TrimSpace(strings.TrimPrefix(comment, "#"))
	for _, word := range [...]string{"Phase:", "Epic:"} {
		if name, ok := strings.CutPrefix(text, word); ok {
			o.phase.name = strings.TrimSpace(name)
		}
	}
}

// open begins a section at the line after this one.
func (o *scgOutliner) open(header string, line textLine) {
	o.endSection(line.start)
	name, _, _ := strings.Cut(strings.ReplaceAll(header, "{", " "), " ")
	o.section = name
	o.phase.sections = append(o.phase.sections, scgSection{name: name, line: line.number + 1, start: line.next, end: line.next})
}

// endSection ends the section that is open, if there is one, before the byte at end.
func (o *scgOutliner) endSection(end int) {
	if o.section == "" {
		return
	}
	o.section = ""
	o.phase.sections[len(o.phase.sections)-1].end = end
}

// close ends the phase.
func (o *scgOutliner) close(end int) error {
	o.endSection(end)
	phase, stray := o.phase, o.stray
	o.phase, o.stray = scgPhase{}, 0
	switch {
	case phase.name == "" && stray == 0 && len(phase.sections) == 0:
		return nil // blank, or nothing but comments
	case phase.name == "":
		return &ParseError{o.file, phase.line, `this is no SCUD graph: no line "# Phase: NAME" says which tag begins here`}
	case stray != 0:
		phase.warnings = append(phase.warnings, Warning{o.file, stray, "this line belongs to no section"})
	}
	o.phases = append(o.phases, phase)
	return nil
}

// isConflictMarker knows the lines by which git marks both sides of a conflict.
func isConflictMarker(line string) bool {
	for _, marker := range [...]string{"<<<<<<< ", ">>>>>>> ", "||||||| "} {
		if strings.HasPrefix(line, marker) {
			return true
		}
	}
	return line == "======="
}
