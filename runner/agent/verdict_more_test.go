package agent

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestGeminiVerdicts(t *testing.T) {
	say := func(text string) string {
		return `{"type":"message","role":"assistant","delta":true,"content":` + asJSON(text) + "}\n"
	}
	const tool = `{"type":"tool_use","tool_name":"x","parameters":{}}` + "\n"
	const done = `{"type":"result","status":"success","stats":{}}` + "\n"
	failed := func(text string) string {
		return `{"type":"result","status":"error","error":{"type":"ApiError","message":` + asJSON(text) + "}}\n"
	}
	quota := "[API Error: You have exhausted your capacity on this model. Your quota will reset after 3h30m0s.]"
	trace := "Attempt 1 failed with status 429. Retrying with backoff... {\"status\":\"RESOURCE_EXHAUSTED\"}\n    at f (file:///x.js:503:24)\n  status: 429\n}\n"
	said := `Attempt 1 failed with status 429. Retrying with backoff... {"status":"RESOURCE_EXHAUSTED"}`
	checkVerdicts(t, "gemini-stream", map[string]verdictCase{
		"well":                  {say(tag) + done, Exit{}, Verdict{Class: Completed, Promise: true}},
		"text before a tool":    {say(tag) + tool + done, Exit{}, Verdict{Class: Completed}},
		"halves around a tool":  {say("<promise>COM") + tool + say("PLETE</promise>") + done, Exit{}, Verdict{Class: Completed}},
		"whole message":         {`{"type":"message","role":"assistant","content":"` + tag + `"}` + "\n" + done, Exit{}, Verdict{Class: Completed, Promise: true}},
		"success with an error": {say(tag) + `{"type":"result","status":"success","error":{"message":"x"}}`, Exit{}, Verdict{Class: Failed, Error: "x"}},
		"quota":                 {failed(quota), Exit{Code: 173}, Verdict{Class: RateLimited, ResetAt: clockAt(15, 30), Error: quota}},
		"status only":           {failed("x"), Exit{Code: 173}, Verdict{Class: RateLimited, Error: "x"}},
		"server":                {failed("x"), Exit{Code: 247}, Verdict{Class: Transient, Error: "x"}},
		"key":                   {failed("x"), Exit{Code: 145}, Verdict{Class: Refused, Error: "x"}},
		"bad request":           {failed("x"), Exit{Code: 144}, Verdict{Class: Failed, Error: "x"}},
		"untrusted folder":      {"", Exit{Code: 55, Stderr: "This folder is not trusted.\n"}, Verdict{Class: Refused, Error: "This folder is not trusted."}},
		"input":                 {"", Exit{Code: 42}, Verdict{Class: Refused, Error: "exit code 42"}},
		"sandbox":               {"", Exit{Code: 44}, Verdict{Class: Refused, Error: "exit code 44"}},
		"tool without its call": {say(tag) + `{"type":"tool_result","status":"success"}` + "\n" + done, Exit{}, Verdict{Class: Completed}},
		"settings":              {"", Exit{Code: 52}, Verdict{Class: Refused, Error: "exit code 52"}},
		"login, nothing said":   {"", Exit{Code: 41}, Verdict{Class: Refused, Error: "exit code 41"}},
		"turns":                 {say(tag), Exit{Code: 53, Stderr: "Reached max session turns\n"}, Verdict{Class: Failed, Error: "exit code 53: Reached max session turns"}},
		"killed":                {say(tag), Exit{Code: 137}, Verdict{Class: Truncated, Error: cutShort + "137"}},
		"retries, then killed":  {"", Exit{Code: 1, Stderr: trace}, Verdict{Class: RateLimited, Error: said}},
		"retries, ended by us":  {"", Exit{Ours: true, Stderr: trace}, Verdict{Class: Failed, Error: "ended by the loop: " + said}},
		"well, odd exit code":   {say(tag) + done, Exit{Code: 1, Stderr: trace + "boom\n"}, Verdict{Class: Failed, Error: "exit code 1: boom"}},
	})
	checkVerdicts(t, "gemini-json", map[string]verdictCase{
		"well":    {"Loaded.\n{\n  \"session_id\": \"s\",\n  \"response\": \"Done.\\n" + tag + "\"\n}\n", Exit{}, Verdict{Class: Completed, Promise: true}},
		"failed":  {`{"response":"` + tag + `","error":{"message":"x"}}`, Exit{}, Verdict{Class: Failed, Error: "x"}},
		"limit":   {"", Exit{Code: 173, Stderr: "{\n\"error\": {\n\"message\": \"Quota exceeded\",\n\"code\": 429\n}\n}\n"}, Verdict{Class: RateLimited, Error: `"message": "Quota exceeded",`}},
		"cut":     {`{"response":"` + tag + `"`, Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
		"nothing": {"", Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
	})
	v, _ := readAs(t, "gemini-json", `{"response":"x","stats":{"models":{"a":{"tokens":{"prompt":100,"candidates":5,"cached":40,"thoughts":7}},"b":{"tokens":{"prompt":1}}}}}`, Exit{})
	want := map[string]Tokens{"a": {Input: 60, Output: 12, Cached: 40, Reasoning: 7}, "b": {Input: 1}}
	if !reflect.DeepEqual(v.Usage, want) || *v.Tokens != (Tokens{Input: 61, Output: 12, Cached: 40, Reasoning: 7}) {
		t.Errorf("tokens %+v, usage %+v", v.Tokens, v.Usage)
	}
}

func TestClaudeDocument(t *testing.T) {
	events := strings.Split(strings.TrimSpace(string(transcripts(t)["claude-stream"])), "\n")
	want, _ := readAs(t, "claude-stream", strings.Join(events, "\n"), Exit{})
	if got, _ := readAs(t, "claude-json", "["+strings.Join(events, ",\n")+"]\n", Exit{}); !reflect.DeepEqual(got, want) {
		t.Errorf("a list of events:\n%s, want\n%s", asJSON(got), asJSON(want))
	}
	got, _ := readAs(t, "claude-json", "[debug]\n"+events[len(events)-1], Exit{})
	if !got.Promise || *got.Tokens != *want.Tokens || got.ContextUsed != nil {
		t.Errorf("the result alone: %s", asJSON(got))
	}
}

func TestCursorVerdicts(t *testing.T) {
	say := func(text, more string) string {
		return `{"type":"assistant","message":{"content":[{"type":"text","text":` + asJSON(text) + `}]}` + more + "}\n"
	}
	tool := `{"type":"tool_call","subtype":"started","tool_call":{"readToolCall":{"args":{"path":"a"}}}}` + "\n"
	done := func(text string) string {
		return `{"type":"result","subtype":"success","is_error":false,"result":` + asJSON(text) + "}\n"
	}
	checkVerdicts(t, "cursor-stream", map[string]verdictCase{
		"well":                   {say("I look.", `,"timestamp_ms":1,"model_call_id":"x"`) + tool + say(tag, "") + done("I look."+tag), Exit{}, Verdict{Class: Completed, Promise: true}},
		"text before a tool":     {say(tag, "") + tool + done(tag), Exit{}, Verdict{Class: Completed}},
		"last message lost":      {say("a\n"+tag, "") + `{"type":"assist` + "\n" + done("a\n"+tag+"No."), Exit{}, Verdict{Class: Completed}},
		"result alone":           {done("Done.\n" + tag), Exit{}, Verdict{Class: Completed, Promise: true}},
		"halves in two messages": {say("<promise>COM", "") + say("PLETE</promise>", "") + done("<promise>COMPLETE</promise>"), Exit{}, Verdict{Class: Completed}},
		"work after the result":  {say(tag, "") + done(tag) + tool, Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
		"error":                  {`{"type":"result","subtype":"error","is_error":true,"result":"x"}`, Exit{}, Verdict{Class: Failed, Error: "x"}},
		"future subtype":         {say(tag, "") + `{"type":"result","subtype":"future","is_error":false,"result":"x"}`, Exit{}, Verdict{Class: Failed, Error: "x"}},
		"no subtype":             {say(tag, "") + `{"type":"result","result":"` + tag + `"}`, Exit{}, Verdict{Class: Completed, Promise: true}},
		"error that succeeds":    {`{"type":"result","subtype":"success","is_error":true,"result":"x"}`, Exit{}, Verdict{Class: Failed, Error: "x"}},
		"limit":                  {say(tag, ""), Exit{Code: 1, Stderr: "Error: [resource_exhausted] You've hit your usage limit\n"}, Verdict{Class: RateLimited, Error: "Error: [resource_exhausted] You've hit your usage limit"}},
	})
	_, seen := readAs(t, "cursor-stream", tool+`{"type":"tool_call","subtype":"started","tool_call":{"function":{"name":"ask","arguments":"{}"}}}`, Exit{})
	if want := []string{"tool readToolCall: a", "tool ask"}; !slices.Equal(seen, want) {
		t.Errorf("seen %q, want %q", seen, want)
	}
}

func TestCopilotVerdicts(t *testing.T) {
	const message = `{"type":"assistant.message","data":{"content":"` + tag + `"}}` + "\n"
	const done = `{"type":"result","sessionId":"s","exitCode":0}` + "\n"
	const failed = `{"type":"result","sessionId":"s","exitCode":1}` + "\n"
	const limit = `{"type":"session.error","data":{"message":"You have reached your premium request limit","statusCode":429}}` + "\n"
	checkVerdicts(t, "copilot-stream", map[string]verdictCase{
		"well":                   {message + done, Exit{}, Verdict{Class: Completed, Promise: true}},
		"empty message after it": {message + `{"type":"assistant.message","data":{"content":""}}` + "\n" + done, Exit{}, Verdict{Class: Completed, Promise: true}},
		"work after the result":  {message + done + `{"type":"tool.execution_start","data":{"toolName":"x"}}`, Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
		"tool without its start": {message + `{"type":"tool.execution_complete","data":{"success":true}}` + "\n" + done, Exit{}, Verdict{Class: Completed}},
		"sub-agent":              {`{"type":"assistant.message","data":{"content":"` + tag + `","parentToolCallId":"t"}}` + "\n" + done, Exit{}, Verdict{Class: Completed}},
		"a tool after it":        {message + `{"type":"tool.execution_start","data":{"toolName":"x"}}` + "\n" + done, Exit{}, Verdict{Class: Completed}},
		"a tool with it":         {strings.Replace(message, `"data":{`, `"data":{"toolRequests":[{}],`, 1) + done, Exit{}, Verdict{Class: Completed}},
		"its own exit code":      {message + failed, Exit{}, Verdict{Class: Failed, Error: "exit code 0"}},
		"no exit code":           {message + `{"type":"result"}`, Exit{}, Verdict{Class: Failed, Error: "exit code 0"}},
		"limit":                  {limit + failed, Exit{}, Verdict{Class: RateLimited, Error: "You have reached your premium request limit"}},
		"limit, no result":       {limit, Exit{Code: 1}, Verdict{Class: RateLimited, Error: "You have reached your premium request limit"}},
		"limit, got over":        {limit + message + failed, Exit{Stderr: "boom\n"}, Verdict{Class: Failed, Error: "exit code 0: boom"}},
		"denied":                 {`{"type":"tool.execution_complete","data":{"success":false,"error":{"message":"Permission denied","code":"denied"}}}` + "\n" + message + done, Exit{}, Verdict{Class: Completed, Promise: true, Denied: "it was not allowed to use a tool: Permission denied"}},
	})
}

func TestTextVerdicts(t *testing.T) {
	const limit = "You've hit your session limit · resets 3pm (UTC)"
	checkVerdicts(t, "text", map[string]verdictCase{
		"well":                 {"Done.\n" + tag + "\n", Exit{}, Verdict{Class: Completed, Promise: true}},
		"limit":                {limit + "\n", Exit{Code: 1}, Verdict{Class: RateLimited, ResetAt: clockAt(15, 0), Error: limit}},
		"limit, but it worked": {limit + "\n", Exit{}, Verdict{Class: Completed}},
		"limit, in its prose":  {limit + "\nis what I wrote.\n", Exit{Code: 1}, Verdict{Class: Failed, Error: "exit code 1"}},
		"limit, at last":       {"x\n", Exit{Code: 1, Stderr: "ERROR: " + limit + "\n"}, Verdict{Class: RateLimited, ResetAt: clockAt(15, 0), Error: "ERROR: " + limit}},
		"limit, in the echo":   {"x\n", Exit{Code: 1, Stderr: limit + "\n" + strings.Repeat("talk\n", textLines)}, Verdict{Class: Failed, Error: "exit code 1: talk"}},
		"login, never began":   {"", Exit{Code: 1, Stderr: "not logged in\n"}, Verdict{Class: Refused, Error: "not logged in"}},
		"login, all it says":   {"Invalid API key · Please run /login\n", Exit{Code: 1}, Verdict{Class: Refused, Error: "Invalid API key · Please run /login"}},
		"login of a helper":    {"I work.\n", Exit{Code: 1, Stderr: "mcp: not logged in\n"}, Verdict{Class: Failed, Error: "exit code 1: mcp: not logged in"}},
		"login in its prose":   {"I work.\nThe token expired test is red.\n", Exit{Code: 1}, Verdict{Class: Failed, Error: "exit code 1"}},
		"our time limit":       {"x\n", Exit{Code: 1, Ours: true, Cause: TimedOut}, Verdict{Class: TimedOut, Error: "ended by the loop"}},
		"ended by us":          {"x\n", Exit{Code: 1, Ours: true, Stderr: limit}, Verdict{Class: Failed, Error: "ended by the loop"}},
	})
	const tokens = "Tokens: 12k sent, 1k cache write, 4k cache hit, 1.1k received. Cost: $0.05 message, $0.12 session.\n"
	checkVerdicts(t, "aider-text", map[string]verdictCase{
		"well":               {"Done.\n" + tag + "\n" + tokens, Exit{}, Verdict{Class: Completed, Promise: true}},
		"offline, exit 0":    {tag + "\nlitellm.APIConnectionError: connection refused\n", Exit{}, Verdict{Class: Transient, Error: "litellm.APIConnectionError: connection refused"}},
		"limit, exit 0":      {"litellm.RateLimitError: x\n", Exit{}, Verdict{Class: RateLimited, Error: "litellm.RateLimitError: x"}},
		"limit, got over":    {"litellm.RateLimitError: x\nRetrying in 0.2 seconds...\n" + tag + "\n" + tokens, Exit{}, Verdict{Class: Completed, Promise: true}},
		"offline, our doing": {"litellm.APIConnectionError: x\n", Exit{Ours: true}, Verdict{Class: Failed, Error: "ended by the loop"}},
	})
	v, _ := readAs(t, "aider-text", tokens+"Tokens: 1,200 sent, 843 received.\n", Exit{})
	if want := (Tokens{Input: 9200, Output: 1943, Cached: 4000, Written: 1000}); v.Tokens == nil || *v.Tokens != want || v.CostUSD == nil || *v.CostUSD != 0.12 {
		t.Errorf("tokens %+v, cost %v; want %+v", v.Tokens, v.CostUSD, want)
	}
	odd := `{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":5,"cache_write_input_tokens":9,"reasoning_output_tokens":7}}`
	if v, _ := readAs(t, "codex-stream", odd, Exit{}); *v.Tokens != (Tokens{Input: 9, Cached: 5, Written: 9}) {
		t.Errorf("parts that are more than the whole: %+v", v.Tokens)
	}
	if v, _ := readAs(t, "aider-text", "x\n", Exit{}); v.Tokens != nil || v.CostUSD != nil {
		t.Errorf("without a word about them: tokens %+v, cost %v", v.Tokens, v.CostUSD)
	}
}

// The final text is the last message and nothing of the one before; live, lines come in the order in which they are said.
func TestFinalTexts(t *testing.T) {
	for name, c := range map[string]struct {
		format, output, final string
		seen                  []string
	}{
		"opencode, two messages": {
			"opencode-stream", `{"type":"text","part":{"messageID":"a","text":"one"}}` + "\n" + `{"type":"text","part":{"messageID":"b","text":"two"}}`, "two",
			[]string{"text one", "text two"},
		},
		"opencode, one without a name": {
			"opencode-stream", `{"type":"text","part":{"text":"one"}}` + "\n" + `{"type":"text","part":{"text":"two"}}`, "two", []string{"text one", "text two"},
		},
		"gemini, a notice between pieces": {
			"gemini-stream", `{"type":"message","role":"assistant","delta":true,"content":"one"}` + "\n" + `{"type":"error","message":"hm"}` + "\n" +
				`{"type":"message","role":"assistant","delta":true,"content":" two"}`, "one two", []string{"text one", "notice hm", "text  two"},
		},
		"cursor, pieces that are not said again": {
			"cursor-stream", `{"type":"assistant","timestamp_ms":1,"message":{"content":[{"type":"text","text":"one"}]}}` + "\n" +
				`{"type":"result","subtype":"success","result":"one"}`, "one", []string{"text one", "over "},
		},
		"copilot, with pieces and without": {
			"copilot-stream", `{"type":"assistant.message_delta","data":{"messageId":"a","deltaContent":"one"}}` + "\n" +
				`{"type":"assistant.message","data":{"messageId":"a","content":"one"}}` + "\n" + `{"type":"assistant.message","data":{"messageId":"b","content":"two"}}`,
			"two", []string{"text one", "text two"},
		},
		"cursor, without pieces": {
			"cursor-stream", `{"type":"assistant","message":{"content":[{"type":"text","text":"one"}]}}`, "one", []string{"text one"},
		},
		"tools, and what they are used on": {
			"gemini-stream", `{"type":"tool_use","tool_name":"a","parameters":{"command":[],"path":"x"}}` + "\n" +
				`{"type":"tool_use","tool_name":"b","parameters":{"command":7}}` + "\n" + `{"type":"tool_use","tool_name":"c","parameters":[]}`,
			"", []string{"tool a: x", "tool b", "tool c"},
		},
		"claude, compacted": {"claude-stream", claudeSay + `{"type":"system","subtype":"compact_boundary"}`, tag, []string{"text " + tag, "notice the context was compacted"}},
	} {
		v, seen := readAs(t, c.format, c.output, Exit{})
		if v.FinalText != c.final || !slices.Equal(seen, c.seen) || v.ContextUsed != nil {
			t.Errorf("%s: final text %q, seen %q; want %q, %q", name, v.FinalText, seen, c.final, c.seen)
		}
	}
}

func TestWordsAreBounded(t *testing.T) {
	var w words
	for range 10000 {
		w.add("a line of text\n")
	}
	if len(w.message) > 2*finalText || !strings.HasSuffix(w.text(), "text\na line of text\n") || !strings.HasPrefix(w.text(), "a line") {
		t.Errorf("%d bytes kept, which begin %.20q", len(w.message), w.text())
	}
}

// What is not told is unknown, whatever else is.
func TestUnknownIsNotZero(t *testing.T) {
	for format, output := range map[string]string{
		"claude-stream":   claudeEnd(`"subtype":"success","is_error":false,"num_turns":1,"usage":{"input_tokens":null},"total_cost_usd":"free","modelUsage":{}`),
		"opencode-stream": `{"type":"step_finish","part":{"reason":"stop"}}`,
		"codex-stream":    `{"type":"turn.completed"}`,
		"gemini-stream":   `{"type":"result","status":"success"}`,
		"gemini-json":     `{"response":"x"}`,
		"cursor-stream":   `{"type":"result","subtype":"success","usage":{"inputTokens":"many"}}`,
		"copilot-stream":  `{"type":"result","exitCode":0}`,
	} {
		v, _ := readAs(t, format, output, Exit{})
		if v.Class != Completed || v.Tokens != nil || v.CostUSD != nil || v.Context != nil || v.ContextUsed != nil || v.ContextWindow != nil || v.Usage != nil {
			t.Errorf("%s: %s", format, asJSON(v))
		}
	}
}

// Of a run that was cut short as much is known as its output told until then.
func TestClaudeCutShort(t *testing.T) {
	begin := func(model string) string {
		return `{"type":"system","subtype":"init","model":"` + model + `"}` + "\n" + claudeSay +
			`{"type":"stream_event","event":{"type":"message_delta","usage":{"output_tokens":40}}}` + "\n" +
			`{"type":"stream_event","parent_tool_use_id":"t","event":{"type":"message_delta","usage":{"output_tokens":900}}}` + "\n" +
			`{"type":"stream_event","event":{"type":"message_start","usage":{"output_tokens":800}}}` + "\n" +
			`{"type":"stream_event","event":{"type":"message_delta","usage":{}}}` + "\n"
	}
	for model, window := range map[string]*int64{"claude-x": new(int64(200_000)), "claude-x[1m]": new(int64(1_000_000)), "other": nil} {
		v, _ := readAs(t, "claude-stream", begin(model), Exit{Code: 137})
		if !v.Partial || v.Tokens == nil || *v.Tokens != (Tokens{Input: 3, Output: 40}) || !reflect.DeepEqual(v.ContextWindow, window) {
			t.Errorf("%s: %s", model, asJSON(v))
		}
	}
	v, _ := readAs(t, "claude-stream", begin("claude-x")+claudeEnd(`"subtype":"success","is_error":false`), Exit{})
	if v.ContextWindow != nil || v.Partial {
		t.Errorf("a result that does not name the window: %s", asJSON(v))
	}
}

func TestPlainMatchOfAStream(t *testing.T) {
	for match, want := range map[Match]bool{MatchTag: false, MatchPlain: true} {
		reader := newStreamReader(Request{Promise: "all done", Match: match}, newCodexStream)
		err := reader.Read(strings.NewReader(`{"type":"item.completed","item":{"type":"agent_message","text":"It is All Done."}}`+"\n"+`{"type":"turn.completed"}`), nil)
		if v := reader.Verdict(Exit{}); err != nil || v.Promise != want {
			t.Errorf("match %s: promise %v, %v", match, v.Promise, err)
		}
	}
}
