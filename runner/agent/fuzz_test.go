package agent

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode/utf8"
)

// fuzzReader fuzzes the reader of one format with the transcripts of all.
func fuzzReader(f *testing.F, format string) {
	for _, text := range transcripts(f) {
		f.Add(text, 0, "")
		f.Add(text[:len(text)-20], 1, "Error: 429 Too Many Requests, try again at 3pm (Europe/Paris)")
	}
	f.Add([]byte(`{"response":"<promise>COMPLETE</promise>","stats":{"models":{"m":{"tokens":{"prompt":1e300}}}}}`), 0, "")
	f.Add([]byte(`[{"type":"result","subtype":"success","usage":{"input_tokens":-1},"permission_denials":[{}]}]`), 173, "x\n")
	f.Add([]byte("Tokens: 12k sent, 1.1k received. Cost: $0.05 message, $0.12 session.\n"), 0, "")
	found, err := findOutput(format)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text []byte, code int, stderr string) {
		exit := Exit{Code: code, Stderr: stderr, Now: now}
		request := Request{Promise: "COMPLETE", Prompt: "x"}
		reader := found.reader(request)
		err := reader.Read(bytes.NewReader(text), func(a Activity) {
			spoken := slices.Contains([]string{ActivityText, ActivityTool, ActivityNotice}, a.Kind)
			if strings.Contains(a.Text, "\n") || len(a.Text) > maxActivity || (a.Text != "") != spoken {
				t.Errorf("activity %+v", a)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		v := reader.Verdict(exit)
		checkSane(t, v, exit)
		if v.Promise && !bytes.Contains(text, []byte("COMPLETE")) && !bytes.Contains(text, []byte(`\u`)) {
			t.Error("a promise out of nothing")
		}
		if again := reader.Verdict(exit); !reflect.DeepEqual(again, v) {
			t.Errorf("a second verdict %s, the first %s", asJSON(again), asJSON(v))
		}
		exit.Ours = true
		checkSane(t, reader.Verdict(exit), exit)
		slow := found.reader(request)
		exit.Ours = false
		if err := slow.Read(iotest.HalfReader(bytes.NewReader(text)), nil); err != nil || !reflect.DeepEqual(slow.Verdict(exit), v) {
			t.Errorf("read in other pieces %s, %v", asJSON(slow.Verdict(exit)), err)
		}
	})
}

// checkSane checks what holds for every verdict.
func checkSane(t *testing.T, v Verdict, exit Exit) {
	t.Helper()
	if (v.Promise || v.Class == Completed) && (exit.Code != 0 || exit.Ours) || v.Promise && v.Class != Completed {
		t.Errorf("exit %+v is %s", exit, asJSON(v))
	}
	if v.Class == "" || (v.Class == Completed) != (v.Error == "") || !v.ResetAt.IsZero() && (v.Class != RateLimited || v.ResetAt.Before(exit.Now)) {
		t.Errorf("class %q, error %q, reset %s", v.Class, v.Error, v.ResetAt)
	}
	for _, line := range []string{v.Error, v.Denied, v.Session, v.Blocked} {
		if strings.Contains(line, "\n") || !utf8.ValidString(line) || len(line) > 1000 {
			t.Errorf("a line %q", line)
		}
	}
	if len(v.FinalText) > finalText {
		t.Errorf("final text of %d bytes", len(v.FinalText))
	}
	if v.CostUSD != nil && *v.CostUSD < 0 || v.Context != nil && *v.Context < 0 || v.ContextUsed != nil && *v.ContextUsed < 0 {
		t.Errorf("less than nothing: %s", asJSON(v))
	}
	if c := v.Tokens; c != nil && (c.Output < c.Reasoning || c.Input < c.Written || c.Cached < 0 || c.Written < 0 || c.Reasoning < 0) {
		t.Errorf("tokens %+v", *c)
	}
}

func FuzzText(f *testing.F)           { fuzzReader(f, "text") }
func FuzzClaudeStream(f *testing.F)   { fuzzReader(f, "claude-stream") }
func FuzzClaudeJSON(f *testing.F)     { fuzzReader(f, "claude-json") }
func FuzzAmpStream(f *testing.F)      { fuzzReader(f, "amp-stream") }
func FuzzOpencodeStream(f *testing.F) { fuzzReader(f, "opencode-stream") }
func FuzzCodexStream(f *testing.F)    { fuzzReader(f, "codex-stream") }
func FuzzGeminiStream(f *testing.F)   { fuzzReader(f, "gemini-stream") }
func FuzzGeminiJSON(f *testing.F)     { fuzzReader(f, "gemini-json") }
func FuzzCursorStream(f *testing.F)   { fuzzReader(f, "cursor-stream") }
func FuzzCopilotStream(f *testing.F)  { fuzzReader(f, "copilot-stream") }
func FuzzAiderText(f *testing.F)      { fuzzReader(f, "aider-text") }

func FuzzCodexRecord(f *testing.F) {
	f.Add(rolloutText)
	f.Fuzz(func(t *testing.T, text string) {
		v := codex{}.Amend(Verdict{Class: RateLimited}, strings.NewReader(text), now)
		if v.Context != nil && *v.Context < 0 || !v.ResetAt.IsZero() && v.ResetAt.Before(now) {
			t.Errorf("verdict %s", asJSON(v))
		}
	})
}

func FuzzComplaint(f *testing.F) {
	for _, text := range []string{
		"You've hit your limit · resets Oct 12, 8am (Europe/Paris)", "limit reached|1773150000", "quota will reset after 3h21m7s",
		"try again in 2 days, and 3 hours", "try again at Nov 23rd, 2026 9:05 AM.", "resets at 2026-03-10T15:00:00Z", "HTTP 503",
	} {
		f.Add(text, int64(1773144000))
	}
	f.Fuzz(func(t *testing.T, text string, unix int64) {
		at := time.Unix(unix%(1<<33), 0).UTC()
		class, reset, line := complaintIn(text, stderrLines, at)
		if strings.Contains(line, "\n") || (class == "") != (line == "") {
			t.Errorf("complaintIn(%q) = %q, %s, %q", text, class, reset, line)
		}
		if !reset.IsZero() && (class != RateLimited || reset.Before(at) || reset.Sub(at) > longestReset) {
			t.Errorf("complaintIn(%q) at %s: %s, reset %s", text, at, class, reset)
		}
		complaint(text, at)
	})
}
