package agent

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// synthetic is the model of messages that Claude's program makes itself, about errors and limits.
const synthetic = "<synthetic>"

// claudeStream reads the events of Claude and of the agents that print its shapes.
//
// A run can print more than one result, some of them about work in the background: the last one that answers the
// prompt gives text and verdict, the last of all the totals.
type claudeStream struct {
	*transcript
	count  cacheCount
	model  string // as the first event names it
	main   string // model of the main agent's last request
	apiErr string // kind of API failure that the last message was about

	request string // id of the message whose usage is pending
	pending Tokens
	sum     Tokens // of the messages before it
	counted bool   // a usage came

	rejected bool // the last word about the limit was a no
	resetsAt time.Time
	result   *claudeResult // the last one that answers the prompt
	kind     string        // its subtype
	working  bool          // the main agent went on after the last result
}

func newClaudeStream(t *transcript) dialect { return &claudeStream{transcript: t} }
func newAmpStream(t *transcript) dialect    { return &claudeStream{transcript: t, count: cacheWithin} }

// event implements [dialect].
func (c *claudeStream) event(object []byte) error {
	var e claudeEvent
	if err := decode(object, &e); err != nil {
		return err
	}
	if e.Session != "" {
		c.session = e.Session
	}
	switch e.Type {
	case "system":
		c.system(e)
	case "assistant":
		if e.Parent == "" {
			c.assistant(e)
		}
	case "stream_event":
		if e.Parent == "" && e.Event.Type == "message_delta" && e.Event.Usage.Output.known {
			c.pending.Output = e.Event.Usage.Output.count()
		}
	case "rate_limit_event":
		c.limit(e)
	case "result":
		c.ended(e)
	}
	return nil
}

func (c *claudeStream) system(e claudeEvent) {
	switch e.Subtype {
	case "init":
		c.model = e.Model
	case "compact_boundary": // the context is smaller now, and nobody knows by how much
		c.used = nil
		c.notice("the context was compacted")
	case "api_retry":
		c.notice(fmt.Sprintf("%s: trying again (%d of %d)", e.Error, e.Attempt.count(), e.Retries.count()))
	}
}

// assistant takes a message of the main agent, or the part of one: each block of a message is an event of its own,
// with the usage of the whole.
func (c *claudeStream) assistant(e claudeEvent) {
	c.apiErr, c.working = e.Error, true
	m := e.Message
	if m.Model != synthetic {
		c.main = m.Model
		c.spend(m)
	}
	for _, block := range m.Content {
		switch {
		case block.Type == "text" && strings.TrimSpace(block.Text) != "":
			c.say(block.Text)
		case block.Type == "tool_use" || block.Type == "server_tool_use":
			c.work(block.Name, block.Input)
		}
	}
}

// spend counts the usage of a message once.
func (c *claudeStream) spend(m claudeMessage) {
	if !m.Usage.known() {
		return
	}
	c.used = new(m.Usage.context(c.count))
	if m.Usage.Window.count() > 0 {
		c.window = new(m.Usage.Window.count())
	}
	if m.ID != "" && m.ID == c.request {
		return
	}
	c.sum, c.pending = c.sum.plus(c.pending), m.Usage.tokens(c.count)
	c.request, c.counted = m.ID, true
	c.spent(new(c.sum.plus(c.pending)), nil)
}

func (c *claudeStream) limit(e claudeEvent) {
	c.rejected, c.resetsAt = e.Limit.Status == "rejected", time.Time{}
	for _, at := range []number{e.Limit.ResetsAt, e.Limit.Overage} {
		if c.rejected && c.resetsAt.IsZero() && at.count() > 0 {
			c.resetsAt = time.Unix(at.count(), 0)
		}
	}
}

// ended takes a result.
func (c *claudeStream) ended(e claudeEvent) {
	c.working = false
	if e.Usage.known() {
		c.tokens = new(e.Usage.tokens(c.count))
	}
	if cost := e.Cost.amount(); cost != nil {
		c.cost = cost
	}
	if usage := usageOf(e.Models); usage != nil {
		c.usage = usage
		if window := windowOf(e.Models, c.main); window != nil {
			c.window = window
		}
	}
	if e.Origin.Kind != "" && e.Origin.Kind != "human" {
		return
	}
	c.result, c.kind = &e.claudeResult, e.Subtype
	if tools := refusedTools(e.claudeResult); tools != "" {
		c.denied = "it was not allowed to use " + tools
	}
	c.spent(c.tokens, c.cost)
	c.mark(ActivityEnd)
}

// settle implements [dialect].
func (c *claudeStream) settle(a *account, _ Exit) {
	if a.tokens == nil && c.counted {
		a.tokens, a.partial = new(c.sum.plus(c.pending)), c.result == nil
	}
	if a.window == nil && c.result == nil {
		a.window = usualWindow(c.model)
	}
	if c.result == nil || c.working {
		if c.rejected || c.apiErr != "" {
			a.end, a.failure = badly, failure{class: c.class(), reset: c.resetsAt, text: a.words.text()}
		}
		return
	}
	r := c.result
	if strings.TrimSpace(r.Result) != "" {
		a.words = words{message: []byte(ending(r.Result))}
	}
	text := a.words.text()
	switch {
	case !bool(r.IsError) && r.Turns.known && r.Turns.value == 0: // "Unknown command: /x", and exit code 0
		a.end, a.failure = badly, failure{class: Refused, text: text}
	case !bool(r.IsError) && (c.kind == "success" || c.kind == "") && r.Status.count() < 400:
		a.end = well
	default:
		a.end = badly
		a.failure = failure{class: c.class(), status: int(min(r.Status.count(), 999)), reset: c.resetsAt, text: c.why(text)}
	}
}

// why is the error message of a bad result.
func (c *claudeStream) why(text string) string {
	errors := strings.Join(c.result.Errors, "; ")
	switch {
	case errors != "":
		return errors
	case c.kind != "" && c.kind != "success":
		return strings.ReplaceAll(c.kind, "_", " ")
	default:
		return text
	}
}

// class is what the fields alone say about a bad end; empty: nothing.
func (c *claudeStream) class() Class {
	if r := c.result; r != nil {
		if slices.Contains([]string{"blocking_limit", "prompt_too_long"}, r.Terminal) || strings.HasPrefix(c.kind, "error_max_") {
			return Failed // the context is full, or a limit for this run was met: no time lifts it
		}
		if c.rejected && c.kind == "success" {
			return RateLimited
		}
	} else if c.rejected {
		return RateLimited
	}
	switch c.apiErr {
	case "rate_limit":
		return RateLimited
	case "overloaded", "server_error":
		return Transient
	case "authentication_failed", "oauth_org_not_allowed":
		return Refused
	case "billing_error":
		return OutOfBudget
	}
	return "" // an invalid request, for instance: an empty purse is one, too
}

// refusedTools names the tools that were refused, each once.
func refusedTools(r claudeResult) string {
	var names []string
	for _, denial := range r.Denials {
		if name := oneLine(denial.Tool); name != "" && !slices.Contains(names, name) && len(names) < 10 {
			names = append(names, name)
		}
	}
	return strings.Join(names, ", ")
}
