package testcount

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"
)

// The samples in testdata are what the programs printed, merged from both of their streams.
func TestReadSamples(t *testing.T) {
	for sample, want := range map[string]Report{
		"gotest.txt": {Format: "go test", Passed: 1, Failed: 8, Failures: []Failure{
			{"TestSub/bad_one", 0, "a_test.go:5: got 1\nwant 2"}, {"TestParentOnly", 0, "a_test.go:6: parent itself"},
			{"TestPar/y", 0, "a_test.go:7: in y\na_test.go:7: y fails"}, {"Example", 0, "got:\n1\nwant:\n2"}, {"TestC", 0, "panic: …"},
			{"ex/d", 0, "build failed\nd/d_test.go:2:15: undefined: testing\nd/d_test.go:2:27: undefined: undefined"},
			{"FuzzF/seed#0", 0, "f_test.go:4: seed fails"}, {"ex/g", 0, "0.001s\nexit status 3"},
		}},
		"gotest-v.txt": {Format: "go test", Passed: 6, Failed: 8, Skipped: 1, Failures: []Failure{
			{"TestSub/bad_one", 0, "printed\na_test.go:5: got 1\nwant 2"}, {"TestParentOnly", 0, "a_test.go:6: parent itself"},
			{"TestPar/y", 0, "a_test.go:7: in y\na_test.go:7: y fails"}, {"Example", 0, "got:\n1\nwant:\n2"}, {"TestC", 0, "panic: …"},
			{"ex/d", 0, "build failed\nd/d_test.go:2:15: undefined: testing\nd/d_test.go:2:27: undefined: undefined"},
			{"FuzzF/seed#0", 0, "f_test.go:4: seed fails"}, {"ex/g", 0, "0.002s\nexit status 3"},
		}},
		"gotest-json.txt": {Format: "go test", Passed: 6, Failed: 8, Skipped: 1, Failures: []Failure{
			{"TestSub/bad_one", 0, "printed\na_test.go:5: got 1\nwant 2"}, {"TestParentOnly", 0, "a_test.go:6: parent itself"},
			{"TestPar/y", 0, "a_test.go:7: in y\na_test.go:7: y fails"}, {"Example", 0, "got:\n1\nwant:\n2"}, {"TestC", 0, "panic: …"},
			{"ex/d", 0, "# ex/d [ex/d.test]\nd/d_test.go:2:15: undefined: testing\nd/d_test.go:2:27: undefined: undefined\nFAIL\tex/d [build failed]"},
			{"ex/g", 2 * time.Millisecond, "exit status 3\nFAIL\tex/g\t0.002s"}, {"FuzzF/seed#0", 0, "f_test.go:4: seed fails"},
		}},
		"cargo.txt": {Format: "cargo test", Passed: 3, Failed: 3, Skipped: 1, Failures: []Failure{
			{"tests::bad_result", 0, `Error: "no"`},
			{"tests::bad", 0, "printed\nthread 'tests::bad' (…"},
			{"tests::sp", 0, "note: test did not panic as expected at src/lib.rs:9:29"},
		}},
		"cargo-q.txt": {Format: "cargo test", Passed: 3, Failed: 3, Skipped: 1, Failures: []Failure{
			{"tests::bad_result", 0, `Error: "no"`},
			{"tests::bad", 0, "printed\nthread 'tests::bad' (…"},
			{"tests::sp", 0, "note: test did not panic as expected at src/lib.rs:9:29"},
		}},
		"pytest.txt": {Format: "pytest", Passed: 3, Failed: 3, Skipped: 2, Failures: []Failure{
			{"test_x.py::test_bad", 0, "AssertionError: numbers differ"}, {"test_x.py::test_p[2]", 0, "assert 2 == 1"},
			{"test_x.py::test_err", 0, "RuntimeError: no db"},
		}},
		"jest.txt": {Format: "jest", Passed: 2, Failed: 3, Skipped: 2, Failures: []Failure{
			{"sum › adds", 0, "expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: 2\n…"},
			{"top level", 0, "boom\nsecond\n…"}, {"./b.test.js", 0, "Cannot find module './nothing' from 'b.test.js'\n…"},
		}},
		"jest-verbose.txt": {Format: "jest", Passed: 2, Failed: 3, Skipped: 2, Failures: []Failure{
			{"sum › adds", 3 * time.Millisecond, "expect(received).toBe(expected) // Object.is equality\nExpected: 3\nReceived: 2\n…"},
			{"top level", 0, "boom\nsecond\n…"}, {"./b.test.js", 0, "Cannot find module './nothing' from 'b.test.js'\n…"},
		}},
		"vitest.txt": {Format: "vitest", Passed: 1, Failed: 3, Skipped: 2, Failures: []Failure{
			{"b.test.js", 0, "Error: Cannot find module './nothing' imported from /home/ann/vt/b.test.js"},
			{"a.test.js > sum > adds", 6 * time.Millisecond, "AssertionError: expected 2 to be 3 // Object.is equality\n- Expected\n+ Received\n- 3\n+ 2"},
			{"a.test.js > top level", time.Millisecond, "Error: boom\nsecond"},
		}},
		"mocha.txt": {Format: "mocha", Passed: 1, Failed: 4, Skipped: 1, Failures: []Failure{
			{"top", 0, "Error: boom"}, {"sum adds", 0, "AssertionError [ERR_ASSERTION]: 2 == 3\n+ expected - actual\n-2\n+3"},
			{"sum deep x", 0, "Error: late\nmore"}, {`hooks "before all" hook for "never"`, 0, "Error: in hook"},
		}},
		"rspec.txt": {Format: "rspec", Passed: 1, Failed: 3, Skipped: 1, Failures: []Failure{
			{"Calculator adds", 0, "Failure/Error: expect(1 + 1).to eq 3\nexpected: 3\ngot: 2\n(compared using ==)"},
			{"Calculator when empty raises", 0, "Failure/Error: raise \"boom\"\nRuntimeError:\nboom"},
		}},
		"maven.txt": {Format: "maven", Passed: 3, Failed: 2, Skipped: 1, Failures: []Failure{
			{"ex.AppTest.bad", 3 * time.Millisecond, "java.lang.AssertionError: numbers expected:<1> but was:<2>"},
			{"ex.AppTest.err", 1002 * time.Millisecond, "java.lang.IllegalStateException: boom"},
		}},
		"maven-old.txt": {Format: "maven", Passed: 3, Failed: 1, Skipped: 1, Failures: []Failure{
			{"bad(ex.AppTest)", 4 * time.Millisecond, "java.lang.AssertionError: numbers expected:<1> but was:<2>"},
		}},
		"junit4.txt": {Format: "junit", Passed: 2, Failed: 1, Failures: []Failure{
			{"bad(ex.AppTest)", 0, "java.lang.AssertionError: numbers expected:<1> but was:<2>"},
		}},
		"junit5.txt": {Format: "junit", Passed: 3, Failed: 1, Skipped: 2},
		"tap-node.txt": {Format: "tap", Passed: 3, Failed: 2, Skipped: 2, Failures: []Failure{
			{"top bad", 0, "1 == 2"}, {"kid bad", 0, "boom"},
		}},
		"tap-perl.txt": {Format: "tap", Passed: 2, Failed: 2, Skipped: 2, Failures: []Failure{{"second", 0, ""}, {"b", 0, ""}}},
		"node.txt": {Format: "node", Passed: 3, Failed: 3, Skipped: 2, Failures: []Failure{
			{"top bad", 0, "AssertionError [ERR_ASSERTION]: 1 == 2"}, {"kid bad", 0, "Error: boom"},
		}},
	} {
		t.Run(sample, func(t *testing.T) {
			output, err := os.ReadFile(filepath.Join("testdata", sample))
			if err != nil {
				t.Fatal(err)
			}
			got, ok, err := Read(iotest.HalfReader(strings.NewReader(string(output))))
			if err != nil || !ok {
				t.Fatalf("found %v, error %v", ok, err)
			}
			compare(t, got, want)
		})
	}
}

// compare compares a report; an error that ends with "…" in want may go on, and a duration below a millisecond is zero.
func compare(t *testing.T, got, want Report) {
	t.Helper()
	if got.Format != want.Format || got.Passed != want.Passed || got.Failed != want.Failed || got.Skipped != want.Skipped {
		t.Errorf("%s: %d passed, %d failed, %d skipped; want %s: %d, %d, %d",
			got.Format, got.Passed, got.Failed, got.Skipped, want.Format, want.Passed, want.Failed, want.Skipped)
	}
	if len(got.Failures) != len(want.Failures) {
		t.Fatalf("failures %q, want %q", got.Failures, want.Failures)
	}
	for i, w := range want.Failures {
		g := got.Failures[i]
		g.Duration = g.Duration.Truncate(time.Millisecond)
		if start, open := strings.CutSuffix(w.Error, "…"); open && strings.HasPrefix(g.Error, start) {
			g.Error = w.Error
		}
		if g != w {
			t.Errorf("failure %d is %q, want %q", i, g, w)
		}
	}
}

func TestReadLines(t *testing.T) {
	for _, c := range []struct {
		output  string
		want    string // format: passed/failed/skipped; empty: nothing is found
		because string
	}{
		{"ok  \tex/a\t0.01s\nok  \tex/b\t(cached)\tcoverage: 10.0% of statements\nok  \tex/c\t0.000s [no tests to run]\n?   \tex/d\t[no test files]\n", "go test: 2/0/0", "packages"},
		{"=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\n", "go test: 1/0/0", "a test binary of its own"},
		{"--- FAIL: TestA (0.00s)\n    a_test.go:1: x\n--- FAIL: TestB (0.00s)\n", "go test: 0/2/0", "cut short"},
		{"ok  \tex/a\t0.01s\n--- FAIL: TestA (0.00s)\nFAIL\nFAIL\tex/b\t0.01s\nFAIL\n", "go test: 1/1/0", "packages and a failed test"},
		{"test result: ok. 0 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.00s\n", "cargo test: 0/0/0", "no tests"},
		{"test result: ok. 2 passed; 0 failed; 1 ignored; 0 measured; 3 filtered out\n", "cargo test: 2/0/1", "an older cargo"},
		{"3 passed in 0.12s\n", "pytest: 3/0/0", "pytest -q"},
		{"1 failed, 2 passed, 1 warning in 1.00s\n", "pytest: 2/1/0", "pytest -q"},
		{"\x1b[32m\x1b[1m==== \x1b[32m\x1b[1m44 passed\x1b[0m, \x1b[33m1 skipped\x1b[0m\x1b[32m in 0.50s\x1b[0m\x1b[32m =====\x1b[0m\n", "pytest: 44/0/1", "colours"},
		{"=== no tests ran in 0.01s ===\n", "pytest: 0/0/0", "no tests"},
		{"Tests:       41 passed, 41 total\r\n", "jest: 41/0/0", "windows"},
		{"      Tests  44 passed (44)\n", "vitest: 44/0/0", "one state"},
		{"\n  3 passing (1m)\n\n", "mocha: 3/0/0", "minutes"},
		{"\n  0 passing (3ms)\n  2 failing\n", "mocha: 0/2/0", "no list"},
		{"1 example, 0 failures\n", "rspec: 1/0/0", "one example"},
		{"44 examples, 1 failure, 2 pending\n", "rspec: 41/1/2", "plural"},
		{"[ERROR] Tests run: 4, Failures: 1, Errors: 1, Skipped: 1, Time elapsed: 0.1 s <<< FAILURE! -- in a.B\n", "maven: 1/2/1", "cut short"},
		{"[WARNING] Tests run: 4, Failures: 0, Errors: 0, Skipped: 1, Flakes: 1\n", "maven: 3/0/1", "flakes"},
		{"OK (44 tests)\n", "junit: 44/0/0", "JUnit 4"},
		{"ok 1 - a\nnot ok 2 - b\nok 3 # SKIP c\n1..3\n", "tap: 1/1/1", "plan at the end"},
		{"TAP version 14\nok - a\nok\nnot ok 3 b # TODO c\n", "tap: 2/0/1", "no numbers"},
		{"1..3\nok 1\nBail out! no database\n", "tap: 1/1/0", "given up"},
		{"1..2\nok 1 - uses ok # and more\nok 2 - b\n", "tap: 2/0/0", "no directive"},
		{"1..1\n    ok 1 - kid\nnot ok 1 - parent\n", "tap: 1/1/0", "a parent that failed by itself"},
		{"ℹ tests 3\nℹ pass 1\nℹ fail 1\nℹ cancelled 1\nℹ skipped 0\nℹ todo 0\nℹ duration_ms 9.5\n", "node: 1/2/0", "cancelled"},
		{"ok  \tex/a\t0.01s\n\nTests:       1 failed, 4 passed, 5 total\nTests:       2 passed, 2 total\n", "go test, jest: 7/1/0", "several runs"},

		{"", "", "nothing"},
		{"All good: 3 passed, 1 failed.\n3 passed\n41 tests passed\n", "", "prose"},
		{"The tests ran: 3 passed in 0.12s\n- 3 passed in 0.12s\n3 passed in total\n", "", "prose about pytest"},
		{"Tests: 3 passed\nTests: all 44 total\nTests pass (44)\nTests  44 passed (44)\n", "", "prose about jest and vitest"},
		{"ok 1 - a\nnot ok 2 - b\n", "", "TAP without a plan"},
		{"1..3\nok, all is fine\nok then\nokay\nnot okay\n", "", "words after a plan"},
		{"41 passing\n  41 passing\n  41 passing tests (all)\n 41 passing (2ms)\n", "", "prose about mocha"},
		{"44 examples\nI wrote 44 examples, 1 failure\n44 examples, no failures\n", "", "prose about RSpec"},
		{"Tests run: 44\nTests run: 44, Failures: none\n", "", "prose about Maven"},
		{"ok  \tthat is it\nFAIL\nPASS\nFAIL\tsomething\n--- FAIL: it all (0.00s)\n--- DONE: x (0.00s)\n", "", "no results of go test"},
		{"test result: fine. 3 passed\n", "", "prose about cargo"},
		{"{\"Action\":\"pass\"}\n{\"Action\":\"pass\",\"Package\":\n", "", "JSON of another kind"},
		{"ℹ pass 41\nℹ duration_ms 1\n", "", "part of node's report"},
		{"9999999999 passed in 1.00s\n-1 passed in 1.00s\n1 passed, 1 passed in 1.00s\n", "", "impossible numbers"},
	} {
		report, ok, err := Read(strings.NewReader(c.output))
		got := ""
		if ok {
			got = fmt.Sprintf("%s: %d/%d/%d", report.Format, report.Passed, report.Failed, report.Skipped)
		}
		if err != nil || got != c.want {
			t.Errorf("%s: %q gives %q, %v; want %q", c.because, c.output, got, err, c.want)
		}
	}
}

func TestReadIsBounded(t *testing.T) {
	var output strings.Builder
	for i := range 3 * MaxFailures {
		fmt.Fprintf(&output, "--- FAIL: Test%d%s (0.00s)\n    %s\n", i, strings.Repeat("x", 2*MaxError), strings.Repeat("é", 2*MaxError))
	}
	output.WriteString("FAIL\tex\t0.1s\n" + strings.Repeat("x", 1<<20) + "\nTests:       1 failed, 1 total\n")
	report, ok, err := Read(strings.NewReader(output.String()))
	if err != nil || !ok || report.Failed != 3*MaxFailures+1 || len(report.Failures) != MaxFailures {
		t.Fatalf("found %v, error %v, %d failed, %d named", ok, err, report.Failed, len(report.Failures))
	}
	for _, f := range report.Failures {
		if len(f.Name) > MaxError || len(f.Error) > MaxError || !utf8.ValidString(f.Error) || f.Error == "" {
			t.Fatalf("a failure has %d bytes of name and %d of error", len(f.Name), len(f.Error))
		}
	}
}

func TestReadGivesTheErrorAndTheReport(t *testing.T) {
	broken := errors.New("broken")
	report, ok, err := Read(io.MultiReader(strings.NewReader("3 passed in 0.12s\n"), iotest.ErrReader(broken)))
	if !errors.Is(err, broken) || !ok || report.Passed != 3 {
		t.Errorf("report %+v, found %v, error %v", report, ok, err)
	}
}

// Several runs in one output add up, whatever they are: no format takes another's lines for its own.
func TestRunsAddUp(t *testing.T) {
	texts, reports := samples(t), map[string]Report{}
	for sample, text := range texts {
		reports[sample], _, _ = Read(strings.NewReader(text))
	}
	for first, a := range reports {
		for second, b := range reports {
			got, _, err := Read(strings.NewReader(texts[first] + texts[second]))
			if err != nil || got.Passed != a.Passed+b.Passed || got.Failed != a.Failed+b.Failed || got.Skipped != a.Skipped+b.Skipped {
				t.Errorf("%s and %s: %d passed, %d failed, %d skipped, error %v; alone %d, %d, %d and %d, %d, %d", first, second,
					got.Passed, got.Failed, got.Skipped, err, a.Passed, a.Failed, a.Skipped, b.Passed, b.Failed, b.Skipped)
			}
			if one, both := sorted(a, b), sorted(got); !slices.Equal(one, both) {
				t.Errorf("%s and %s: failed %q; alone %q", first, second, only(both, one), only(one, both))
			}
		}
	}
}

// samples returns the texts in testdata by name.
func samples(t testing.TB) map[string]string {
	t.Helper()
	names, err := filepath.Glob("testdata/*.txt")
	if err != nil || len(names) == 0 {
		t.Fatalf("no samples: %v", err)
	}
	texts := map[string]string{}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.Base(name)] = string(text)
	}
	return texts
}

// sorted returns the failures of several reports as text, sorted.
func sorted(reports ...Report) []string {
	var failures []string
	for _, r := range reports {
		for _, f := range r.Failures {
			failures = append(failures, fmt.Sprintf("%+v", f))
		}
	}
	slices.Sort(failures)
	return failures
}

// only returns what stands in a and not in b.
func only(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

func FuzzRead(f *testing.F) {
	for _, output := range samples(f) {
		f.Add(output)
	}
	f.Fuzz(func(t *testing.T, output string) {
		report, ok, err := Read(strings.NewReader(output))
		if err != nil {
			t.Fatal(err)
		}
		if !ok && (report.Total() != 0 || len(report.Failures) != 0) {
			t.Errorf("nothing is found, but %+v", report)
		}
		if min(report.Passed, report.Failed, report.Skipped) < 0 || len(report.Failures) > MaxFailures {
			t.Errorf("impossible: %+v", report)
		}
		for _, f := range report.Failures {
			if len(f.Name) > MaxError || len(f.Error) > MaxError || f.Duration < 0 || !utf8.ValidString(f.Name+f.Error) {
				t.Errorf("impossible: %q", f)
			}
		}
	})
}
