package agent

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
)

// now is when the runs of these tests end.
var now = time.Date(2026, time.March, 10, 12, 0, 0, 0, time.UTC)

// transcripts are runs that end with the promise COMPLETE, by format. Everything that must not count as the promise
// says it, too, and before the end.
func transcripts(t testing.TB) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/*-stream.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatal("no transcripts", err)
	}
	texts := map[string][]byte{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[strings.TrimSuffix(filepath.Base(file), ".jsonl")] = text
	}
	return texts
}

// readAs reads text in a format, and returns the verdict and what was told live: "kind text", usage aside.
func readAs(t testing.TB, format, text string, exit Exit) (Verdict, []string) {
	t.Helper()
	found, err := findOutput(format)
	if err != nil {
		t.Fatal(err)
	}
	if exit.Now.IsZero() {
		exit.Now = now
	}
	reader := found.reader(Request{Promise: "COMPLETE"})
	var seen []string
	err = reader.Read(strings.NewReader(text), func(a Activity) {
		if a.Kind != ActivityUsage {
			seen = append(seen, a.Kind+" "+a.Text)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	return reader.Verdict(exit), seen
}

func TestReaders(t *testing.T) {
	for format, c := range map[string]struct {
		want Verdict
		seen []string
	}{
		"claude-stream": {Verdict{
			Session: "s-claude", FinalText: "All is done.\n\n<promise>COMPLETE</promise>", CostUSD: new(0.25),
			Tokens:  &Tokens{Input: 4518, Output: 321, Cached: 44797, Written: 4500},
			Context: new(4), ContextUsed: new(int64(41000)), ContextWindow: new(int64(1_000_000)),
			Usage: map[string]Tokens{
				"claude-sonnet-9[1m]": {Input: 4518, Output: 321, Cached: 44797, Written: 4500}, "claude-mini-2": {Input: 90000, Output: 70},
			},
		}, []string{
			"text First I look.", "text <promise>COMPLETE</promise>", "tool Bash: cat plan.md make", "tool Task: test it",
			"notice overloaded: trying again (1 of 10)", "text All is done.", "text <promise>COMPLETE</promise>", "end ",
		}},
		"amp-stream": {Verdict{
			Session: "T-amp", FinalText: "Done.\n<promise>COMPLETE</promise>", Tokens: &Tokens{Input: 450, Output: 50, Cached: 1800, Written: 100},
			Context: new(13), ContextUsed: new(int64(1250)), ContextWindow: new(int64(10000)),
		}, []string{"tool Bash: go test", "text Done.", "text <promise>COMPLETE</promise>", "end "}},
		"opencode-stream": {Verdict{
			Session: "ses_1", FinalText: "Done.\n<promise>COMPLETE</promise>", CostUSD: new(0.03),
			Tokens: &Tokens{Input: 1150, Output: 60, Cached: 1100, Written: 100, Reasoning: 10}, ContextUsed: new(int64(1180)),
		}, []string{
			"more ", "text I begin.", "text <promise>COMPLETE</promise>", "tool bash: make", "more ", "more ", "text Done.", "text <promise>COMPLETE</promise>", "end ",
		}},
		"codex-stream": {Verdict{
			Session: "0aaa-bbbb-cccc", FinalText: "Done.\n<promise>COMPLETE</promise>",
			Tokens: &Tokens{Input: 1000, Output: 300, Cached: 4000, Written: 100, Reasoning: 200},
		}, []string{
			"notice Reconnecting... 1/5 (stream disconnected before completion)", "text I look first.", "text <promise>COMPLETE</promise>",
			"tool command_execution: bash -lc 'make'", "tool docs.find: go", "tool file_change: a.go b.go", "text Done.", "text <promise>COMPLETE</promise>", "end ",
		}},
		"gemini-stream": {Verdict{
			Session: "s-gemini", FinalText: "Done.\n<promise>COMPLETE</promise>", Tokens: &Tokens{Input: 600, Output: 120, Cached: 400},
			Usage: map[string]Tokens{"gemini-9": {Input: 600, Output: 120, Cached: 400}},
		}, []string{
			"text I look.", "text <promise>COMPLETE</promise>", "tool read_file: /w/plan.md", "notice Loop detected", "text Done.", "text <promise>COMPLETE</promise>", "end ",
		}},
		"cursor-stream": {Verdict{
			Session: "s-cursor", FinalText: "Done.\n<promise>COMPLETE</promise>", Tokens: &Tokens{Input: 150, Output: 20, Cached: 900, Written: 50},
		}, []string{"text I look.", "text <promise>COMPLETE</promise>", "tool shellToolCall: make", "text Done.", "text <promise>COMPLETE</promise>", "over "}},
		"copilot-stream": {Verdict{Session: "s-copilot", FinalText: "Done.\n<promise>COMPLETE</promise>"}, []string{
			"text I look.", "text <promise>COMPLETE</promise>", "tool bash: make", "text Done.", "text <promise>COMPLETE</promise>",
		}},
	} {
		t.Run(format, func(t *testing.T) {
			got, seen := readAs(t, format, string(transcripts(t)[format]), Exit{})
			c.want.Class, c.want.Promise = Completed, true
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("verdict\n%s, want\n%s", asJSON(got), asJSON(c.want))
			}
			if !slices.Equal(seen, c.seen) {
				t.Errorf("seen %q, want %q", seen, c.seen)
			}
		})
	}
}

func asJSON(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// A stream that is cut anywhere is never taken for one that ended well, and neither is a run that the exit code or we
// ended badly.
func TestReadersCut(t *testing.T) {
	for format, text := range transcripts(t) {
		text = bytes.TrimRight(text, "\n")
		found, err := findOutput(format)
		if err != nil {
			t.Fatal(err)
		}
		for cut := range len(text) {
			reader := found.reader(Request{Promise: "COMPLETE"})
			if err := reader.Read(bytes.NewReader(text[:cut]), nil); err != nil {
				t.Fatal(err)
			}
			for _, code := range []int{0, 1} {
				if v := reader.Verdict(Exit{Code: code, Now: now}); v.Promise || v.Class == Completed {
					t.Fatalf("%s cut at byte %d, exit code %d: %s", format, cut, code, asJSON(v))
				}
			}
		}
		for _, exit := range []Exit{{Code: 1}, {Ours: true}, {Code: 143, Ours: true}} {
			v, _ := readAs(t, format, string(text), exit)
			if v.Promise || v.Class != Failed {
				t.Errorf("%s, exit %+v: %s", format, exit, asJSON(v))
			}
		}
		if v, _ := readAs(t, format, "", Exit{}); v.Class != Truncated {
			t.Errorf("%s, no output and exit code 0: %s", format, v.Class)
		}
	}
}

// What is between the events, how the fields are ordered, and how the bytes arrive does not matter.
func TestReadersNoise(t *testing.T) {
	const noise = "\r\n[debug] x\n<promise>COMPLETE</promise>\nnull\n[1]\n{\"type\":\n{\"type\":\"assist\xff" + `
{"type":"future","text":"<promise>COMPLETE</promise>","result":"<promise>COMPLETE</promise>","message":{"content":[{"type":"text","text":"x"}]},"part":{"text":"x"}}
{"type":"item.completed","item":{"id":"new","type":"future","text":"<promise>COMPLETE</promise>"}}
{"type":7,"session_id":[]}
`
	for format, text := range transcripts(t) {
		want, seen := readAs(t, format, string(text), Exit{})
		var noisy, reordered strings.Builder
		noisy.WriteString("\ufeff")
		for line := range bytes.Lines(text) {
			noisy.WriteString("\x1b]0;title\a" + strings.TrimSuffix(string(line), "\n") + "\r" + noise)
			var event map[string]any
			if err := json.Unmarshal(line, &event); err != nil {
				t.Fatal(err)
			}
			event["zz"] = map[string]any{"type": "result"}
			reordered.WriteString(asJSON(event) + "\r\n")
		}
		for kind, other := range map[string]string{"noise": noisy.String(), "reordered": reordered.String()} {
			got, seenNow := readAs(t, format, other, Exit{})
			if kind == "noise" && got.Broken != 2*bytes.Count(text, []byte("\n")) {
				t.Errorf("%s: %d lines are broken", format, got.Broken)
			}
			if got.Broken = 0; !reflect.DeepEqual(got, want) || !slices.Equal(seen, seenNow) {
				t.Errorf("%s, %s:\n%s, want\n%s\nseen %q", format, kind, asJSON(got), asJSON(want), seenNow)
			}
		}
		found, err := findOutput(format)
		if err != nil {
			t.Fatal(err)
		}
		reader := found.reader(Request{Promise: "COMPLETE"})
		if err := reader.Read(iotest.OneByteReader(bytes.NewReader(text)), nil); err != nil || !reflect.DeepEqual(reader.Verdict(Exit{Now: now}), want) {
			t.Errorf("%s, byte by byte and nobody to follow: %v", format, err)
		}
	}
}

func TestReadersGiveTheError(t *testing.T) {
	broken := errors.New("broken")
	for format, text := range transcripts(t) {
		found, err := findOutput(format)
		if err != nil {
			t.Fatal(err)
		}
		reader := found.reader(Request{Promise: "COMPLETE"})
		err = reader.Read(io.MultiReader(bytes.NewReader(text), iotest.ErrReader(broken)), nil)
		if !errors.Is(err, broken) || !reader.Verdict(Exit{}).Promise {
			t.Errorf("%s: error %v; want the reader's, and what came before it", format, err)
		}
	}
}

// A line that is longer than any buffer is read, one that is longer than the limit is lost alone, and memory is given
// back to what the final text needs.
func TestReadersLongLines(t *testing.T) {
	result := func(text string) string {
		return `{"type":"result","subtype":"success","is_error":false,"num_turns":1,"result":` + asJSON(text) + "}\n"
	}
	long := strings.Repeat("work ", maxEvent/5-1000)
	v, _ := readAs(t, "claude-stream", result(long+"\n<promise>COMPLETE</promise>"), Exit{})
	if !v.Promise || len(v.FinalText) > finalText {
		t.Errorf("promise %v behind a long line, final text of %d bytes", v.Promise, len(v.FinalText))
	}
	if v, _ := readAs(t, "claude-stream", result(long+"<promise>COMPLETE</promise>"), Exit{}); v.Promise {
		t.Error("the end of a long line is taken for a line of its own")
	}
	if v, _ := readAs(t, "claude-stream", result("no"+strings.Repeat(" ", finalText)+"<promise>COMPLETE</promise>"), Exit{}); v.Promise {
		t.Error("the end of a line with many blanks is taken for a line of its own")
	}
	var pieces strings.Builder
	for range 2000 {
		pieces.WriteString(`{"type":"message","role":"assistant","delta":true,"content":"` + strings.Repeat("x", 200) + `"}` + "\n")
	}
	v, _ = readAs(t, "gemini-stream", pieces.String()+`{"type":"message","role":"assistant","delta":true,"content":"\n<promise>COMPLETE</promise>"}`+
		"\n"+`{"type":"result","status":"success"}`+"\n", Exit{})
	if !v.Promise || len(v.FinalText) > finalText {
		t.Errorf("promise %v behind many pieces, final text of %d bytes", v.Promise, len(v.FinalText))
	}
	v, seen := readAs(t, "gemini-stream", pieces.String(), Exit{})
	if v.Class != Truncated || len(v.FinalText) > finalText || !strings.HasPrefix(v.FinalText, "…") || len(seen) != 1 || len(seen[0]) > maxActivity+5 {
		t.Errorf("one long line in pieces: class %s, %d bytes, seen %d lines", v.Class, len(v.FinalText), len(seen))
	}
}

func TestReadersHugeLine(t *testing.T) {
	if testing.Short() {
		t.Skip("reads a line of 5 MB")
	}
	reader := newStreamReader(Request{Promise: "COMPLETE"}, newClaudeStream)
	huge := io.MultiReader(
		strings.NewReader(`{"type":"user","tool_use_result":"`), io.LimitReader(endless('x'), maxEvent), strings.NewReader("\"}\n"),
		strings.NewReader(`{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}`),
	)
	if err := reader.Read(huge, nil); err != nil {
		t.Fatal(err)
	}
	if v := reader.Verdict(Exit{}); !v.Promise || v.Broken != 1 {
		t.Errorf("promise %v, %d lines broken", v.Promise, v.Broken)
	}
	runtime.GC()
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	if memory.HeapAlloc > 2*maxEvent {
		t.Errorf("%d bytes are held when the output is read", memory.HeapAlloc)
	}
	runtime.KeepAlive(reader)
}

// endless repeats one byte.
type endless byte

func (e endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(e)
	}
	return len(p), nil
}

func TestReadersUsage(t *testing.T) {
	for format, want := range map[string]string{
		"claude-stream":   "4010+1 4315+2 4518+3 4518+321 0.25",
		"opencode-stream": "1100+30 0.01 1150+60 0.03",
		"codex-stream":    "1000+300",
	} {
		found, err := findOutput(format)
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		err = found.reader(Request{}).Read(bytes.NewReader(transcripts(t)[format]), func(a Activity) {
			if a.Tokens != nil {
				told = append(told, fmt.Sprintf("%d+%d", a.Tokens.Input, a.Tokens.Output))
			}
			if a.CostUSD != nil {
				told = append(told, fmt.Sprint(*a.CostUSD))
			}
		})
		if got := strings.Join(told, " "); err != nil || got != want {
			t.Errorf("%s told %q, %v; want %q", format, got, err, want)
		}
	}
}
