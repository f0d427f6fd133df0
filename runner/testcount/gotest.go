package testcount

import (
	"strings"
	"time"
)

// maxOpen bounds how many tests whose end was not printed yet are remembered. Beyond it their output is.
const maxOpen = 10000

// goTest reads go test and go test -v, package by package.
//
// When results of single tests are printed (-v), leaves count: a test with subtests is none, unless it failed and none
// of them did. Without -v go test prints no test that passed: then a package that passed counts as one test, in a
// package that failed the failed tests count, and a package without a failed test (it could not be built, it died)
// counts as one that failed.
type goTest struct {
	tally
	results []*goResult       // the results that enclose the last one, outermost first
	texts   map[string]string // what running tests printed, with -v
	running string            // the test that prints
	printed string            // what a package without a failed test printed
	builds  map[string]string // what the compiler printed, by package
	build   string            // the package that it prints about

	passed, failed, skipped int // of the package
}

// goResult is one "--- FAIL" line, or one of its kind.
type goResult struct {
	name     string
	status   string // PASS, FAIL, SKIP
	indent   int
	duration time.Duration
	text     string
	parent   bool // has subtests
	explains bool // a failed subtest of it counts already
}

func newGoTest() *goTest {
	return &goTest{texts: map[string]string{}, builds: map[string]string{}}
}

func (g *goTest) line(line string) {
	if name, ok := goRunning(line); ok {
		g.running = name
		return
	}
	if r := goResultOf(line); r != nil {
		g.result(r)
		return
	}
	if name, ok := strings.CutPrefix(line, "# "); ok && len(g.results) == 0 && g.running == "" {
		name, _, _ = strings.Cut(name, " ")
		g.build = short(name)
		return
	}
	switch status, rest := goPackage(line); status {
	case "ok", "FAIL", "?":
		g.endPackage(status, rest)
	default:
		g.print(line)
	}
}

// goRunning returns the test that prints from here on.
func goRunning(line string) (string, bool) {
	rest, ok := strings.CutPrefix(line, "=== ")
	if !ok {
		return "", false
	}
	kind, name, _ := strings.Cut(rest, " ")
	switch kind {
	case "RUN", "CONT", "NAME":
		return short(strings.TrimSpace(name)), true
	case "PAUSE":
		return "", true
	}
	return "", false
}

// goResultOf returns the result in a line such as "    --- PASS: TestA/x (0.00s)", nil when there is none.
func goResultOf(line string) *goResult {
	text := strings.TrimLeft(line, " ")
	rest, ok := strings.CutPrefix(text, "--- ")
	if !ok {
		return nil
	}
	status, rest, _ := strings.Cut(rest, ": ")
	name, seconds, ok := strings.Cut(rest, " (")
	seconds, closed := strings.CutSuffix(seconds, "s)")
	if !ok || !closed || name == "" || strings.Contains(name, " ") || strings.Trim(seconds, "0123456789.") != "" {
		return nil
	}
	if status != "PASS" && status != "FAIL" && status != "SKIP" {
		return nil
	}
	return &goResult{name: short(name), status: status, indent: len(line) - len(text), duration: duration(seconds + "s")}
}

// result takes a result: it ends those that do not enclose it.
func (g *goTest) result(r *goResult) {
	for len(g.results) > 0 && !g.results[len(g.results)-1].encloses(r) {
		g.settle()
	}
	if n := len(g.results); n > 0 {
		g.results[n-1].parent = true
	}
	r.text = g.texts[r.name]
	delete(g.texts, r.name)
	g.results, g.running = append(g.results, r), ""
}

// encloses reports whether other is a subtest of r. The name may be the same: so it is for a seed of a fuzz test.
func (r *goResult) encloses(other *goResult) bool {
	return other.indent > r.indent && (other.name == r.name || strings.HasPrefix(other.name, r.name+"/"))
}

// settle counts the innermost result, which has no more subtests to come.
func (g *goTest) settle() {
	last := len(g.results) - 1
	r := g.results[last]
	g.results = g.results[:last]
	switch {
	case r.status == "FAIL" && !r.explains:
		g.failed++
		g.failure(r.name, r.duration)
		for text := range strings.Lines(r.text) {
			g.note(text)
		}
		g.close()
		r.explains = true
	case r.parent || r.status == "FAIL":
	case r.status == "PASS":
		g.passed++
	default:
		g.skipped++
	}
	if last > 0 && r.explains {
		g.results[last-1].explains = true
	}
}

// goPackage returns status and rest of a package's line, such as "ok  \tpkg\t0.01s" or "FAIL\tpkg [build failed]".
func goPackage(line string) (status, rest string) {
	status, rest, _ = strings.Cut(line, "\t")
	name, result, _ := strings.Cut(rest, "\t")
	result, _, _ = strings.Cut(result, "\t")
	known := false
	switch status {
	case "?   ":
		known = result == "[no test files]"
	case "ok  ":
		known = result == "(cached)" || isGoTime(result)
	case "FAIL":
		known = isGoTime(result) || strings.HasSuffix(rest, " failed]")
	}
	if !known || name == "" {
		return "", ""
	}
	return strings.TrimSpace(status), rest
}

func isGoTime(text string) bool {
	_, err := time.ParseDuration(text)
	return err == nil
}

// endPackage counts a package at its line.
func (g *goTest) endPackage(status, rest string) {
	for len(g.results) > 0 {
		g.settle()
	}
	name, why, _ := strings.Cut(strings.ReplaceAll(rest, "\t", " "), " ")
	switch {
	case status == "ok" && g.passed+g.failed+g.skipped == 0 && !strings.HasSuffix(rest, "[no tests to run]"):
		g.passed++
	case status == "FAIL" && g.failed == 0:
		g.failed++
		g.failure(name, 0)
		g.note(strings.Trim(why, "[]"))
		for text := range strings.Lines(g.builds[name] + "\n" + g.printed) {
			g.note(text)
		}
		g.close()
	}
	g.count(g.passed, g.failed, g.skipped)
	g.passed, g.failed, g.skipped = 0, 0, 0
	delete(g.builds, name)
	clear(g.texts)
	g.running, g.printed, g.build = "", "", ""
}

// print takes a line of output that is no result.
func (g *goTest) print(line string) {
	switch n := len(g.results); {
	case line == "FAIL" || line == "PASS":
	case g.running != "":
		keep(g.texts, g.running, line)
	case n > 0:
		g.results[n-1].text = addLine(g.results[n-1].text, line)
	case g.printed != "" || strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "exit status "):
		g.printed = addLine(g.printed, line)
	case g.build != "":
		keep(g.builds, g.build, line)
	}
}

// end counts a package whose line is missing: a test binary of its own prints none.
func (g *goTest) end() (Report, bool) {
	for len(g.results) > 0 {
		g.settle()
	}
	if g.passed+g.failed+g.skipped > 0 {
		g.count(g.passed, g.failed, g.skipped)
	}
	return g.tally.end("go test")
}
