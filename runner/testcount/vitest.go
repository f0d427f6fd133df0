package testcount

import (
	"strings"
	"time"
)

// vitest reads vitest's "Tests" line and the "FAIL" blocks before it. A file that could not be run counts as one that
// failed. Tests to do count as skipped.
type vitest struct {
	tally
	list   bool                     // below a heading such as "Failed Tests 2"
	broken int                      // files of this run that could not be run
	took   map[string]time.Duration // by title
}

func (v *vitest) line(line string) {
	text := strings.TrimSpace(line)
	switch {
	case strings.HasPrefix(text, "⎯"):
		v.close()
		v.heading(strings.Trim(text, "⎯ "))
	case v.list && strings.HasPrefix(line, " FAIL  "):
		name, _, _ := strings.Cut(strings.TrimSpace(text[len("FAIL"):]), " [ ")
		_, last, _ := cutLast(name, " > ")
		v.failure(name, v.took[short(last)])
	case strings.HasPrefix(text, "Tests  ") && line != text:
		v.numbers(strings.TrimSpace(text[len("Tests"):]))
	case strings.HasPrefix(text, "× "):
		v.time(text)
	case strings.HasPrefix(text, "❯"):
		v.close()
	default:
		v.note(line)
	}
}

// heading takes "Failed Suites 1" or "Failed Tests 2".
func (v *vitest) heading(title string) {
	if files, ok := strings.CutPrefix(title, "Failed Suites "); ok {
		v.broken, _ = number(files)
		v.list = true
	}
	v.list = v.list || strings.HasPrefix(title, "Failed Tests ")
}

// numbers takes "1 failed | 41 passed | 2 skipped (44)" and ends the run.
func (v *vitest) numbers(text string) {
	list, total, ok := cutLast(text, " (")
	total, closed := strings.CutSuffix(total, ")")
	n, listed := amounts(list, " | ", "failed", "passed", "skipped", "todo", "expected fail")
	_, isNumber := number(total)
	switch {
	case ok && closed && listed && isNumber:
		v.count(n["passed"]+n["expected fail"], n["failed"]+v.broken, n["skipped"]+n["todo"])
	case text == "no tests" && v.broken > 0:
		v.count(0, v.broken, 0)
	}
	v.list, v.broken, v.took = false, 0, nil
}

// time remembers the duration in "× adds 5ms".
func (v *vitest) time(text string) {
	title, took, ok := cutLast(strings.TrimPrefix(text, "× "), " ")
	if !ok || len(v.took) >= maxOpen {
		return
	}
	if v.took == nil {
		v.took = map[string]time.Duration{}
	}
	v.took[short(title)] = duration(took)
}

func (v *vitest) end() (Report, bool) { return v.tally.end("vitest") }
