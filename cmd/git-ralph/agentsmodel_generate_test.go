//go:build agents

package main

import (
	"net/http"
	"strings"
)

// generate is the Gemini API with its streamGenerateContent, which Gemini CLI speaks.
type generate struct{}

func (generate) asks(r *http.Request) bool {
	return r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, ":streamGenerateContent")
}

func (generate) tools(request map[string]any) []string {
	var names []string
	list, _ := request["tools"].([]any)
	for _, group := range list {
		group, _ := group.(object)
		names = append(names, toolNames(group["functionDeclarations"])...)
	}
	return names
}

func (generate) refusal(status int, text string) any {
	return object{"error": object{"code": status, "message": text, "status": "RESOURCE_EXHAUSTED"}}
}

func (generate) speak(e *events, t turn, _ int) {
	var parts []any
	if t.text != "" {
		parts = append(parts, object{"text": t.text})
	}
	if t.file != "" {
		parts = append(parts, object{"functionCall": object{"name": "write_file", "args": object{"file_path": t.file, "content": t.content}}})
	}
	if t.command != "" {
		parts = append(parts, object{"functionCall": object{"name": "run_shell_command", "args": object{"command": t.command}}})
	}
	e.send("", object{
		"candidates": []any{object{"content": object{"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}},
		"usageMetadata": object{
			"promptTokenCount": turnInput + turnCached, "cachedContentTokenCount": turnCached, "candidatesTokenCount": turnOutput,
			"totalTokenCount": turnInput + turnCached + turnOutput,
		},
		"modelVersion": "scripted",
	})
}
