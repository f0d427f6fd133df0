package agent

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

// cursorEvent is one line of Cursor's stream, as far as it is read.
type cursorEvent struct {
	Type    string              `json:"type"`
	Subtype string              `json:"subtype"`
	Session string              `json:"session_id"`
	Time    number              `json:"timestamp_ms"`
	Call    string              `json:"model_call_id"`
	Message claudeMessage       `json:"message"`
	IsError truth               `json:"is_error"`
	Result  string              `json:"result"`
	Tool    map[string]struct { // one entry: its key is the kind of the tool, "function" for any other
		Args json.RawMessage `json:"args"`
		Name string          `json:"name"`
	} `json:"tool_call"`
	Usage struct {
		Input   number `json:"inputTokens"`
		Output  number `json:"outputTokens"`
		Cached  number `json:"cacheReadTokens"`
		Written number `json:"cacheWriteTokens"`
	} `json:"usage"`
}

// cursorStream reads the events of Cursor. With partial output a message comes in pieces, and once more as a whole.
type cursorStream struct {
	*transcript
	result *string // what the last event says: all messages, one behind the other, with nothing between
}

func newCursorStream(t *transcript) dialect { return &cursorStream{transcript: t} }

// event implements [dialect].
func (c *cursorStream) event(object []byte) error {
	var e cursorEvent
	if err := decode(object, &e); err != nil {
		return err
	}
	if e.Session != "" {
		c.session = e.Session
	}
	switch e.Type {
	case "thinking":
		if c.end != open { // it works on after its last word
			c.end = open
			c.mark(ActivityMore)
		}
	case "assistant":
		c.assistant(e)
	case "tool_call":
		if e.Subtype == "started" {
			c.end = open
			for kind, call := range e.Tool {
				if call.Args != nil || call.Name != "" {
					c.work(cmp.Or(call.Name, kind), call.Args)
				}
			}
		}
		c.words.worked()
	case "result":
		c.ended(e)
	}
	return nil
}

func (c *cursorStream) assistant(e cursorEvent) {
	var text strings.Builder
	for _, block := range e.Message.Content {
		if block.Type == "text" {
			text.WriteString(block.Text)
		}
	}
	c.end = open
	if e.Time.known && e.Call == "" { // a piece
		c.words.add(text.String())
		c.piece(text.String())
		return
	}
	repeated := c.words.open && strings.HasSuffix(c.words.text(), ending(text.String()))
	c.flush()
	c.words.set(text.String())
	if !repeated {
		c.live.text(text.String())
	}
}

func (c *cursorStream) ended(e cursorEvent) {
	c.flush()
	c.result = &e.Result
	c.end, c.failure = well, failure{}
	if bool(e.IsError) || e.Subtype != "success" && e.Subtype != "" {
		c.end, c.failure = badly, failure{text: e.Result}
	}
	if u := e.Usage; u.Input.known || u.Output.known {
		c.tokens = new(cacheApart.tokens(Tokens{
			Input: u.Input.count(), Output: u.Output.count(), Cached: u.Cached.count(), Written: u.Written.count(),
		}))
		c.spent(c.tokens, nil)
	}
	c.mark(ActivityOver)
}

// settle implements [dialect]. The last message must be the end of the result: if it is not, a message was lost.
func (c *cursorStream) settle(a *account, _ Exit) {
	if c.result == nil || a.words.stale {
		return
	}
	said := strings.TrimSpace(a.words.text())
	if said == "" || !strings.HasSuffix(strings.TrimSpace(*c.result), said) {
		a.words = words{message: slices.Clone([]byte(ending(*c.result)))}
	}
}
