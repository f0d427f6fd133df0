//go:build agents

package main

import (
	"fmt"
	"net/http"
	"strings"
)

// messages is the Anthropic messages API, which Claude Code speaks.
type messages struct{}

func (messages) asks(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/v1/messages")
}

func (messages) tools(request map[string]any) []string { return toolNames(request["tools"]) }

func (messages) refusal(_ int, text string) any {
	return object{"type": "error", "error": object{"type": "rate_limit_error", "message": text}}
}

func (messages) speak(e *events, t turn, n int) {
	usage := object{"input_tokens": turnInput, "cache_creation_input_tokens": 0, "cache_read_input_tokens": turnCached, "output_tokens": 1}
	e.send("message_start", object{"type": "message_start", "message": object{
		"id": fmt.Sprintf("msg_%d", n), "type": "message", "role": "assistant", "model": "claude-opus-4-8", "content": []any{},
		"stop_reason": nil, "stop_sequence": nil, "usage": usage,
	}})
	index, reason := 0, "end_turn"
	block := func(start object, delta object) {
		e.send("content_block_start", object{"type": "content_block_start", "index": index, "content_block": start})
		e.send("content_block_delta", object{"type": "content_block_delta", "index": index, "delta": delta})
		e.send("content_block_stop", object{"type": "content_block_stop", "index": index})
		index++
	}
	if t.text != "" {
		block(object{"type": "text", "text": ""}, object{"type": "text_delta", "text": t.text})
	}
	call := func(tool string, input object) {
		reason = "tool_use"
		block(object{"type": "tool_use", "id": fmt.Sprintf("toolu_%d", n), "name": tool, "input": object{}},
			object{"type": "input_json_delta", "partial_json": compact(input)})
	}
	if t.file != "" {
		call("Write", object{"file_path": t.file, "content": t.content})
	}
	if t.command != "" {
		call("Bash", object{"command": t.command, "description": "Run it"})
	}
	e.send("message_delta", object{"type": "message_delta", "delta": object{"stop_reason": reason, "stop_sequence": nil},
		"usage": object{"output_tokens": turnOutput}})
	e.send("message_stop", object{"type": "message_stop"})
}
