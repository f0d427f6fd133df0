package agent

import (
	"encoding/json"
	"strings"
	"time"
)

// codexEvent is one line of Codex's stream, as far as it is read.
type codexEvent struct {
	Type    string    `json:"type"`
	Thread  string    `json:"thread_id"`
	Message string    `json:"message"`
	Item    codexItem `json:"item"`
	Error   struct {
		Message string `json:"message"`
	} `json:"error"`
	Usage struct {
		Input     number `json:"input_tokens"`
		Cached    number `json:"cached_input_tokens"`
		Written   number `json:"cache_write_input_tokens"`
		Output    number `json:"output_tokens"`
		Reasoning number `json:"reasoning_output_tokens"`
	} `json:"usage"`
}

type codexItem struct {
	ID      string `json:"id"`
	Type    string `json:"type"`
	Text    string `json:"text"`
	Message string `json:"message"`
	Status  string `json:"status"`
	Command string `json:"command"`
	Server  string `json:"server"`
	Tool    string `json:"tool"`
	Query   string `json:"query"`
	Changes []struct {
		Path string `json:"path"`
	} `json:"changes"`
	Arguments json.RawMessage `json:"arguments"`
}

// maxOpenItems is how many items are remembered that have begun and not ended.
const maxOpenItems = 1000

// codexStream reads the events of Codex. Its error events and error items are warnings: only the end of the turn says
// how it ended.
type codexStream struct {
	*transcript
	started map[string]bool // ids of the items that were told when they began, and go on
	warning string          // last error event
}

func newCodexStream(t *transcript) dialect {
	return &codexStream{transcript: t, started: map[string]bool{}}
}

// event implements [dialect].
func (c *codexStream) event(object []byte) error {
	var e codexEvent
	if err := decode(object, &e); err != nil {
		return err
	}
	switch e.Type {
	case "thread.started":
		c.session = e.Thread
	case "turn.started":
		c.end, c.failure = open, failure{}
	case "item.started", "item.completed":
		c.item(e)
	case "error":
		c.warning = e.Message
		c.notice(e.Message)
	case "turn.failed":
		c.end, c.failure = badly, codexFailure(e.Error.Message)
	case "turn.completed":
		c.completed(e)
	}
	return nil
}

// item takes something that the agent did. What it uses a tool for is told when it begins.
func (c *codexStream) item(e codexEvent) {
	name, target := "", ""
	switch i := e.Item; i.Type {
	case "agent_message":
		if e.Type == "item.completed" {
			c.say(i.Text)
		}
		return
	case "command_execution":
		name, target = i.Type, i.Command
	case "file_change":
		var paths []string
		for _, change := range i.Changes {
			paths = append(paths, change.Path)
		}
		name, target = i.Type, strings.Join(paths, " ")
	case "mcp_tool_call":
		name, target = i.Server+"."+i.Tool, targetOf(i.Arguments)
	case "web_search":
		name, target = i.Type, i.Query
	case "collab_tool_call":
		name, target = i.Type, i.Tool
	default: // thoughts, lists, warnings
		return
	}
	c.words.worked()
	if e.Item.Status == "declined" {
		c.denied = "it was not allowed to use " + oneLine(name)
	}
	if !c.started[e.Item.ID] {
		c.use(name, target)
	}
	delete(c.started, e.Item.ID)
	if e.Type == "item.started" && len(c.started) < maxOpenItems {
		c.started[e.Item.ID] = true
	}
}

// completed takes the good end of a turn. Its counts are those of the whole thread.
func (c *codexStream) completed(e codexEvent) {
	c.end, c.failure = well, failure{}
	if u := e.Usage; u.Input.known || u.Output.known {
		c.tokens = new(cacheWithin.tokens(Tokens{
			Input: u.Input.count(), Output: u.Output.count(), Cached: u.Cached.count(), Written: u.Written.count(), Reasoning: u.Reasoning.count(),
		}))
		c.spent(c.tokens, nil)
		c.mark(ActivityEnd)
	}
}

// codexFailure reads the message of a failed turn, which may be a provider's answer in JSON.
func codexFailure(message string) failure {
	var answer struct {
		Status number `json:"status"`
		Detail string `json:"detail"`
		Error  struct {
			Message  string `json:"message"`
			Type     string `json:"type"`
			Code     string `json:"code"`
			ResetsAt number `json:"resets_at"`
		} `json:"error"`
	}
	start := strings.IndexByte(message, '{')
	if start < 0 || decode([]byte(message[start:]), &answer) != nil {
		return failure{text: message}
	}
	f := failure{status: int(min(answer.Status.count(), 999)), text: answer.Error.Message}
	if f.text == "" {
		f.text = answer.Detail
	}
	if f.text == "" {
		f.text = message
	}
	switch {
	case answer.Error.Type == "usage_limit_reached" || answer.Error.Code == "rate_limit_exceeded":
		f.class = RateLimited
	case answer.Error.Type == "insufficient_quota" || answer.Error.Code == "insufficient_quota":
		f.class = OutOfBudget
	}
	if at := answer.Error.ResetsAt.count(); at > 0 {
		f.reset = time.Unix(at, 0)
	}
	return f
}

// settle implements [dialect].
func (c *codexStream) settle(a *account, exit Exit) {
	if a.end == open && exit.Code != 0 && c.warning != "" {
		a.end, a.failure = badly, codexFailure(c.warning)
	}
}
