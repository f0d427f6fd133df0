package agent

import (
	"encoding/json"
	"strconv"
	"strings"
	"time"
)

// opencodeEvent is one line of OpenCode's stream, as far as it is read.
type opencodeEvent struct {
	Type    string `json:"type"`
	Time    number `json:"timestamp"` // milliseconds
	Session string `json:"sessionID"`
	Part    struct {
		Message string `json:"messageID"`
		Text    string `json:"text"`
		Tool    string `json:"tool"`
		Reason  string `json:"reason"`
		Cost    number `json:"cost"`
		Tokens  struct {
			Total     number `json:"total"`
			Input     number `json:"input"`
			Output    number `json:"output"`
			Reasoning number `json:"reasoning"`
			Cache     struct {
				Read  number `json:"read"`
				Write number `json:"write"`
			} `json:"cache"`
		} `json:"tokens"`
		State struct {
			Status string          `json:"status"`
			Input  json.RawMessage `json:"input"`
			Error  string          `json:"error"`
		} `json:"state"`
	} `json:"part"`
	Error struct {
		Name    string `json:"name"`
		Type    string `json:"type"`
		Message string `json:"message"`
		Data    struct {
			Message string            `json:"message"`
			Status  number            `json:"statusCode"`
			Retry   bool              `json:"isRetryable"`
			Headers map[string]string `json:"responseHeaders"`
			Body    string            `json:"responseBody"`
		} `json:"data"`
	} `json:"error"`
}

// opencodeStream reads the events of OpenCode. No event says that a run is over: it ended well when its last step
// finished because the model stopped. An error that is followed by another step was got over.
type opencodeStream struct {
	*transcript
	message string // the message that the last text is a part of
}

func newOpencodeStream(t *transcript) dialect { return &opencodeStream{transcript: t} }

// event implements [dialect].
func (o *opencodeStream) event(object []byte) error {
	var e opencodeEvent
	if err := decode(object, &e); err != nil {
		return err
	}
	if e.Session != "" {
		o.session = e.Session
	}
	switch e.Type {
	case "step_start":
		o.end, o.failure = open, failure{}
		o.mark(ActivityMore)
	case "text":
		o.text(e)
	case "tool_use":
		o.end = open
		o.work(e.Part.Tool, e.Part.State.Input)
		if e.Part.State.Status == "error" && strings.Contains(e.Part.State.Error, "rejected permission") {
			o.denied = "it was not allowed to use " + oneLine(e.Part.Tool)
		}
	case "step_finish":
		o.finish(e)
	case "error":
		o.end, o.failure = badly, opencodeFailure(e)
	}
	return nil
}

// text takes one part of a message: the parts of one message belong together.
func (o *opencodeStream) text(e opencodeEvent) {
	if e.Part.Message != "" && e.Part.Message == o.message && !o.words.stale {
		o.words.set(o.words.text() + "\n" + e.Part.Text)
	} else {
		o.words.set(e.Part.Text)
	}
	o.message = e.Part.Message
	o.live.text(e.Part.Text)
}

// finish takes the end of a step: one request to the model.
func (o *opencodeStream) finish(e opencodeEvent) {
	t := e.Part.Tokens
	if t.Input.known || t.Output.known {
		step := cacheApart.tokens(Tokens{
			Input: t.Input.count(), Output: t.Output.count() + t.Reasoning.count(), // here, reasoning is not part of the output
			Cached: t.Cache.Read.count(), Written: t.Cache.Write.count(), Reasoning: t.Reasoning.count(),
		})
		used := step.Total()
		if t.Total.known {
			used = t.Total.count()
		}
		if o.tokens != nil {
			step = step.plus(*o.tokens)
		}
		o.tokens, o.used = &step, &used
	}
	if cost := e.Part.Cost.amount(); cost != nil {
		if o.cost != nil {
			*cost += *o.cost
		}
		o.cost = cost
	}
	o.spent(o.tokens, o.cost)
	switch e.Part.Reason {
	case "stop":
		o.end = well
		o.mark(ActivityEnd)
	case "tool-calls":
		o.end = open
		o.mark(ActivityMore)
	case "unknown", "":
		o.end = open
	default:
		o.end, o.failure = badly, failure{class: Failed, text: "the model stopped: " + e.Part.Reason}
	}
}

// opencodeFailure is what an error event says.
func opencodeFailure(e opencodeEvent) failure {
	data := e.Error.Data
	f := failure{status: int(min(data.Status.count(), 999)), text: data.Message}
	for _, text := range []string{e.Error.Message, e.Error.Name, e.Error.Type} {
		if f.text == "" {
			f.text = text
		}
	}
	switch {
	case e.Error.Name == "ProviderAuthError":
		f.class = Refused
	case e.Error.Name == "MessageOutputLengthError", e.Error.Name == "ContextOverflowError", e.Error.Name == "MessageAbortedError":
		f.class = Failed
	case f.status == 0 && data.Retry:
		f.class = Transient
	}
	if f.status == 429 && strings.Contains(data.Body, "insufficient_quota") {
		f.class = OutOfBudget
	}
	for name, value := range data.Headers {
		if strings.EqualFold(name, "retry-after") {
			f.reset = retryAfter(value, e.Time)
		}
	}
	return f
}

// retryAfter is the time that an HTTP header names, in whole seconds; zero when it names none.
func retryAfter(value string, said number) time.Time {
	if at, err := time.Parse(time.RFC1123, value); err == nil {
		return at
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil || seconds < 0 || seconds > longestReset.Seconds() || !said.known {
		return time.Time{}
	}
	return time.UnixMilli(said.count() + int64(seconds*1000)).Truncate(time.Second)
}

// settle implements [dialect].
func (o *opencodeStream) settle(a *account, exit Exit) {
	a.partial = a.end == open && (a.tokens != nil || a.cost != nil)
	if a.end == open && exit.Code == 0 && a.denied != "" { // it stops without a word when a permission is refused
		a.end, a.failure = badly, failure{class: Refused, text: a.denied}
	}
}
