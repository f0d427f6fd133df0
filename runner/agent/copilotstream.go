package agent

import (
	"encoding/json"
	"strings"
)

// copilotEvent is one line of Copilot's stream, as far as it is read.
type copilotEvent struct {
	Type string `json:"type"`
	Data struct {
		Message   string            `json:"message"` // of an error
		MessageID string            `json:"messageId"`
		Content   string            `json:"content"`
		Delta     string            `json:"deltaContent"`
		Requests  []json.RawMessage `json:"toolRequests"`
		Tool      string            `json:"toolName"`
		Arguments json.RawMessage   `json:"arguments"`
		Parent    string            `json:"parentToolCallId"` // of a sub-agent's events
		Status    number            `json:"statusCode"`
		Error     struct {
			Message string `json:"message"`
			Code    string `json:"code"`
		} `json:"error"`
	} `json:"data"`
	Session string `json:"sessionId"`
	Exit    number `json:"exitCode"`
}

// copilotStream reads the events of Copilot. Its last event has the exit code that counts.
type copilotStream struct {
	*transcript
	pieces string // id of the message that was told in pieces
}

func newCopilotStream(t *transcript) dialect { return &copilotStream{transcript: t} }

// event implements [dialect].
func (c *copilotStream) event(object []byte) error {
	var e copilotEvent
	if err := decode(object, &e); err != nil {
		return err
	}
	if e.Data.Parent != "" {
		return nil
	}
	switch e.Type {
	case "assistant.message_delta":
		c.pieces = e.Data.MessageID
		c.piece(e.Data.Delta)
	case "assistant.message":
		c.message(e)
	case "tool.execution_start":
		c.end = open
		c.work(e.Data.Tool, e.Data.Arguments)
	case "tool.execution_complete":
		c.words.worked()
		if strings.Contains(strings.ToLower(e.Data.Error.Code+" "+e.Data.Error.Message), "denied") {
			c.denied = "it was not allowed to use a tool: " + oneLine(e.Data.Error.Message)
		}
	case "session.error":
		c.failure = failure{status: int(min(e.Data.Status.count(), 999)), text: e.Data.Message}
		c.notice(e.Data.Message)
	case "result":
		c.ended(e)
	}
	return nil
}

// message takes a whole message. Its text may have been told in pieces before.
func (c *copilotStream) message(e copilotEvent) {
	c.end, c.failure = open, failure{}
	c.flush()
	if strings.TrimSpace(e.Data.Content) != "" {
		c.words.set(e.Data.Content)
		if c.pieces == "" || c.pieces != e.Data.MessageID {
			c.live.text(e.Data.Content)
		}
	}
	if len(e.Data.Requests) > 0 {
		c.words.worked()
	}
}

func (c *copilotStream) ended(e copilotEvent) {
	c.flush()
	c.session = e.Session
	if e.Exit.known && e.Exit.value == 0 {
		c.end, c.failure = well, failure{}
		return
	}
	c.end = badly
}

// settle implements [dialect].
func (c *copilotStream) settle(a *account, exit Exit) {
	switch {
	case a.end == open && exit.Code != 0 && a.failure.text != "":
		a.end = badly
	case a.end == badly && a.failure.text == "":
		if class, _, line := complaintIn(exit.Stderr, stderrLines, exit.Now); !class.Hopeless() || !a.acted() {
			a.failure.text = line
		}
	}
}
