package spec

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// PlanSection is the part of a plan that speaks of one task.
type PlanSection struct {
	Text    string // as it stands in the plan, without blank lines at its end
	Heading string // the heading that it begins with, without its marks; empty: no section was found, Text is the plan's beginning
	Cut     bool   // the plan goes on behind its beginning
}

// planBeginning is how many characters of a plan stand for a section that was not found.
const planBeginning = 2000

// longestList is how many bytes a list of ids has at most.
const longestList = 300

// FindPlanSection looks for the part of a plan in Markdown that speaks of a task: a heading that names the task ("## Task 5:
// Title", "### 5. Title", "## 5"), or a heading that a table gives for it ("Phase 2"). The section ends before the next
// heading of its level or above. The first of ids that has a section counts, so a subtask's own can be followed by its
// parent's. An id is a whole word: 1 is neither 12 nor 1.1. When there is no section the text is the plan's first 2,000
// characters.
func FindPlanSection(plan string, ids ...string) PlanSection {
	headings := headingsOf(plan)
	for _, id := range ids {
		if id == "" {
			continue
		}
		if i, ok := headingOf(headings, id); ok {
			return section(plan, headings, i)
		}
		if i, ok := headingByTable(plan, headings, id); ok {
			return section(plan, headings, i)
		}
	}
	end, count := len(plan), 0
	for i := range plan {
		if count == planBeginning {
			end = i
			break
		}
		count++
	}
	return PlanSection{Text: strings.TrimRight(plan[:end], " \t\r\n"), Cut: strings.TrimSpace(plan[end:]) != ""}
}

// section cuts out what stands under a heading.
func section(plan string, headings []heading, i int) PlanSection {
	end := len(plan)
	for _, next := range headings[i+1:] {
		if next.level <= headings[i].level {
			end = next.start
			break
		}
	}
	return PlanSection{Text: strings.TrimRight(plan[headings[i].start:end], " \t\r\n"), Heading: headings[i].text}
}

// heading is a line that begins with one to six "#".
type heading struct {
	text  string // without the marks
	level int
	start int // offset of its line
}

// headingsOf finds the headings of a Markdown text. What stands in a fenced block of code is none.
func headingsOf(text string) []heading {
	var headings []heading
	fence := ""
	for start := 0; start < len(text); {
		line, _, _ := strings.Cut(text[start:], "\n")
		if mark := fenceOf(line); mark != "" && fence == "" {
			fence = mark
		} else if mark != "" && strings.HasPrefix(mark, fence) && strings.Trim(line, " \t\r"+mark[:1]) == "" {
			fence = ""
		} else if h, ok := headingIn(line); ok && fence == "" {
			h.start = start
			headings = append(headings, h)
		}
		start += len(line) + 1
	}
	return headings
}

// fenceOf returns the marks with which a line begins or ends a block of code; empty: it does neither.
func fenceOf(line string) string {
	line = trimIndent(line)
	for _, mark := range [...]string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, mark)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// trimIndent takes up to three blanks away: four make a line code.
func trimIndent(line string) string {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > 3 {
		return line
	}
	return trimmed
}

func headingIn(line string) (heading, bool) {
	line = strings.TrimRight(trimIndent(line), " \t\r")
	text := strings.TrimLeft(line, "#")
	level := len(line) - len(text)
	if level == 0 || level > 6 || text == "" || text[0] != ' ' && text[0] != '\t' {
		return heading{}, false
	}
	return heading{text: strings.TrimSpace(strings.TrimRight(text, "#")), level: level}, true
}

// headingOf finds the heading that names a task: best as "Task 5" at its beginning, then anywhere, then by the bare id.
func headingOf(headings []heading, id string) (int, bool) {
	for _, names := range [...]func(text, id string) bool{beginsWithTask, mentionsTask, beginsWithID} {
		for i, h := range headings {
			if names(h.text, id) {
				return i, true
			}
		}
	}
	return 0, false
}

func beginsWithTask(text, id string) bool {
	rest, ok := afterTask(unmark(text))
	return ok && namesID(rest, id)
}

func mentionsTask(text, id string) bool {
	for i := range text {
		before, _ := utf8.DecodeLastRuneInString(text[:i])
		if i > 0 && isWord(before) {
			continue
		}
		if rest, ok := afterTask(text[i:]); ok && namesID(rest, id) {
			return true
		}
	}
	return false
}

func beginsWithID(text, id string) bool {
	text = unmark(text)
	return strings.HasPrefix(text, id) && endsID(text[len(id):], id)
}

// namesID reports whether text begins with an id, or with a list of ids that holds it ("3-5: Parser", "1, 2 and 4").
func namesID(text, id string) bool {
	if strings.HasPrefix(text, id) && endsID(text[len(id):], id) {
		return true
	}
	for _, end := range [...]string{": ", " - ", " – ", " — ", ". ", " ("} {
		text, _, _ = strings.Cut(text, end)
	}
	return len(text) <= longestList && listsID(strings.TrimRight(text, ":."), id)
}

// afterTask returns what follows the word "task" or "tasks" at the beginning of text.
func afterTask(text string) (string, bool) {
	const word = "task"
	if len(text) < len(word) || !strings.EqualFold(text[:len(word)], word) {
		return "", false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(text[len(word):], "s"), "S")
	after := strings.TrimLeft(rest, " \t#*_`")
	return after, after != rest
}

// unmark takes marks and signs from the beginning of a heading.
func unmark(text string) string {
	return strings.TrimLeftFunc(text, func(r rune) bool { return !isWord(r) })
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' }

// endsID reports whether an id ends where rest begins. After a number a dot, a dash or a colon may stand directly before a
// word: "5.Title"; after any id they are its end only if nothing more of an id follows.
func endsID(rest, id string) bool {
	first, size := utf8.DecodeRuneInString(rest)
	if size == 0 || !isWord(first) && !strings.ContainsRune(".-:", first) {
		return true
	}
	if isWord(first) {
		return false
	}
	next, size := utf8.DecodeRuneInString(rest[size:])
	if size == 0 || !isWord(next) {
		return true
	}
	return unicode.IsLetter(next) && strings.Trim(id, "0123456789.") == ""
}
