package agent

import (
	"encoding/json"
	"strings"
)

// claudeEvent is one line of Claude's stream, as far as it is read. Amp and Qwen print the same shapes.
type claudeEvent struct {
	Type    string        `json:"type"`
	Subtype string        `json:"subtype"`
	Session string        `json:"session_id"`
	Model   string        `json:"model"`
	Parent  string        `json:"parent_tool_use_id"` // of a sub-agent's events
	Message claudeMessage `json:"message"`
	Error   string        `json:"error"` // kind of an API failure
	Attempt number        `json:"attempt"`
	Retries number        `json:"max_retries"`
	Limit   struct {
		Status   string `json:"status"`
		ResetsAt number `json:"resetsAt"`
		Overage  number `json:"overageResetsAt"`
	} `json:"rate_limit_info"`
	Event struct { // with partial messages
		Type  string      `json:"type"`
		Usage claudeUsage `json:"usage"`
	} `json:"event"`
	claudeResult
}

// claudeResult is what the event at the end says.
type claudeResult struct {
	IsError  truth                  `json:"is_error"`
	Status   number                 `json:"api_error_status"`
	Turns    number                 `json:"num_turns"`
	Result   string                 `json:"result"`
	Errors   []string               `json:"errors"`
	Terminal string                 `json:"terminal_reason"`
	Cost     number                 `json:"total_cost_usd"`
	Usage    claudeUsage            `json:"usage"`
	Models   map[string]claudeModel `json:"modelUsage"`
	Denials  []struct {
		Tool string `json:"tool_name"`
	} `json:"permission_denials"`
	Origin struct {
		Kind string `json:"kind"`
	} `json:"origin"`
}

// claudeMessage is a message of the model.
type claudeMessage struct {
	ID      string       `json:"id"`
	Model   string       `json:"model"`
	Content claudeBlocks `json:"content"`
	Usage   claudeUsage  `json:"usage"`
}

// claudeBlocks is a message's content: a list of blocks, or one text.
type claudeBlocks []claudeBlock

type claudeBlock struct {
	Type  string          `json:"type"`
	Text  string          `json:"text"`
	Name  string          `json:"name"`
	Input json.RawMessage `json:"input"`
}

// UnmarshalJSON never fails: what is neither list nor text is empty.
func (b *claudeBlocks) UnmarshalJSON(content []byte) error {
	*b = nil
	var text string
	if json.Unmarshal(content, &text) == nil {
		*b = claudeBlocks{{Type: "text", Text: text}}
		return nil
	}
	var list []json.RawMessage
	if json.Unmarshal(content, &list) == nil {
		for _, raw := range list {
			var block claudeBlock
			if decode(raw, &block) == nil {
				*b = append(*b, block)
			}
		}
	}
	return nil
}

// claudeUsage counts the tokens of one request, or of a run.
type claudeUsage struct {
	Input   number `json:"input_tokens"`
	Written number `json:"cache_creation_input_tokens"`
	Cached  number `json:"cache_read_input_tokens"`
	Output  number `json:"output_tokens"`
	Window  number `json:"max_tokens"` // Amp: the context window
}

// claudeModel counts the tokens that a run used of one model.
type claudeModel struct {
	Input   number `json:"inputTokens"`
	Output  number `json:"outputTokens"`
	Cached  number `json:"cacheReadInputTokens"`
	Written number `json:"cacheCreationInputTokens"`
	Window  number `json:"contextWindow"`
}

// tokens are the counts as we count.
func (u claudeUsage) tokens(count cacheCount) Tokens {
	return count.tokens(Tokens{Input: u.Input.count(), Output: u.Output.count(), Cached: u.Cached.count(), Written: u.Written.count()})
}

// context is how many tokens the request had.
func (u claudeUsage) context(count cacheCount) int64 {
	if count == cacheWithin {
		return u.Input.count()
	}
	return u.Input.count() + u.Written.count() + u.Cached.count()
}

// known reports whether the usage was told at all.
func (u claudeUsage) known() bool { return u.Input.known || u.Output.known }

// usageOf are the tokens by model, nil when none is named.
func usageOf(models map[string]claudeModel) map[string]Tokens {
	var usage map[string]Tokens
	for name, m := range models {
		if usage == nil {
			usage = make(map[string]Tokens, len(models))
		}
		usage[name] = cacheApart.tokens(Tokens{
			Input: m.Input.count(), Output: m.Output.count(), Cached: m.Cached.count(), Written: m.Written.count(),
		})
	}
	return usage
}

// windowOf is the context window of the model that messages name, nil when it is not known. The key may carry a suffix
// in brackets that the messages do not have.
func windowOf(models map[string]claudeModel, model string) *int64 {
	for name, m := range models {
		if (bareModel(name) == bareModel(model) || len(models) == 1) && m.Window.count() > 0 {
			return new(m.Window.count())
		}
	}
	return nil
}

// usualWindow is the window of Claude's models, until the result says it.
func usualWindow(model string) *int64 {
	switch {
	case strings.HasSuffix(model, "[1m]"):
		return new(int64(1_000_000))
	case strings.HasPrefix(model, "claude-"):
		return new(int64(200_000))
	}
	return nil
}

// bareModel is a model's name without a suffix in brackets.
func bareModel(name string) string {
	bare, _, _ := strings.Cut(name, "[")
	return bare
}
