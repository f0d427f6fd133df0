//go:build agents

package main

import (
	"fmt"
	"net/http"
	"strings"
)

// chat is the OpenAI chat completions API, which OpenCode speaks with most providers.
type chat struct{}

func (chat) asks(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/chat/completions")
}

func (chat) tools(request map[string]any) []string { return toolNames(request["tools"]) }

func (chat) refusal(_ int, text string) any {
	return object{"error": object{"message": text, "type": "rate_limit_exceeded", "code": "rate_limit_exceeded"}}
}

func (chat) speak(e *events, t turn, n int) {
	reason := "stop"
	choice := func(delta object, finish any) object {
		return object{"id": fmt.Sprintf("chatcmpl-%d", n), "object": "chat.completion.chunk", "created": 1, "model": "scripted",
			"choices": []any{object{"index": 0, "delta": delta, "finish_reason": finish}}}
	}
	if t.text != "" {
		e.send("", choice(object{"role": "assistant", "content": t.text}, nil))
	}
	call := func(tool string, arguments object) {
		reason = "tool_calls"
		e.send("", choice(object{"role": "assistant", "tool_calls": []any{object{"index": 0, "id": fmt.Sprintf("call_%d", n), "type": "function",
			"function": object{"name": tool, "arguments": compact(arguments)}}}}, nil))
	}
	if t.file != "" {
		call("write", object{"filePath": t.file, "content": t.content})
	}
	if t.command != "" {
		call("bash", object{"command": t.command, "description": "Run it"})
	}
	last := choice(object{}, reason)
	last["usage"] = object{"prompt_tokens": turnInput + turnCached, "completion_tokens": turnOutput, "total_tokens": turnInput + turnCached + turnOutput,
		"prompt_tokens_details": object{"cached_tokens": turnCached}}
	e.send("", last)
	fmt.Fprint(e.w, "data: [DONE]\n\n")
}
