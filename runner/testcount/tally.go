package testcount

import (
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// tally collects what one format finds. The zero value is empty.
type tally struct {
	report Report
	found  bool
	open   bool // the last failure takes what is printed next
}

// count adds to the numbers: a report was found.
func (t *tally) count(passed, failed, skipped int) {
	t.found = true
	t.report.Passed += passed
	t.report.Failed += failed
	t.report.Skipped += skipped
}

// failure adds a failed test to the list (not to the numbers) and opens it for [tally.note]. A full list takes no more.
func (t *tally) failure(name string, duration time.Duration) {
	t.open = len(t.report.Failures) < MaxFailures
	if t.open {
		t.report.Failures = append(t.report.Failures, Failure{Name: short(name), Duration: duration})
	}
}

// note adds a line to the error of the failure that is open.
func (t *tally) note(line string) {
	if t.open {
		last := &t.report.Failures[len(t.report.Failures)-1]
		last.Error = addLine(last.Error, line)
	}
}

// close ends the open failure.
func (t *tally) close() { t.open = false }

// end returns the report under that name.
func (t *tally) end(name string) (Report, bool) {
	t.report.Format = name
	return t.report, t.found
}

// addLine adds a line to an error, trimmed and as far as there is room. Blank lines are left out.
func addLine(text, line string) string {
	line = strings.TrimSpace(line)
	if line == "" || len(text) >= MaxError {
		return text
	}
	if text != "" {
		text += "\n"
	}
	return text + strings.Clone(lines.Head(line, MaxError-len(text)))
}

// short returns a name cut to what is kept of it. It does not hold on to the line that the name was found in.
func short(name string) string { return strings.Clone(lines.Head(name, MaxError)) }

// keep adds a line to what is kept under that key, as far as there is room.
func keep(texts map[string]string, key, line string) {
	if old, known := texts[key]; known || len(texts) < maxOpen {
		texts[key] = addLine(old, line)
	}
}
