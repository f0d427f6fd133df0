package testcount

import "strings"

// mocha reads mocha's "41 passing (20ms)", the lines for pending and failing tests that follow it, and the list below.
type mocha struct {
	tally
	state mochaState
	named int    // failures of this run that were named
	of    int    // failures of this run
	title string // the name so far: it may have several lines
}

type mochaState int

const (
	mochaOutside mochaState = iota
	mochaNumbers            // behind the passing tests
	mochaTitle              // in a failure's name
	mochaError              // behind a failure's name
)

func (m *mocha) line(line string) {
	if n, ok := mochaAmount(line, "passing"); ok {
		m.close()
		m.count(n, 0, 0)
		m.state, m.named, m.of = mochaNumbers, 0, 0
		return
	}
	if m.state == mochaNumbers {
		if n, ok := mochaAmount(line, "pending"); ok {
			m.count(0, 0, n)
		} else if n, ok := mochaAmount(line, "failing"); ok {
			m.count(0, n, 0)
			m.of, m.state = n, mochaError
		} else if strings.TrimSpace(line) != "" {
			m.state = mochaOutside
		}
		return
	}
	m.failureLine(line)
}

// mochaAmount reads "  41 passing (20ms)": two spaces, a number and the word. Only passing tests have a time.
func mochaAmount(line, word string) (int, bool) {
	text, ok := strings.CutPrefix(line, "  ")
	digits, rest, _ := strings.Cut(text, " ")
	n, isNumber := number(digits)
	took, timed := between(rest, word+" (", ")")
	if word == "passing" {
		return n, ok && isNumber && timed && took != "" && strings.Contains("0123456789", took[:1])
	}
	return n, ok && isNumber && rest == word
}

// failureLine takes a line of the list of failures: "  1) Array", more lines of the name up to one with a colon at its
// end, and the error.
func (m *mocha) failureLine(line string) {
	digits, title, ok := strings.Cut(strings.TrimPrefix(line, "  "), ") ")
	if n, isNumber := number(digits); m.state != mochaOutside && ok && isNumber && n == m.named+1 && n <= m.of && indent(line) == 2 {
		m.close()
		m.named, m.title, m.state = n, "", mochaTitle
		line = title
	}
	switch m.state {
	case mochaTitle:
		m.title = addLine(m.title, line)
		if name, last := strings.CutSuffix(m.title, ":"); last {
			m.failure(strings.ReplaceAll(name, "\n", " "), 0)
			m.state = mochaError
		}
	case mochaError:
		if strings.HasPrefix(strings.TrimSpace(line), "at ") { // the stack: the last thing that is printed about it
			m.close()
		}
		m.note(line)
	}
}

func (m *mocha) end() (Report, bool) { return m.tally.end("mocha") }
