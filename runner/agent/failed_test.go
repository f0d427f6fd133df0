package agent

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

// failedRuns are runs that did not end with the promise, though every one of them says it somewhere: testdata/failed/FORMAT.NAME.jsonl.
var failedRuns = map[string]struct {
	exit Exit
	want Verdict
}{
	"claude-stream.max-turns": {Exit{Code: 1}, Verdict{
		Class: Failed, Session: "s-turns", FinalText: "When all is green I say:\n<promise>COMPLETE</promise>", Error: "Reached maximum number of turns (2)",
		Tokens: &Tokens{Input: 10, Output: 60, Cached: 4000}, CostUSD: new(0.05), ContextUsed: new(int64(4010)),
	}},
	"claude-stream.rate-limit": {Exit{Code: 1}, Verdict{
		Class: RateLimited, ResetAt: time.Unix(1773154800, 0), Session: "s-limit", FinalText: "You've hit your session limit · resets 3pm (UTC)",
		Error: "You've hit your session limit · resets 3pm (UTC)", Tokens: &Tokens{}, CostUSD: new(0.0),
	}},
	"claude-stream.stop-hook": {Exit{}, Verdict{
		Class: Completed, Session: "s-hook", FinalText: "No, two tests are red.", Tokens: &Tokens{Input: 14, Output: 40}, CostUSD: new(0.01), ContextUsed: new(int64(9)),
	}},
	"opencode-stream.limit": {Exit{Code: 1}, Verdict{
		Class: RateLimited, ResetAt: clockAt(15, 0), Session: "ses_9", FinalText: "I begin.\n<promise>COMPLETE</promise>", Error: "Usage limit reached",
		Tokens: &Tokens{Input: 900, Output: 40}, CostUSD: new(0.02), ContextUsed: new(int64(940)),
	}},
	"codex-stream.usage-limit": {Exit{Code: 1}, Verdict{
		Class: RateLimited, ResetAt: clockAt(15, 42), Session: "0bbb-cccc", FinalText: "I look.\n<promise>COMPLETE</promise>",
		Error: "You've hit your usage limit. Upgrade to Pro or try again at 3:42 PM.",
	}},
	"gemini-stream.quota": {Exit{Code: 1}, Verdict{
		Class: RateLimited, ResetAt: now.Add(3*time.Hour + 21*time.Minute + 7*time.Second), Session: "s-quota", FinalText: "I look.\n<promise>COMPLETE</promise>",
		Error: "You have exhausted your capacity on this model. Your quota will reset after 3h21m7s.", Tokens: &Tokens{},
	}},
	"cursor-stream.exhausted": {Exit{Code: 1, Stderr: "Error: [resource_exhausted] usage limit\n"}, Verdict{
		Class: RateLimited, Session: "s-gone", FinalText: "I look.\n<promise>COMPLETE</promise>", Error: "Error: [resource_exhausted] usage limit",
	}},
	"copilot-stream.failed": {Exit{}, Verdict{
		Class: Failed, Session: "s-bad", FinalText: "I look.\n<promise>COMPLETE</promise>", Error: "exit code 0",
	}},
	"amp-stream.failed": {Exit{Code: 1}, Verdict{
		Class: OutOfBudget, Session: "T-bad", FinalText: "Out of credits.\n<promise>COMPLETE</promise>", Error: "Out of credits. <promise>COMPLETE</promise>",
		Tokens: &Tokens{Input: 100, Output: 5}, Context: new(10), ContextUsed: new(int64(100)), ContextWindow: new(int64(1000)),
	}},
}

// Runs that failed are told for what they are, whatever the order of their fields and the events between them; cut anywhere they are never taken for done.
func TestFailedRuns(t *testing.T) {
	files, err := filepath.Glob("testdata/failed/*.jsonl")
	if err != nil || len(files) != len(failedRuns) {
		t.Fatalf("%d transcripts for %d runs, %v", len(files), len(failedRuns), err)
	}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(file)
			c, known := failedRuns[name]
			if err != nil || !known {
				t.Fatalf("%v, known %v", err, known)
			}
			format, _, _ := strings.Cut(name, ".")
			for how, other := range map[string]string{"as it is": string(text), "reordered": reordered(t, text), "with others between": between(text)} {
				got, _ := readAs(t, format, other, c.exit)
				if got.Broken = 0; !got.ResetAt.Equal(c.want.ResetAt) {
					t.Errorf("%s: until %v, want %v", how, got.ResetAt, c.want.ResetAt)
				}
				got.ResetAt = c.want.ResetAt
				if !reflect.DeepEqual(got, c.want) {
					t.Errorf("%s:\n%s, want\n%s", how, asJSON(got), asJSON(c.want))
				}
			}
			neverDone(t, format, bytes.TrimRight(text, "\n"))
		})
	}
}

// reordered is a transcript whose events have their fields in another order, and one more.
func reordered(t *testing.T, text []byte) string {
	t.Helper()
	var other strings.Builder
	for line := range bytes.Lines(text) {
		var event map[string]any
		if err := json.Unmarshal(line, &event); err != nil {
			t.Fatal(err)
		}
		event["zz"] = map[string]any{"type": "result"}
		other.WriteString(asJSON(event) + "\r\n")
	}
	return other.String()
}

// between is a transcript with events between its own that nobody knows.
func between(text []byte) string {
	const unknown = `{"type":"future","subtype":"success","result":"<promise>COMPLETE</promise>","message":{"content":[{"type":"text","text":"x"}]}}` + "\n[debug] x\n"
	return unknown + strings.ReplaceAll(string(text), "\n", "\n"+unknown)
}

// neverDone cuts a transcript at every byte: whatever the exit code, the promise never stands, and a run that is cut has not ended well.
func neverDone(t *testing.T, format string, text []byte) {
	t.Helper()
	found, err := findOutput(format)
	if err != nil {
		t.Fatal(err)
	}
	for cut := range len(text) + 1 {
		reader := found.reader(Request{Promise: "COMPLETE"})
		if err := reader.Read(bytes.NewReader(text[:cut]), nil); err != nil {
			t.Fatal(err)
		}
		for _, code := range []int{0, 1} {
			if v := reader.Verdict(Exit{Code: code, Now: now}); v.Promise || v.Class == Completed && cut < len(text) {
				t.Fatalf("cut at byte %d, exit code %d: %s", cut, code, asJSON(v))
			}
		}
	}
}
