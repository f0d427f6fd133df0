package agent

import (
	"strings"
	"testing"
	"time"
)

func TestComplaint(t *testing.T) {
	for text, want := range map[string]Class{
		"You've hit your session limit · resets 7:10pm (America/Los_Angeles)":     RateLimited,
		"You’ve hit your weekly limit · resets Oct 12, 8am (Europe/Paris)":        RateLimited,
		"You've reached your Opus 9 limit · resets 3pm":                           RateLimited,
		"You've reached your Sonnet 9 limit":                                      RateLimited,
		"You've reached your destination. The road has not had one speed limit":   "",
		"You've hit your limit":                                                   RateLimited,
		"You're out of extra usage · resets 9pm":                                  RateLimited,
		"5-hour limit reached ∙ resets 3pm":                                       RateLimited,
		"Claude AI usage limit reached|1773150000":                                RateLimited,
		"You've hit your usage limit. Purchase more credits or try again later.":  RateLimited,
		"[API Error: Your quota will reset after 3h21m7s.]":                       RateLimited,
		"429 RESOURCE_EXHAUSTED":                                                  RateLimited,
		"Error: 429 Too Many Requests":                                            RateLimited,
		"API Error: Request rejected (429) · later":                               RateLimited,
		"Rate limit reached for gpt-x: please try again in 1.5s. Billing: https:": RateLimited,
		"You exceeded your current quota, check your billing. Retry in 36.4s":     RateLimited,
		"status code 429":    RateLimited,
		`{"statusCode":429}`: RateLimited,
		"You exceeded your current quota, please check your plan, billing": OutOfBudget,
		"Credit balance is too low":                                        OutOfBudget,
		"insufficient_quota":                                               OutOfBudget,
		"Your workspace is out of credits":                                 OutOfBudget,
		"Spend cap reached":                                                OutOfBudget,
		"HTTP 402":                                                         OutOfBudget,
		"Invalid API key · Please run /login":                              Refused,
		"OAuth token has expired":                                          Refused,
		"unexpected status 401 Unauthorized":                               Refused,
		"Error: unknown option '--x'":                                      Refused,
		"Unknown model: x":                                                 Refused,
		"API Error: 529 {\"type\":\"overloaded_error\"}":                   Transient,
		"API Error: 500 oops":                                              Transient,
		"fetch failed: ECONNRESET":                                         Transient,
		"stream disconnected before completion":                            Transient,
		"status: 503":                                                      Transient,
		"Overloaded, try again in 20s":                                     Transient,
		"Prompt is too long":                                               Failed,
		"Context limit reached · /compact or wait":                         Failed,
		"HTTP 400":                       Failed,
		"":                               "",
		"boom":                           "",
		"tests: 429 passed, 503 skipped": "",
		"wrote port 4290 to code 4011":   "",
	} {
		if got, _ := complaint(text, now); got != want {
			t.Errorf("complaint(%q) = %q, want %q", text, got, want)
		}
		if got, _ := complaint(strings.ToUpper(text), now); got != want {
			t.Errorf("complaint in capitals (%q) = %q, want %q", text, got, want)
		}
	}
}

func TestComplaintIn(t *testing.T) {
	many := strings.Repeat("x\n", stderrLines)
	for output, want := range map[string]string{
		"rate limit here\ninvalid api key\nbye\n":              "refused: invalid api key",
		"rate limit here\n" + many:                             "",
		"\x1b[31mrate   limit\x1b[0m\r\n\n":                    "rate-limited: rate limit",
		"too many requests, that is\n{\n  status: 429\n}\n":    "rate-limited: too many requests, that is",
		"invalid api key is what it says\n{\n  status: 429\n}": "rate-limited: status: 429",
		"    at f (overloaded.js:503:1)\n":                     "",
	} {
		class, reset, line := complaintIn(output, stderrLines, now)
		if got := string(class) + ": " + line; got != want && (want != "" || class != "") || !reset.IsZero() {
			t.Errorf("complaintIn(%q) = %s, %s", output, got, reset)
		}
	}
}

func TestResetIn(t *testing.T) {
	paris, err := time.LoadLocation("Europe/Paris")
	if err != nil {
		t.Fatal(err)
	}
	at := func(month time.Month, day, hour, minute int) time.Time {
		return time.Date(2026, month, day, hour, minute, 0, 0, paris)
	}
	noon := at(time.March, 10, 12, 0)
	var never time.Time
	for text, want := range map[string]time.Time{
		"resets 3pm":                    at(time.March, 10, 15, 0),
		"resets 3:45 PM":                at(time.March, 10, 15, 45),
		"resets 3:45\u202fPM":           at(time.March, 10, 15, 45),
		"Limit resets at 15:45.":        at(time.March, 10, 15, 45),
		"resets 11am":                   at(time.March, 11, 11, 0),
		"resets 12am":                   at(time.March, 11, 0, 0),
		"resets 12:30pm":                at(time.March, 10, 12, 30),
		"resets 11:55am":                at(time.March, 10, 11, 55),
		"resets 11:49am":                at(time.March, 11, 11, 49),
		"resets 3pm (UTC)":              at(time.March, 10, 16, 0),
		"resets 3pm GMT":                at(time.March, 10, 16, 0),
		"resets 3pm UTC":                at(time.March, 10, 16, 0),
		"resets 3am (America/New_York)": at(time.March, 11, 8, 0), // where summer has begun: 5 hours
		"resets 9pm (Asia/Tokyo)":       at(time.March, 10, 13, 0),
		"resets 8am (Asia/Kathmandu)":   at(time.March, 11, 3, 15),
		"resets 3pm (Nowhere/Land)":     at(time.March, 10, 15, 0),
		"resets 3pm (your time)":        at(time.March, 10, 15, 0),
		"Your limit will reset at 3pm (America/Santiago).": at(time.March, 10, 19, 0),
		"resets Mar 12, 8am (Europe/Paris)":                at(time.March, 12, 8, 0),
		"resets Mar 12 at 10am":                            at(time.March, 12, 10, 0),
		"resets March 29 at 2:30am":                        at(time.March, 29, 3, 30), // skipped that night
		"resets April 1st at 10am":                         at(time.April, 1, 10, 0),
		"resets Jan 3, 10am":                               time.Date(2027, time.January, 3, 10, 0, 0, 0, paris),
		"resets Mar 8, 10am":                               at(time.March, 8, 10, 0),
		"try again at 3:42 PM.":                            at(time.March, 10, 15, 42),
		"try again at Nov 23rd, 2026 9:05 AM.":             at(time.November, 23, 9, 5),
		"try again at 2026-03-10T15:00:00Z.":               at(time.March, 10, 16, 0),
		"try again in 2 days 17 hours 14 minutes":          noon.Add(65*time.Hour + 14*time.Minute),
		"try again in 1 hour, 2 minutes and 3 seconds":     noon.Add(time.Hour + 2*time.Minute + 3*time.Second),
		"Your quota will reset after 3h21m7s.":             noon.Add(3*time.Hour + 21*time.Minute + 7*time.Second),
		"Please retry in 36.5s":                            noon.Add(36*time.Second + 500*time.Millisecond),
		"Please try again in 20s.":                         noon.Add(20 * time.Second),
		"Please try again in 250ms":                        noon.Add(250 * time.Millisecond),
		"Monthly usage limit reached. Resets in 2 days":    noon.Add(48 * time.Hour),
		"resets in 1 week":                                 noon.Add(7 * 24 * time.Hour),
		"limit reached|1773150000":                         time.Unix(1773150000, 0),
		"limit reached|1773150000000 ":                     time.Unix(1773150000, 0),
		"try again later, or reset it: try again in 5s":    noon.Add(5 * time.Second),
		"":                                       never,
		"resets":                                 never,
		"resets 3":                               never,
		"resets 25:00":                           never,
		"resets 13pm":                            never,
		"resets 0am":                             never,
		"resets 3:75pm":                          never,
		"resets Foo 3 at 10am":                   never,
		"resets Mar 0 at 10am":                   never,
		"resets Mar 40 at 10am":                  never,
		"retry in 5 members":                     never,
		"retry 3 of 5":                           never,
		"preset 3pm":                             never,
		"at 3pm":                                 never,
		"try again in 999999 weeks 999999 weeks": never,
		"limit reached|17":                       never,
		"Maximum of 3 hours. Password reset token: 7d. I was reset, at 3pm": never,
	} {
		if got := resetIn(strings.ReplaceAll(text, "\u202f", " "), noon); !got.Equal(want) {
			t.Errorf("resetIn(%q) = %s, want %s", text, got, want)
		}
	}
	if got := resetIn("resets 3pm", time.Time{}); !got.IsZero() {
		t.Errorf("without a time to count from: %s", got)
	}
}

// The next 1am is a calendar's: the day between has 23 or 25 hours when the clocks change.
func TestResetWhenClocksChange(t *testing.T) {
	for _, c := range []struct {
		now  string
		text string
		want string
	}{
		{"2026-03-28T12:00:00+01:00", "resets 11am", "2026-03-29T11:00:00+02:00"},
		{"2026-10-24T12:00:00+02:00", "resets 11am", "2026-10-25T11:00:00+01:00"},
		{"2026-03-29T01:00:00+01:00", "resets 2:30am", "2026-03-29T03:30:00+02:00"},
		{"2026-12-31T23:30:00+01:00", "resets 1am", "2027-01-01T01:00:00+01:00"},
		{"2026-12-31T23:30:00+01:00", "resets Jan 2, 1am", "2027-01-02T01:00:00+01:00"},
		{"2026-02-28T23:30:00+01:00", "resets 1am", "2026-03-01T01:00:00+01:00"},
	} {
		begin, err := time.Parse(time.RFC3339, c.now)
		if err != nil {
			t.Fatal(err)
		}
		got := resetIn(c.text+" (Europe/Paris)", begin).Format(time.RFC3339)
		if got != c.want {
			t.Errorf("at %s %q is %s, want %s", c.now, c.text, got, c.want)
		}
	}
}

func TestWithin(t *testing.T) {
	for name, c := range map[string]struct{ reset, want time.Time }{
		"unknown":     {time.Time{}, time.Time{}},
		"past":        {now.Add(-time.Hour), now},
		"future":      {now.Add(time.Hour), now.Add(time.Hour)},
		"a month":     {now.Add(31 * 24 * time.Hour), now.Add(31 * 24 * time.Hour)},
		"unbelieved":  {now.Add(36 * 24 * time.Hour), time.Time{}},
		"end of time": {time.Unix(1<<50, 0), time.Time{}},
	} {
		if got := within(c.reset, now); !got.Equal(c.want) {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
