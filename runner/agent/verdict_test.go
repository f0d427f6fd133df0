package agent

import (
	"strings"
	"testing"
	"time"
)

// clockAt is a time of the day on which the runs of these tests end.
func clockAt(hour, minute int) time.Time {
	return time.Date(2026, time.March, 10, hour, minute, 0, 0, time.UTC)
}

// verdictCase is a run that does not end like the transcripts.
type verdictCase struct {
	output string
	exit   Exit
	want   Verdict // class, promise, blocked, reset, error, denied and partial are compared
}

func checkVerdicts(t *testing.T, format string, cases map[string]verdictCase) {
	t.Helper()
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Helper()
			got, _ := readAs(t, format, c.output, c.exit)
			if got.Class != c.want.Class || got.Promise != c.want.Promise || got.Blocked != c.want.Blocked || got.Error != c.want.Error ||
				got.Denied != c.want.Denied || got.Partial != c.want.Partial || !got.ResetAt.Equal(c.want.ResetAt) {
				t.Errorf("verdict\n%s, want\n%s", asJSON(got), asJSON(c.want))
			}
		})
	}
}

const (
	tag       = `<promise>COMPLETE</promise>`
	cutShort  = "its output ends before it says how it ended: exit code "
	claudeSay = `{"type":"assistant","message":{"id":"m","model":"claude-x","content":[{"type":"text","text":"` + tag + `"}],"usage":{"input_tokens":3,"output_tokens":1}}}` + "\n"
)

// claudeEnd is a result event.
func claudeEnd(fields string) string { return `{"type":"result",` + fields + "}\n" }

func TestClaudeVerdicts(t *testing.T) {
	const good = `"subtype":"success","is_error":false,"num_turns":1`
	limit := `{"type":"assistant","message":{"model":"<synthetic>","content":[{"type":"text","text":"You've hit your session limit · resets 3:30pm (UTC)"}]},"error":"rate_limit"}` + "\n"
	rejected := `{"type":"rate_limit_event","rate_limit_info":{"status":"rejected","resetsAt":1773150000}}` + "\n"
	allowed := `{"type":"rate_limit_event","rate_limit_info":{"status":"allowed","resetsAt":1773150000,"overageStatus":"rejected"}}` + "\n"
	tool := `{"type":"assistant","message":{"id":"n","model":"claude-x","content":[{"type":"tool_use","name":"Bash","input":{}}]}}` + "\n"
	failed := func(status, text string) string {
		return claudeEnd(`"subtype":"success","is_error":true,"api_error_status":` + status + `,"result":"` + text + `"`)
	}
	checkVerdicts(t, "claude-stream", map[string]verdictCase{
		"empty result, text before":      {claudeSay + claudeEnd(good+`,"result":""`), Exit{}, Verdict{Class: Completed, Promise: true}},
		"empty result, tool after text":  {claudeSay + tool + claudeEnd(good+`,"result":""`), Exit{}, Verdict{Class: Completed}},
		"blank text behind it":           {claudeSay + strings.ReplaceAll(claudeSay, tag, " ") + claudeEnd(good), Exit{}, Verdict{Class: Completed, Promise: true}},
		"result without text at all":     {claudeEnd(good), Exit{}, Verdict{Class: Completed}},
		"result in another line":         {`{"type":"assi` + claudeEnd(good+`,"result":"`+tag+`"`), Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
		"result says less than the text": {claudeSay + claudeEnd(good+`,"result":"No."`), Exit{}, Verdict{Class: Completed}},
		"is_error as text":               {claudeSay + claudeEnd(`"subtype":"success","is_error":"yes"`), Exit{}, Verdict{Class: Failed, Error: tag}},
		"unknown subtype":                {claudeSay + claudeEnd(`"subtype":"error_future","is_error":false`), Exit{}, Verdict{Class: Failed, Error: "error future"}},
		"another result in background": {
			claudeEnd(good+`,"result":"`+tag+`"`) + claudeEnd(good+`,"result":"","origin":{"kind":"task-notification"}`), Exit{}, Verdict{Class: Completed, Promise: true},
		},
		"background before": {
			claudeEnd(good+`,"result":"`+tag+`","origin":{"kind":"task-notification"}`) + claudeEnd(good+`,"result":"No.","origin":{"kind":"human"}`), Exit{},
			Verdict{Class: Completed},
		},
		"background only":        {claudeEnd(good + `,"result":"` + tag + `","origin":{"kind":"task-notification"}`), Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
		"work after the result":  {claudeEnd(good+`,"result":"`+tag+`"`) + claudeSay, Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
		"blocked":                {claudeEnd(good + `,"result":"x\n<blocked>no key</blocked>"`), Exit{}, Verdict{Class: Completed, Blocked: "no key"}},
		"unknown command":        {claudeEnd(`"subtype":"success","is_error":false,"num_turns":0,"result":"Unknown command: /rate-limit"`), Exit{}, Verdict{Class: Refused, Error: "Unknown command: /rate-limit"}},
		"refused tools":          {claudeEnd(good + `,"permission_denials":[{"tool_name":"Bash"},{"tool_name":"Write"},{"tool_name":"Bash"}]`), Exit{}, Verdict{Class: Completed, Denied: "it was not allowed to use Bash, Write"}},
		"limit, no status":       {rejected + failed("null", "x"), Exit{Code: 1}, Verdict{Class: RateLimited, ResetAt: time.Unix(1773150000, 0), Error: "x"}},
		"limit, other subtype":   {rejected + claudeEnd(`"subtype":"error_during_execution","is_error":true`), Exit{Code: 1}, Verdict{Class: Failed, Error: "error during execution"}},
		"limit, by the event":    {rejected + limit + failed("429", "You've hit your session limit · resets 1am (UTC)"), Exit{Code: 1}, Verdict{Class: RateLimited, ResetAt: time.Unix(1773150000, 0), Error: "You've hit your session limit · resets 1am (UTC)"}},
		"limit, by the text":     {limit + failed("null", "You've hit your session limit · resets 3:30pm (UTC)"), Exit{Code: 1}, Verdict{Class: RateLimited, ResetAt: clockAt(15, 30), Error: "You've hit your session limit · resets 3:30pm (UTC)"}},
		"limit, exit code 0":     {failed("429", "Request rejected"), Exit{}, Verdict{Class: RateLimited, Error: "Request rejected"}},
		"limit, no result":       {rejected + limit, Exit{Code: 1}, Verdict{Class: RateLimited, ResetAt: time.Unix(1773150000, 0), Error: "You've hit your session limit · resets 3:30pm (UTC)"}},
		"limit, but it went on":  {rejected + claudeEnd(good+`,"result":"`+tag+`"`), Exit{}, Verdict{Class: Completed, Promise: true}},
		"no limit, another end":  {allowed + failed("400", "bad"), Exit{Code: 1}, Verdict{Class: Failed, Error: "bad"}},
		"prose about limits":     {claudeEnd(good + `,"result":"You've hit your session limit · resets 1am: the text is shown now. 429."`), Exit{}, Verdict{Class: Completed}},
		"overloaded":             {failed("529", "API Error: 529 Overloaded"), Exit{Code: 1}, Verdict{Class: Transient, Error: "API Error: 529 Overloaded"}},
		"overloaded, no status":  {`{"type":"assistant","message":{"model":"<synthetic>","content":[]},"error":"overloaded"}` + "\n" + failed("null", "x"), Exit{Code: 1}, Verdict{Class: Transient, Error: "x"}},
		"bad key":                {failed("401", "Invalid API key · Please run /login"), Exit{Code: 1}, Verdict{Class: Refused, Error: "Invalid API key · Please run /login"}},
		"no such model":          {failed("404", "x"), Exit{Code: 1}, Verdict{Class: Refused, Error: "x"}},
		"empty purse":            {failed("400", "Credit balance is too low"), Exit{Code: 1}, Verdict{Class: OutOfBudget, Error: "Credit balance is too low"}},
		"empty purse, 429":       {failed("429", "insufficient_quota"), Exit{Code: 1}, Verdict{Class: OutOfBudget, Error: "insufficient_quota"}},
		"turns":                  {claudeSay + claudeEnd(`"subtype":"error_max_turns","is_error":true,"errors":["Reached maximum number of turns (2)"]`), Exit{Code: 1}, Verdict{Class: Failed, Error: "Reached maximum number of turns (2)"}},
		"turns, nothing said":    {claudeSay + claudeEnd(`"subtype":"error_max_turns","is_error":true`), Exit{Code: 1}, Verdict{Class: Failed, Error: "error max turns"}},
		"context is full":        {rejected + claudeEnd(`"subtype":"success","is_error":true,"api_error_status":429,"terminal_reason":"prompt_too_long","result":"Prompt is too long"`), Exit{Code: 1}, Verdict{Class: Failed, Error: "Prompt is too long"}},
		"limit, one word of it":  {strings.Replace(limit, "rate_limit", "", 1) + rejected, Exit{Code: 1}, Verdict{Class: RateLimited, ResetAt: time.Unix(1773150000, 0), Error: "You've hit your session limit · resets 3:30pm (UTC)"}},
		"login, no result":       {`{"type":"assistant","message":{"model":"<synthetic>","content":"no"},"error":"authentication_failed"}`, Exit{Code: 1}, Verdict{Class: Refused, Error: "no"}},
		"purse, no result":       {`{"type":"assistant","message":{"model":"<synthetic>","content":"no"},"error":"billing_error"}`, Exit{Code: 1}, Verdict{Class: OutOfBudget, Error: "no"}},
		"killed":                 {claudeSay, Exit{Code: 137}, Verdict{Class: Truncated, Error: cutShort + "137", Partial: true}},
		"killed by us":           {claudeSay, Exit{Code: 143, Ours: true}, Verdict{Class: Failed, Error: "ended by the loop", Partial: true}},
		"root":                   {"", Exit{Code: 1, Stderr: "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons\n"}, Verdict{Class: Refused, Error: "--dangerously-skip-permissions cannot be used with root/sudo privileges for security reasons"}},
		"login of a helper":      {claudeSay, Exit{Code: 1, Stderr: "mcp github: OAuth token has expired\n"}, Verdict{Class: Truncated, Error: cutShort + "1: mcp github: OAuth token has expired", Partial: true}},
		"purse of a helper":      {tool, Exit{Code: 1, Stderr: "mcp maps: billing is not enabled\n"}, Verdict{Class: Truncated, Error: cutShort + "1: mcp maps: billing is not enabled"}},
		"login, never began":     {`{"type":"system","subtype":"init","session_id":"s"}`, Exit{Code: 1, Stderr: "OAuth token has expired\n"}, Verdict{Class: Refused, Error: "OAuth token has expired"}},
		"network of a helper":    {claudeSay, Exit{Code: 1, Stderr: "fetch failed\n"}, Verdict{Class: Transient, Error: "fetch failed", Partial: true}},
		"our time limit":         {claudeSay, Exit{Code: 143, Ours: true, Cause: TimedOut}, Verdict{Class: TimedOut, Error: "ended by the loop", Partial: true}},
		"our stall limit":        {claudeEnd(good + `,"result":"` + tag + `"`), Exit{Ours: true, Cause: Stalled}, Verdict{Class: Stalled, Error: "ended by the loop"}},
		"wrong arguments":        {"", Exit{Code: 1, Stderr: "oops\n"}, Verdict{Class: Failed, Error: "exit code 1: oops"}},
		"talks about it, killed": {strings.ReplaceAll(claudeSay, tag, "rate limit reached|1773150000"), Exit{Code: 1}, Verdict{Class: Truncated, Error: cutShort + "1", Partial: true}},
	})
}

func TestOpencodeVerdicts(t *testing.T) {
	event := func(kind, rest string) string {
		return `{"type":"` + kind + `","timestamp":1773144000500,"sessionID":"s",` + rest + "}\n"
	}
	start := event("step_start", `"part":{"messageID":"m"}`)
	text := event("text", `"part":{"messageID":"m","text":"`+tag+`"}`)
	finish := func(reason string) string {
		return event("step_finish", `"part":{"messageID":"m","reason":"`+reason+`","cost":0.5,"tokens":{"input":1,"output":1}}`)
	}
	apiError := func(data string) string { return event("error", `"error":{"name":"APIError","data":{`+data+`}}`) }
	denied := event("tool_use", `"part":{"tool":"read","state":{"status":"error","input":{"filePath":"/etc/x"},"error":"The user rejected permission to use this tool."}}`)
	checkVerdicts(t, "opencode-stream", map[string]verdictCase{
		"well":                     {start + text + finish("stop"), Exit{}, Verdict{Class: Completed, Promise: true}},
		"no end":                   {start + text, Exit{}, Verdict{Class: Truncated, Error: cutShort + "0"}},
		"another step begins":      {start + text + finish("stop") + start, Exit{}, Verdict{Class: Truncated, Error: cutShort + "0", Partial: true}},
		"too long":                 {start + text + finish("length"), Exit{}, Verdict{Class: Failed, Error: "the model stopped: length"}},
		"permission refused":       {start + text + denied + finish("tool-calls"), Exit{}, Verdict{Class: Refused, Denied: "it was not allowed to use read", Error: "it was not allowed to use read", Partial: true}},
		"tool failed":              {start + text + strings.Replace(denied, "rejected permission", "lost a file", 1) + finish("tool-calls"), Exit{}, Verdict{Class: Truncated, Error: cutShort + "0", Partial: true}},
		"more after the end":       {start + text + finish("stop") + finish("unknown"), Exit{}, Verdict{Class: Truncated, Error: cutShort + "0", Partial: true}},
		"cost without tokens":      {start + event("step_finish", `"part":{"reason":"tool-calls","cost":0.5}`), Exit{}, Verdict{Class: Truncated, Error: cutShort + "0", Partial: true}},
		"aborted":                  {event("error", `"error":{"name":"MessageAbortedError","data":{"message":"rate limit"}}`), Exit{Code: 1}, Verdict{Class: Failed, Error: "rate limit"}},
		"refused, went on":         {start + denied + finish("tool-calls") + start + text + finish("stop"), Exit{}, Verdict{Class: Completed, Promise: true, Denied: "it was not allowed to use read"}},
		"a tool behind the end":    {start + text + finish("stop") + event("tool_use", `"part":{"tool":"bash"}`), Exit{}, Verdict{Class: Truncated, Error: cutShort + "0", Partial: true}},
		"limit, long ago":          {apiError(`"message":"x","statusCode":429,"responseHeaders":{"retry-after":"-5"}`), Exit{Code: 1}, Verdict{Class: RateLimited, Error: "x"}},
		"limit, for ever":          {apiError(`"message":"x","statusCode":429,"responseHeaders":{"retry-after":"1e9"}`), Exit{Code: 1}, Verdict{Class: RateLimited, Error: "x"}},
		"limit, from when":         {strings.Replace(apiError(`"message":"x","statusCode":429,"responseHeaders":{"retry-after":"9"}`), "timestamp", "t", 1), Exit{Code: 1}, Verdict{Class: RateLimited, Error: "x"}},
		"text before a tool":       {start + text + event("tool_use", `"part":{"tool":"bash"}`) + finish("stop"), Exit{}, Verdict{Class: Completed}},
		"tag in two messages":      {start + event("text", `"part":{"messageID":"a","text":"<promise>COM"}`) + event("text", `"part":{"messageID":"b","text":"PLETE</promise>"}`) + finish("stop"), Exit{}, Verdict{Class: Completed}},
		"error, then well":         {apiError(`"message":"Overloaded","statusCode":529`) + start + text + finish("stop"), Exit{}, Verdict{Class: Completed, Promise: true}},
		"well, then error":         {start + text + finish("stop") + apiError(`"message":"Overloaded","statusCode":529`), Exit{}, Verdict{Class: Transient, Error: "Overloaded"}},
		"limit, seconds":           {apiError(`"message":"Usage limit","statusCode":429,"responseHeaders":{"Retry-After":"3600"}`), Exit{Code: 1}, Verdict{Class: RateLimited, Error: "Usage limit", ResetAt: clockAt(13, 0)}},
		"limit, date":              {apiError(`"message":"x","statusCode":429,"responseHeaders":{"retry-after":"Tue, 10 Mar 2026 14:00:00 GMT"}`), Exit{Code: 1}, Verdict{Class: RateLimited, Error: "x", ResetAt: clockAt(14, 0)}},
		"limit, nobody knows when": {apiError(`"message":"x","statusCode":429,"responseHeaders":{"retry-after":"soon","n":1}`), Exit{Code: 1}, Verdict{Class: RateLimited, Error: "x"}},
		"empty purse":              {apiError(`"message":"x","statusCode":429,"responseBody":"{\"code\":\"insufficient_quota\"}"`), Exit{Code: 1}, Verdict{Class: OutOfBudget, Error: "x"}},
		"network":                  {apiError(`"message":"x","isRetryable":true`), Exit{Code: 1}, Verdict{Class: Transient, Error: "x"}},
		"login":                    {event("error", `"error":{"name":"ProviderAuthError","data":{"message":"no key"}}`), Exit{Code: 1}, Verdict{Class: Refused, Error: "no key"}},
		"context":                  {event("error", `"error":{"name":"ContextOverflowError","data":{}}`), Exit{Code: 1}, Verdict{Class: Failed, Error: "ContextOverflowError"}},
		"second version":           {`{"type":"error","sessionID":"","error":{"type":"x","message":"Model not found"}}`, Exit{Code: 1}, Verdict{Class: Refused, Error: "Model not found"}},
		"log on standard error":    {start, Exit{Code: 1, Stderr: "ERROR service=llm error={\"statusCode\":429}\n"}, Verdict{Class: RateLimited, Error: `ERROR service=llm error={"statusCode":429}`}},
		"waiting, ended by us":     {"", Exit{Ours: true, Stderr: "ERROR Too Many Requests\n"}, Verdict{Class: Failed, Error: "ended by the loop: ERROR Too Many Requests"}},
	})
}

func TestCodexVerdicts(t *testing.T) {
	const start, message = `{"type":"thread.started","thread_id":"t"}` + "\n" + `{"type":"turn.started"}` + "\n", `{"type":"item.completed","item":{"type":"agent_message","text":"` + tag + `"}}` + "\n"
	const done = `{"type":"turn.completed","usage":{}}` + "\n"
	failed := func(text string) string {
		return start + `{"type":"turn.failed","error":{"message":` + asJSON(text) + "}}\n"
	}
	at := func(text string, class Class, why string) verdictCase {
		return verdictCase{failed(text), Exit{Code: 1}, Verdict{Class: class, Error: why}}
	}
	limited := at("You've hit your usage limit. Purchase more credits or try again at 3:42 PM.", RateLimited, "You've hit your usage limit. Purchase more credits or try again at 3:42 PM.")
	limited.want.ResetAt = clockAt(15, 42)
	provider := at(`{"error":{"type":"usage_limit_reached","message":"The usage limit has been reached","resets_at":1773150000}}`, RateLimited, "The usage limit has been reached")
	provider.want.ResetAt = time.Unix(1773150000, 0)
	checkVerdicts(t, "codex-stream", map[string]verdictCase{
		"well":                   {start + message + done, Exit{}, Verdict{Class: Completed, Promise: true}},
		"only begun":             {start + strings.Replace(message, "completed", "started", 1) + done, Exit{}, Verdict{Class: Completed}},
		"a command after it":     {start + message + `{"type":"item.completed","item":{"type":"command_execution","command":"x"}}` + "\n" + done, Exit{}, Verdict{Class: Completed}},
		"declined":               {start + `{"type":"item.completed","item":{"type":"command_execution","command":"x","status":"declined"}}` + "\n" + done, Exit{}, Verdict{Class: Completed, Denied: "it was not allowed to use command_execution"}},
		"limit":                  limited,
		"limit of a provider":    provider,
		"retries are used up":    at("exceeded retry limit, last status: 429 Too Many Requests", RateLimited, "exceeded retry limit, last status: 429 Too Many Requests"),
		"retries, no login":      at("exceeded retry limit, last status: 401 Unauthorized", Refused, "exceeded retry limit, last status: 401 Unauthorized"),
		"empty purse":            at(`{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}`, OutOfBudget, "You exceeded your current quota"),
		"provider, bad request":  at(`unexpected status: {"status":400,"error":{"message":"no such tool"}}`, Failed, "no such tool"),
		"provider, by its code":  at(`{"error":{"code":"rate_limit_exceeded","message":"slow down"}}`, RateLimited, "slow down"),
		"provider, detail":       at(`{"status":503,"detail":"down"}`, Transient, "down"),
		"broken answer":          at(`{"status":`, Failed, `{"status":`),
		"network":                at("stream disconnected before completion: reset", Transient, "stream disconnected before completion: reset"),
		"warning, then the end":  {start + `{"type":"error","message":"stream disconnected"}` + "\n", Exit{Code: 1}, Verdict{Class: Transient, Error: "stream disconnected"}},
		"interrupted":            {start + message, Exit{Code: 1}, Verdict{Class: Truncated, Error: cutShort + "1"}},
		"failed, then well":      {failed("x") + start + message + done, Exit{}, Verdict{Class: Completed, Promise: true}},
		"folder without a trust": {"", Exit{Code: 1, Stderr: "Not inside a trusted directory and --skip-git-repo-check was not specified.\n"}, Verdict{Class: Refused, Error: "Not inside a trusted directory and --skip-git-repo-check was not specified."}},
	})
}
