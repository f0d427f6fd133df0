package testcount

import (
	"slices"
	"strings"
)

// cargo reads cargo test: every test binary has a line of its own with the numbers, and they add up.
type cargo struct {
	tally
	first int // index of the first failure of this test binary
}

func (c *cargo) line(line string) {
	if rest, ok := strings.CutPrefix(line, "test result: "); ok {
		c.result(rest)
	} else if name, ok := between(line, "test ", " ... FAILED"); ok {
		c.failure(strings.TrimSuffix(name, " - should panic"), 0)
		c.close()
	} else if name, ok := between(line, "---- ", " stdout ----"); ok {
		c.detail(name)
	} else if line == "failures:" || strings.HasPrefix(line, "stack backtrace:") || strings.HasPrefix(line, "note: run with") {
		c.close()
	} else {
		c.note(line)
	}
}

// result takes "FAILED. 41 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.07s".
func (c *cargo) result(rest string) {
	c.close()
	_, list, _ := strings.Cut(rest, ". ")
	list, _, _ = strings.Cut(list, "; finished in ")
	n, ok := amounts(list, "; ", "passed", "failed", "ignored", "measured", "filtered out")
	if _, all := n["failed"]; !ok || !all {
		return
	}
	c.count(n["passed"], n["failed"], n["ignored"])
	c.first = len(c.report.Failures)
}

// detail opens the failure that is described next. Quiet runs have not named it before.
func (c *cargo) detail(name string) {
	failures := c.report.Failures
	i := slices.IndexFunc(failures[c.first:], func(f Failure) bool { return f.Name == name })
	if i < 0 {
		c.failure(name, 0)
		return
	}
	// The order in which failures are described is another one than that in which they were named: the one that is
	// described moves to the end, where notes go to.
	failure := failures[c.first+i]
	c.report.Failures = append(slices.Delete(failures, c.first+i, c.first+i+1), failure)
	c.open = true
}

func (c *cargo) end() (Report, bool) { return c.tally.end("cargo test") }
