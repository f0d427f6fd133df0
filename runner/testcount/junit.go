package testcount

import "strings"

// junit reads what JUnit's own console runners print: JUnit 4's "OK (44 tests)" and "Tests run: 44,  Failures: 1", and
// the numbers in brackets of JUnit 5.
type junit struct {
	tally
	failures bool // in JUnit 4's list of failures
}

func (j *junit) line(line string) {
	if tests, ok := between(line, "OK (", ")"); ok {
		if n, ok := amounts(tests, ", ", "test", "tests"); ok {
			j.count(n["test"]+n["tests"], 0, 0)
		}
		return
	}
	if rest, ok := strings.CutPrefix(line, "Tests run: "); ok {
		j.close()
		j.failures = false
		run, failures, _ := strings.Cut(rest, ",  Failures: ")
		total, isNumber := number(run)
		if failed, ok := number(failures); ok && isNumber {
			j.count(max(0, total-failed), failed, 0)
		}
		return
	}
	if text, ok := between(line, "[", "]"); ok && strings.HasPrefix(text, " ") {
		j.bracket(strings.TrimSpace(text))
		return
	}
	j.failureLine(line)
}

// bracket takes a line such as "[        41 tests successful      ]".
func (j *junit) bracket(text string) {
	n, ok := amounts(text, ", ", "tests successful", "tests failed", "tests aborted", "tests skipped")
	if ok {
		j.count(n["tests successful"], n["tests failed"], n["tests aborted"]+n["tests skipped"])
	}
}

// failureLine takes a line of JUnit 4's list of failures: "1) adds(com.example.SumTest)", and what is printed about it.
func (j *junit) failureLine(line string) {
	if count, ok := between(line, "There were ", " failures:"); line == "There was 1 failure:" || ok && count != "" {
		j.failures = true
		return
	}
	digits, name, ok := strings.Cut(line, ") ")
	if _, isNumber := number(digits); j.failures && ok && isNumber && strings.HasSuffix(name, ")") {
		j.failure(name, 0)
	} else if line == "FAILURES!!!" {
		j.close()
	} else if !strings.HasPrefix(line, "\tat ") {
		j.note(line)
	}
}

func (j *junit) end() (Report, bool) { return j.tally.end("junit") }
