package testcount

import (
	"strings"
	"time"
)

// jest reads jest's "Tests:" line and the blocks that begin with "●". A file that could not be run counts as one that
// failed. Tests to do count as skipped.
type jest struct {
	tally
	file   string                   // the failed file whose blocks come
	seen   map[string]bool          // blocks of this run: with many files jest prints them again at the end
	broken int                      // files of this run that could not be run
	took   map[string]time.Duration // by title, from --verbose
	first  int                      // index of the first failure of this run
}

func (j *jest) line(line string) {
	status := strings.TrimPrefix(line, " ") // with colours FAIL and PASS have a margin
	switch {
	case strings.HasPrefix(status, "FAIL "):
		j.close()
		j.file, _, _ = strings.Cut(strings.TrimSpace(status[len("FAIL "):]), " (")
	case strings.HasPrefix(status, "PASS "), strings.HasPrefix(line, "Test Suites:"):
		j.close()
		j.file = ""
	case strings.HasPrefix(line, "Tests:"):
		j.numbers(strings.TrimSpace(line[len("Tests:"):]))
	case j.file != "" && strings.HasPrefix(line, "  ● "):
		j.block(strings.TrimSpace(line[len("  ● "):]))
	case j.file != "" && strings.HasPrefix(strings.TrimSpace(line), "✕ "):
		j.time(strings.TrimSpace(line))
	case strings.HasPrefix(line, "    at ") || strings.HasPrefix(strings.TrimSpace(line), "at "):
	default:
		j.note(line)
	}
}

// numbers takes "1 failed, 2 skipped, 41 passed, 44 total" and ends the run.
func (j *jest) numbers(list string) {
	n, ok := amounts(list, ", ", "failed", "skipped", "pending", "todo", "passed", "total")
	if _, all := n["total"]; !ok || !all {
		return
	}
	j.close()
	failed := n["failed"] + j.broken
	j.count(n["passed"], failed, n["skipped"]+n["pending"]+n["todo"])
	if named := len(j.report.Failures) - j.first; named > failed { // a block that is about something else
		j.report.Failures = j.report.Failures[:j.first+failed]
	}
	j.file, j.seen, j.broken, j.took, j.first = "", nil, 0, nil, len(j.report.Failures)
}

// block opens the failure of that title.
func (j *jest) block(title string) {
	j.close()
	key := short(j.file + "\x00" + title)
	if title == "Console" || j.seen[key] || len(j.seen) >= maxOpen {
		return
	}
	if j.seen == nil {
		j.seen = map[string]bool{}
	}
	j.seen[key] = true
	if title == "Test suite failed to run" {
		j.broken++
		j.failure(j.file, 0)
		return
	}
	_, last, ok := cutLast(title, " › ")
	if !ok {
		last = title
	}
	j.failure(title, j.took[short(last)])
}

// time remembers the duration in "✕ adds (3 ms)".
func (j *jest) time(line string) {
	title, took, ok := cutLast(strings.TrimPrefix(line, "✕ "), " (")
	if !ok || len(j.took) >= maxOpen {
		return
	}
	if j.took == nil {
		j.took = map[string]time.Duration{}
	}
	j.took[short(title)] = duration(strings.TrimSuffix(took, ")"))
}

func (j *jest) end() (Report, bool) { return j.tally.end("jest") }
