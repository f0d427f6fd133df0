package testcount

import "strings"

// node reads the report that node --test prints for people: lines such as "ℹ pass 41", and the list of failing tests
// below. Cancelled tests count as failed, tests to do as skipped.
type node struct {
	tally
	numbers  map[string]int // so far
	failures bool           // in the list of failing tests
}

func (n *node) line(line string) {
	if rest, ok := strings.CutPrefix(line, "ℹ "); ok {
		n.number(rest)
		return
	}
	switch {
	case line == "✖ failing tests:":
		n.failures = true
	case n.failures && strings.HasPrefix(line, "test at "):
		n.close()
	case n.failures && strings.HasPrefix(line, "✖ "):
		name, took, _ := cutLast(strings.TrimPrefix(line, "✖ "), " (")
		n.close()
		if took, ended := strings.CutSuffix(took, ")"); ended { // else it is one to do
			n.failure(name, duration(took))
		}
	case line != "" && indent(line) == 0: // what is printed about a failure is indented
		n.failures = false
		n.close()
	case strings.HasPrefix(strings.TrimSpace(line), "at "):
		n.close()
	default:
		n.note(line)
	}
}

// number takes one line of the numbers. The first is that of tests, the last the time.
func (n *node) number(text string) {
	word, digits, _ := strings.Cut(text, " ")
	amount, ok := number(digits)
	switch {
	case word == "tests" && ok:
		n.close()
		n.numbers, n.failures = map[string]int{}, false
	case n.numbers == nil:
	case word == "duration_ms":
		got := n.numbers
		n.count(got["pass"], got["fail"]+got["cancelled"], got["skipped"]+got["todo"])
		n.numbers = nil
	case ok && len(n.numbers) < 10:
		n.numbers[word] = amount
	}
}

func (n *node) end() (Report, bool) { return n.tally.end("node") }
