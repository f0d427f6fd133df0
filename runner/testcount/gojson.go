package testcount

import (
	"encoding/json"
	"strings"
	"time"
)

// goJSON reads go test -json. Leaves count, as in [goTest], and a package that failed without a failed test.
type goJSON struct {
	tally
	tests  map[goTestID]*goResult // running
	failed map[string]int         // failed tests by package that has not ended
	builds map[string]string      // what the compiler printed, by build
	output map[string]string      // what a package printed outside of tests
}

type goTestID struct{ pkg, test string }

// goEvent is one line of go test -json.
type goEvent struct {
	Action, Package, ImportPath, Test, Output, FailedBuild string
	Elapsed                                                float64
}

func newGoJSON() *goJSON {
	return &goJSON{
		tests: map[goTestID]*goResult{}, failed: map[string]int{},
		builds: map[string]string{}, output: map[string]string{},
	}
}

func (g *goJSON) line(line string) {
	if !strings.HasPrefix(line, "{") || !strings.Contains(line, `"Action":"`) {
		return
	}
	var e goEvent
	if json.Unmarshal([]byte(line), &e) != nil || e.Package == "" && e.ImportPath == "" {
		return
	}
	e.Package, e.Test, e.ImportPath, e.FailedBuild = short(e.Package), short(e.Test), short(e.ImportPath), short(e.FailedBuild)
	switch e.Action {
	case "run":
		g.run(e)
	case "output":
		g.print(e)
	case "build-output":
		keep(g.builds, e.ImportPath, e.Output)
	case "pass", "fail", "skip":
		if e.Test != "" {
			g.result(e)
		} else {
			g.endPackage(e)
		}
	}
}

// run remembers a test, and its parents as such.
func (g *goJSON) run(e goEvent) {
	for _, parent := range g.parents(e) {
		parent.parent = true
	}
	if len(g.tests) < maxOpen {
		g.tests[goTestID{e.Package, e.Test}] = &goResult{}
	}
}

// parents returns the tests that e's is a subtest of.
func (g *goJSON) parents(e goEvent) (parents []*goResult) {
	for i, c := range []byte(e.Test) {
		if c != '/' {
			continue
		}
		if parent := g.tests[goTestID{e.Package, e.Test[:i]}]; parent != nil {
			parents = append(parents, parent)
		}
	}
	return parents
}

// print keeps what a test or a package prints.
func (g *goJSON) print(e goEvent) {
	text := strings.TrimSpace(e.Output)
	if strings.HasPrefix(text, "=== ") || strings.HasPrefix(text, "--- ") {
		return
	}
	if test := g.tests[goTestID{e.Package, e.Test}]; test != nil {
		test.text = addLine(test.text, text)
	} else if e.Test == "" && text != "FAIL" && text != "PASS" {
		keep(g.output, e.Package, text)
	}
}

// result counts a test that ended.
func (g *goJSON) result(e goEvent) {
	id := goTestID{e.Package, e.Test}
	test := g.tests[id]
	if test == nil {
		test = &goResult{}
	}
	delete(g.tests, id)
	switch {
	case e.Action == "fail" && !test.explains:
		g.count(0, 1, 0)
		if len(g.failed) < maxOpen {
			g.failed[e.Package]++
		}
		g.failure(e.Test, seconds(e.Elapsed))
		for text := range strings.Lines(test.text) {
			g.note(text)
		}
		for _, parent := range g.parents(e) {
			parent.explains = true
		}
	case test.parent || e.Action == "fail":
	case e.Action == "pass":
		g.count(1, 0, 0)
	default:
		g.count(0, 0, 1)
	}
}

// endPackage counts a package that failed without a failed test.
func (g *goJSON) endPackage(e goEvent) {
	g.count(0, 0, 0)
	if e.Package != "" && e.Action == "fail" && g.failed[e.Package] == 0 {
		g.count(0, 1, 0)
		g.failure(e.Package, seconds(e.Elapsed))
		for text := range strings.Lines(g.builds[e.FailedBuild] + "\n" + g.output[e.Package]) {
			g.note(text)
		}
	}
	delete(g.failed, e.Package)
	delete(g.output, e.Package)
	delete(g.builds, e.FailedBuild)
}

func seconds(n float64) time.Duration {
	if !(n > 0 && n < 1e9) {
		return 0
	}
	return time.Duration(n * float64(time.Second))
}

func (g *goJSON) end() (Report, bool) { return g.tally.end("go test") }
