package agent

import "encoding/json"

// geminiEvent is one line of Gemini's stream, or the one object of its json format, as far as they are read.
type geminiEvent struct {
	Type       string          `json:"type"`
	Session    string          `json:"session_id"`
	Role       string          `json:"role"`
	Content    string          `json:"content"`
	Delta      bool            `json:"delta"`
	Tool       string          `json:"tool_name"`
	Parameters json.RawMessage `json:"parameters"`
	Severity   string          `json:"severity"`
	Message    string          `json:"message"`
	Status     string          `json:"status"`
	Response   *string         `json:"response"` // json format
	Error      *struct {
		Type    string `json:"type"`
		Message string `json:"message"`
	} `json:"error"`
	Stats struct {
		Input  number                 `json:"input_tokens"`
		Output number                 `json:"output_tokens"`
		Cached number                 `json:"cached"`
		Models map[string]geminiModel `json:"models"`
	} `json:"stats"`
}

// geminiModel counts the tokens of one model: in the stream as the totals do, in the json format in a way of its own.
type geminiModel struct {
	Input  number `json:"input_tokens"`
	Output number `json:"output_tokens"`
	Cached number `json:"cached"`
	Tokens struct {
		Prompt     number `json:"prompt"`
		Candidates number `json:"candidates"`
		Cached     number `json:"cached"`
		Thoughts   number `json:"thoughts"`
	} `json:"tokens"`
}

// geminiStream reads the events of Gemini. Its message is the text since the last tool call, which comes in pieces.
type geminiStream struct{ *transcript }

func newGeminiStream(t *transcript) dialect { return &geminiStream{t} }

// event implements [dialect].
func (g *geminiStream) event(object []byte) error {
	var e geminiEvent
	if err := decode(object, &e); err != nil {
		return err
	}
	if e.Session != "" {
		g.session = e.Session
	}
	switch e.Type {
	case "message":
		g.message(e)
	case "tool_use":
		g.work(e.Tool, e.Parameters)
	case "tool_result":
		g.words.worked()
	case "error":
		g.notice(e.Message)
	case "result":
		g.result(e, e.Status == "success")
	case "":
		if e.Response != nil || e.Error != nil {
			g.whole(e)
		}
	}
	return nil
}

func (g *geminiStream) message(e geminiEvent) {
	switch {
	case e.Role != "assistant": // the prompt, echoed
	case e.Delta:
		g.words.add(e.Content)
		g.piece(e.Content)
	default:
		g.say(e.Content)
	}
}

// whole takes the one object of the json format.
func (g *geminiStream) whole(e geminiEvent) {
	if e.Response != nil {
		g.say(*e.Response)
	}
	g.result(e, e.Error == nil)
}

func (g *geminiStream) result(e geminiEvent, success bool) {
	g.flush()
	g.end, g.failure = well, failure{}
	if !success || e.Error != nil {
		g.end = badly
		if e.Error != nil {
			g.failure.text = e.Error.Message
			if g.failure.text == "" {
				g.failure.text = e.Error.Type
			}
		}
	}
	g.usage = nil
	for name, m := range e.Stats.Models {
		if g.usage == nil {
			g.usage = make(map[string]Tokens, len(e.Stats.Models))
		}
		g.usage[name] = m.count()
	}
	if e.Stats.Input.known || e.Stats.Output.known {
		g.tokens = new(geminiTokens(e.Stats.Input, e.Stats.Output, e.Stats.Cached))
	} else if g.usage != nil {
		var sum Tokens
		for _, t := range g.usage {
			sum = sum.plus(t)
		}
		g.tokens = &sum
	}
	g.spent(g.tokens, nil)
	g.mark(ActivityEnd)
}

// count is what one model used.
func (m geminiModel) count() Tokens {
	if !m.Tokens.Prompt.known {
		return geminiTokens(m.Input, m.Output, m.Cached)
	}
	t := geminiTokens(m.Tokens.Prompt, m.Tokens.Candidates, m.Tokens.Cached)
	t.Reasoning = m.Tokens.Thoughts.count()
	t.Output += t.Reasoning
	return t
}

// geminiTokens are counts whose input has the cached ones in it.
func geminiTokens(input, output, cached number) Tokens {
	return cacheWithin.tokens(Tokens{Input: input.count(), Output: output.count(), Cached: cached.count()})
}

// settle implements [dialect]: what the exit code says counts where the output says no more than that it went wrong.
func (g *geminiStream) settle(a *account, exit Exit) {
	if exit.Code == 0 || a.end == well || a.failure.class != "" {
		return
	}
	class, status := geminiExit(exit.Code)
	if class == "" && status == 0 {
		return
	}
	if a.end == open {
		_, _, a.failure.text = complaintIn(exit.Stderr, stderrLines, exit.Now)
	}
	a.end, a.failure.class, a.failure.status = badly, class, status
}

// geminiExit reads an exit code: some have a meaning of their own, others are the status of an HTTP answer, of which a
// process can return only the last eight bits.
func geminiExit(code int) (Class, int) {
	switch {
	case code == 41 || code == 42 || code == 44 || code == 52 || code == 55: // login, input, sandbox, settings, untrusted folder
		return Refused, 0
	case code == 53 || code == 54: // turns, tool
		return Failed, 0
	case code >= 400-256 && code < 432-256:
		return "", code + 256
	case code >= 500-256 && code <= 255:
		return "", code + 256
	}
	return "", 0
}
