package agent

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// stderrLines is how many last lines of standard error are searched for what went wrong: more than a stack trace has.
const stderrLines = 30

// words that agents and their providers use when a run fails, in lower case. They are looked for in error messages of
// runs that failed, never in what an agent says of its work.
var (
	contextWords = []string{
		"context limit", "context window", "context length", "context_length", "prompt is too long", "prompt_too_long", "maximum context", "token limit",
		"too many tokens in", "output limit", "turn limit",
	}
	budgetWords = []string{
		"credit balance", "insufficient_quota", "insufficient credit", "insufficient funds", "insufficient balance", "out of credits",
		"no credits", "spend cap", "spending cap", "spend limit", "spending limit", "billing", "payment required", "budget exceeded", "exceeded your budget",
	}
	limitWords = []string{
		"rate limit", "rate_limit", "rate-limit", "ratelimit", "usage limit", "usage_limit", "usagelimit", "session limit", "weekly limit", "daily limit",
		"monthly limit", "hour limit", "opus limit", "sonnet limit", "hit your limit", "reached your limit", "limit reached", "too many requests",
		"resource_exhausted", "resource exhausted", "resource has been exhausted", "quota", "exhausted your capacity", "out of extra usage", "throttl",
		"last status: 429",
	}
	refusedWords = []string{
		"invalid api key", "incorrect api key", "invalid_api_key", "api key not valid", "no api key", "missing api key", "api key is required", "unauthorized",
		"authentication_error", "authentication failed", "authentication required", "failed to authenticate", "not authenticated", "not logged in",
		"run /login", "please log in", "please login", "login required", "oauth token", "token has expired", "token expired", "set an auth method",
		"permission_error", "cannot be used with root", "trusted directory", "trusted folder", "not trusted", "untrusted", "unknown command",
		"unknown option", "unknown argument", "unknown model", "invalid model", "model not found", "model_not_found", "modelnotfound",
		"unexpected argument", "unrecognized option", "unrecognized argument", "requires --verbose", "no prompt provided", "input must be provided",
	}
	transientWords = []string{
		"overloaded", "econnreset", "econnrefused", "etimedout", "enotfound", "eai_again", "ehostunreach", "enetunreach", "fetch failed",
		"socket hang up", "connection error", "connection reset", "connection refused", "connection closed", "connection lost", "network error",
		"network is unreachable", "stream disconnected", "stream closed", "timed out", "request timeout", "temporarily unavailable",
		"service unavailable", "bad gateway", "gateway timeout", "internal server error", "server_error", "server error", "api_error",
		"error sending request", "could not resolve host", "no such host", "dns error", "try again later", "high demand",
	}
)

// statusPattern finds the status of an HTTP answer where a message names it as such.
var statusPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?:status|status code|statuscode|code|http|http error|api error|request rejected)["':= ]*\(?([45][0-9]{2})\b`)
})

// complaint reads an error message: the class of the failure, empty when the message is none that is known, and the
// time at which it says that a limit ends, zero when it does not say that.
func complaint(text string, now time.Time) (Class, time.Time) {
	plain := fold(strings.ReplaceAll(lines.Plain(text), "’", "'")) // Unicode's blanks become plain ones, too
	lower := strings.ToLower(plain)
	says := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(lower, word) })
	}
	if says(contextWords) { // a full context is no limit that time lifts
		return Failed, time.Time{}
	}
	reset := resetIn(plain, now)
	limited := says(limitWords) || strings.Contains(lower, "limit") && !reset.IsZero() || yourLimit(lower)
	switch {
	case limited && !reset.IsZero():
		return RateLimited, reset
	case says(budgetWords):
		return OutOfBudget, time.Time{}
	case limited:
		return RateLimited, time.Time{}
	case says(refusedWords):
		return Refused, reset
	case says(transientWords):
		return Transient, reset
	}
	if found := statusPattern().FindStringSubmatch(lower); found != nil {
		status, _ := strconv.Atoi(found[1])
		return statusClass(status), reset
	}
	return "", reset
}

// yourLimit reports whether text says that a limit of the user's was met, whatever it is called: "you've hit your
// Opus limit".
func yourLimit(lower string) bool {
	for _, verb := range []string{"hit your ", "reached your ", "exceeded your "} {
		if _, rest, ok := strings.Cut(lower, verb); ok && strings.Contains(lines.Head(rest, 40), "limit") {
			return true
		}
	}
	return false
}

// shortLine is how many bytes a line of an error message has that says little, such as "status: 429".
const shortLine = 20

// complaintIn searches the last lines of an output, from the end, and returns the first that is an error message that
// is known, as one line. A short line makes way for a longer one above it that says the same.
func complaintIn(output string, last int, now time.Time) (class Class, reset time.Time, line string) {
	said := filled(output)
	for i := len(said) - 1; i >= max(0, len(said)-last); i-- {
		if strings.HasPrefix(said[i], "at ") { // of a stack trace
			continue
		}
		found, at := complaint(said[i], now)
		if found == "" || class != "" && found != class {
			continue
		}
		class, reset, line = found, within(at, now), oneLine(said[i])
		if len(line) > shortLine {
			break
		}
	}
	if class != RateLimited {
		reset = time.Time{}
	}
	return class, reset, line
}
