package agent

import (
	"cmp"
	"math"
	"time"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// end says how a run ended, by what its output says.
type end int

const (
	open  end = iota // it has not said it
	well             // it says that it ended well
	badly            // it says that it ended badly
)

// failure is what the output says of a bad end.
type failure struct {
	class  Class     // empty: to be found from the status and the text
	status int       // of an HTTP answer; zero: unknown
	reset  time.Time // when a limit ends; zero: unknown
	text   string    // in the agent's words
}

// account is what a run's output tells, whatever the format.
type account struct {
	seen    bool // at least one event came
	session string
	words   words
	end     end
	failure failure
	tokens  *Tokens
	cost    *float64
	partial bool
	used    *int64 // tokens of the last main request
	window  *int64
	percent *int // where the agent computes it in a way of its own
	usage   map[string]Tokens
	denied  string
	broken  int
}

// verdict judges the run. It is completed only if the output says so and the process agrees.
func (a account) verdict(r Request, exit Exit) Verdict {
	v := Verdict{
		FinalText: a.words.text(), Session: lines.Head(fold(lines.Plain(a.session)), maxError), Tokens: a.tokens, CostUSD: a.cost,
		Partial: a.partial, Context: a.percent, ContextUsed: a.used, ContextWindow: a.window, Usage: a.usage, Denied: a.denied, Broken: a.broken,
	}
	if v.Context == nil {
		v.Context = percentOf(a.used, a.window)
	}
	switch {
	case exit.Ours:
		v.Class, v.Error = cmp.Or(exit.Cause, Failed), endedByUs(exit)
	case a.end == well && exit.Code == 0:
		v.Class = Completed
	default:
		v.Class, v.ResetAt, v.Error = a.wrong(exit)
	}
	if !a.words.stale {
		v.claim(r.claimsIn(message(v.FinalText)), exit)
	}
	return v
}

// wrong says what was wrong with a run that did not end well, for which reason, and when a limit ends.
//
// What the agent says in fields counts first, then its error message, and standard error only when it says nothing.
// Its prose and the output of its tools are never searched.
func (a account) wrong(exit Exit) (Class, time.Time, string) {
	f := a.failure
	switch {
	case a.end == badly || f.class != "":
		class, reset := f.judge(exit.Now)
		text := oneLine(f.text)
		if text == "" {
			text = exitError(exit)
		}
		return class, reset, text
	case a.end == well:
		return Failed, time.Time{}, exitError(exit)
	}
	if class, reset, line := complaintIn(exit.Stderr, stderrLines, exit.Now); class != "" && !(class.Hopeless() && a.acted()) {
		return class, reset, line
	}
	if a.seen || exit.Code == 0 {
		return Truncated, time.Time{}, "its output ends before it says how it ended: " + exitError(exit)
	}
	return Failed, time.Time{}, exitError(exit)
}

// acted reports whether the agent got so far as to say or do something.
func (a account) acted() bool { return len(a.words.message) > 0 || a.words.stale || a.tokens != nil }

// judge finds the class of a failure, and when a limit ends.
func (f failure) judge(now time.Time) (Class, time.Time) {
	class := f.class
	if class == "" {
		class = statusClass(f.status)
	}
	told, reset := complaint(f.text, now)
	switch {
	case class == "", class == Failed && f.class == "":
		class = told
	case class == RateLimited && told == OutOfBudget, class == Refused && f.class == "" && (told == OutOfBudget || told == RateLimited):
		class = told // providers answer 429 and 403 for an empty purse, too
	}
	switch {
	case class == "":
		class = Failed
	case class != RateLimited:
		return class, time.Time{}
	case !f.reset.IsZero():
		reset = f.reset
	}
	return class, within(reset, now)
}

// statusClass is the class of an HTTP answer; empty: it is none or a good one.
func statusClass(status int) Class {
	switch {
	case status < 400 || status > 599:
		return ""
	case status == 429:
		return RateLimited
	case status == 402:
		return OutOfBudget
	case status == 401 || status == 403 || status == 404:
		return Refused
	case status == 408 || status == 425 || status >= 500:
		return Transient
	default:
		return Failed
	}
}

// endedByUs is the error of a run that we ended, and the limit that it was waiting for when it told of one.
func endedByUs(exit Exit) string {
	text := exitError(exit)
	if class, _, line := complaintIn(exit.Stderr, stderrLines, exit.Now); class == RateLimited || class == Transient {
		text += ": " + line
	}
	return text
}

// percentOf is how full a window is, nil when that is not known.
func percentOf(used, window *int64) *int {
	if used == nil || window == nil || *window <= 0 {
		return nil
	}
	return new(int(math.Round(100 * float64(*used) / float64(*window))))
}

// oneLine is text as an error.
func oneLine(text string) string { return lines.Head(fold(lines.Plain(text)), maxError) }
