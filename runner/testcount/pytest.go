package testcount

import "strings"

// pytest reads pytest's last line, in its frame of "=" or bare as with -q, and the short summary before it. Errors (a
// broken fixture, a file that cannot be imported) count as failed, expected failures as skipped, unexpected passes as
// passed.
type pytest struct {
	tally
	summary bool // in the short summary
}

func (p *pytest) line(line string) {
	text := strings.TrimRight(line, " ")
	framed := strings.HasPrefix(text, "==") && strings.HasSuffix(text, "==")
	if framed {
		text = strings.Trim(text, "= ")
		p.summary = text == "short test summary info"
	}
	list, took, ok := cutLast(text, " in ")
	if ok && isPytestTime(took) && p.numbers(list) {
		p.summary = false
		return
	}
	if p.summary {
		p.named(text)
	}
}

// isPytestTime reports whether text is a duration as pytest writes it, such as "0.12s" or "61.20s (0:01:01)".
func isPytestTime(text string) bool {
	text, clock, long := strings.Cut(text, " (")
	plain, ok := strings.CutSuffix(text, "s")
	return ok && plain != "" && strings.Trim(plain, "0123456789.") == "" &&
		(!long || strings.HasSuffix(clock, ")") && strings.Trim(clock, "0123456789:)days, ") == "")
}

// numbers takes "1 failed, 41 passed, 2 skipped".
func (p *pytest) numbers(list string) bool {
	if list == "no tests ran" {
		p.count(0, 0, 0)
		return true
	}
	n, ok := amounts(list, ", ", "passed", "failed", "skipped", "deselected", "xfailed", "xpassed", "error", "errors",
		"warning", "warnings", "rerun", "reruns", "subtests passed", "subtests failed", "subtests skipped")
	if ok {
		p.count(n["passed"]+n["xpassed"], n["failed"]+n["error"]+n["errors"], n["skipped"]+n["xfailed"])
	}
	return ok
}

// named takes a line of the short summary, such as "FAILED test_a.py::test_b - assert 1 == 2".
func (p *pytest) named(line string) {
	for _, status := range []string{"FAILED ", "ERROR "} {
		if rest, ok := strings.CutPrefix(line, status); ok {
			name, why, _ := strings.Cut(rest, " - ")
			p.failure(name, 0)
			p.note(why)
			p.close()
		}
	}
}

func (p *pytest) end() (Report, bool) { return p.tally.end("pytest") }
