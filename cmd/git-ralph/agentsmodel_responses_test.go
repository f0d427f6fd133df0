//go:build agents

package main

import (
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
)

// responses is the OpenAI responses API, which Codex speaks.
type responses struct{}

func (responses) asks(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/responses")
}

func (responses) tools(request map[string]any) []string { return toolNames(request["tools"]) }

func (responses) refusal(_ int, text string) any {
	return object{"error": object{"message": text, "type": "rate_limit_exceeded", "code": "rate_limit_exceeded"}}
}

func (responses) speak(e *events, t turn, n int) {
	id := fmt.Sprintf("resp_%d", n)
	e.send("response.created", object{"type": "response.created", "response": object{"id": id}})
	index := 0
	item := func(item object) {
		e.send("response.output_item.done", object{"type": "response.output_item.done", "output_index": index, "item": item})
		index++
	}
	if t.text != "" {
		item(object{"type": "message", "role": "assistant", "id": fmt.Sprintf("msg_%d", n), "content": []any{object{"type": "output_text", "text": t.text}}})
	}
	command := t.command
	if t.file != "" { // it has no tool of its own for a new file, but a shell
		command = fmt.Sprintf("mkdir -p '%s' && printf '%%s' '%s' > '%s'", filepath.Dir(t.file), t.content, t.file)
	}
	if command != "" {
		item(object{"type": "function_call", "call_id": fmt.Sprintf("call_%d", n), "name": "exec_command", "arguments": compact(object{"cmd": command})})
	}
	e.send("response.completed", object{"type": "response.completed", "response": object{"id": id, "usage": object{
		"input_tokens": turnInput + turnCached, "input_tokens_details": object{"cached_tokens": turnCached},
		"output_tokens": turnOutput, "output_tokens_details": object{"reasoning_tokens": 0}, "total_tokens": turnInput + turnCached + turnOutput,
	}}})
}
