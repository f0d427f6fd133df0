// Package testcount reads test results out of what test programs print.
//
// It knows go test (plain, -v and -json), cargo test, pytest, jest, vitest, mocha, RSpec, JUnit as Maven and its own
// runners print it, TAP, and node's own runner. Each format has a file of its own. What counts is the shape that the
// program prints, on a line of its own: a sentence that says "3 passed" counts nothing. The package only reads text: it
// runs nothing and opens nothing.
package testcount

import (
	"fmt"
	"io"
	"time"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// Report is what a run of tests said of itself.
type Report struct {
	Format   string    // the test program: "go test", "cargo test", "pytest", "jest", "vitest", "mocha", "rspec", "maven", "junit", "tap", "node"; several are joined by ", "
	Passed   int       // those that succeeded; also those that were to fail and did not
	Failed   int       // those that failed, could not be set up or could not be built
	Skipped  int       // those that did not run, and those that failed as expected
	Failures []Failure // the failed tests that were named, in order, at most [MaxFailures]
}

// Total is the number of tests that the report speaks of.
func (r Report) Total() int { return r.Passed + r.Failed + r.Skipped }

// Failure is one failed test.
type Failure struct {
	Name     string        // as printed, at most [MaxError] bytes
	Duration time.Duration // zero: not printed
	Error    string        // first lines of what was printed about it, without indentation, at most [MaxError] bytes
}

// MaxFailures and MaxError bound what a [Report] keeps.
const (
	MaxFailures = 50
	MaxError    = 500
)

// maxLine is how many bytes of a line are looked at.
const maxLine = 64 << 10

// format reads one program's output out of everything that was printed.
type format interface {
	// line takes one plain line without its end.
	line(string)
	// end returns what was found, and whether there was anything of this format. It is called once, last.
	end() (Report, bool)
}

// Read reads output to its end and returns the sum of the reports in it; ok is false when there is none. Colours are
// ignored. Lines may have any length; memory stays bounded. Several runs in one output (go test ./... && npm test) add
// up. With an error comes the report of what was read before it.
func Read(output io.Reader) (report Report, ok bool, err error) {
	formats := []format{
		newGoTest(), newGoJSON(), &cargo{}, &pytest{}, &jest{}, &vitest{}, &mocha{}, &rspec{}, &maven{}, &junit{}, &tap{}, &node{},
	}
	scanner := lines.NewScanner(output, maxLine)
	for scanner.Scan() {
		text := scanner.Text()
		for _, f := range formats {
			f.line(text)
		}
	}
	for _, f := range formats {
		part, found := f.end()
		if !found {
			continue
		}
		if ok {
			part.Format = report.Format + ", " + part.Format
		}
		report.Format, ok = part.Format, true
		report.Passed += part.Passed
		report.Failed += part.Failed
		report.Skipped += part.Skipped
		room := MaxFailures - len(report.Failures)
		report.Failures = append(report.Failures, part.Failures[:min(room, len(part.Failures))]...)
	}
	if err := scanner.Err(); err != nil {
		return report, ok, fmt.Errorf("read test output: %w", err)
	}
	return report, ok, nil
}
