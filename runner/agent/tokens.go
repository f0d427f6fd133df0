package agent

// Tokens counts tokens, in the same way for every agent. Cached ones are not part of Input.
type Tokens struct {
	Input     int64 // read, the cached ones aside
	Output    int64 // written, reasoning included
	Cached    int64 // read from the cache
	Written   int64 // of Input: put into the cache
	Reasoning int64 // of Output: thought, where the agent counts it
}

// Total is all that was read and written.
func (t Tokens) Total() int64 { return t.Input + t.Output + t.Cached }

// plus adds up.
func (t Tokens) plus(more Tokens) Tokens {
	return Tokens{
		Input: t.Input + more.Input, Output: t.Output + more.Output, Cached: t.Cached + more.Cached,
		Written: t.Written + more.Written, Reasoning: t.Reasoning + more.Reasoning,
	}
}

// cacheCount says whether an agent's input figure has in it what the cache took and gave.
type cacheCount int

const (
	cacheApart  cacheCount = iota // Claude, OpenCode, Cursor
	cacheWithin                   // Amp, Codex, Gemini
)

// tokens turns an agent's figures into ours.
func (c cacheCount) tokens(t Tokens) Tokens {
	if c == cacheWithin {
		t.Input = max(t.Input-t.Cached, t.Written)
	} else {
		t.Input += t.Written
	}
	t.Reasoning = min(t.Reasoning, t.Output)
	return t
}
