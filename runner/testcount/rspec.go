package testcount

import (
	"strconv"
	"strings"
)

// rspec reads RSpec's "44 examples, 1 failure, 2 pending" and the list below "Failures:". Errors outside of examples
// count as failed.
type rspec struct {
	tally
	failures bool // in the list of failures
	named    int
}

func (r *rspec) line(line string) {
	switch {
	case line == "Failures:":
		r.failures, r.named = true, 0
	case strings.HasPrefix(line, "Finished in "), line == "Failed examples:", line == "Pending:":
		r.failures = false
		r.close()
	case r.failures:
		r.failureLine(line)
	case strings.Contains(line, " example"):
		r.numbers(line)
	}
}

// numbers takes the line with the numbers.
func (r *rspec) numbers(line string) {
	n, ok := amounts(line, ", ", "example", "examples", "failure", "failures", "pending",
		"error occurred outside of examples", "errors occurred outside of examples")
	_, one := n["failure"]
	_, many := n["failures"]
	if !ok || !one && !many {
		return
	}
	failed, pending := n["failure"]+n["failures"], n["pending"]
	total := n["example"] + n["examples"]
	errors := n["error occurred outside of examples"] + n["errors occurred outside of examples"]
	r.count(max(0, total-failed-pending), failed+errors, pending)
}

// failureLine takes a line of the list of failures: "  1) Calculator adds", and what is printed about it.
func (r *rspec) failureLine(line string) {
	if name, ok := strings.CutPrefix(line, "  "+strconv.Itoa(r.named+1)+") "); ok {
		r.named++
		r.failure(name, 0)
		return
	}
	if !strings.HasPrefix(strings.TrimSpace(line), "# ") { // where it happened
		r.note(line)
	}
}

func (r *rspec) end() (Report, bool) { return r.tally.end("rspec") }
