package agent

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownOutput is returned for an output format that there is no reader for.
var ErrUnknownOutput = errors.New("unknown output format")

// The output formats that more than one place names. [Outputs] has them all.
const (
	outputText   = "text"
	outputAider  = "aider-text"
	claudeOutput = "claude-stream"
)

// output is a format that agents print.
type output struct {
	name   string
	tells  Telling
	reader func(Request) Reader
}

// outputs is every format that can be read, in the order in which they are told to the user.
func outputs() []output {
	stream := func(make func(*transcript) dialect) func(Request) Reader {
		return func(r Request) Reader { return newStreamReader(r, make) }
	}
	document := func(make func(*transcript) dialect) func(Request) Reader {
		return func(r Request) Reader { return newDocumentReader(r, make) }
	}
	tokens := Telling{Tokens: true}
	return []output{
		{outputText, Telling{}, func(r Request) Reader { return agentText{&textReader{request: r}} }},
		{claudeOutput, Telling{Tokens: true, Cost: true, Context: true}, stream(newClaudeStream)},
		{"claude-json", Telling{Tokens: true, Cost: true}, document(newClaudeStream)},
		{"amp-stream", Telling{Tokens: true, Context: true}, stream(newAmpStream)},
		{"qwen-stream", tokens, stream(newAmpStream)},
		{"qwen-json", tokens, document(newAmpStream)},
		{"opencode-stream", Telling{Tokens: true, Cost: true}, stream(newOpencodeStream)},
		{"codex-stream", tokens, stream(newCodexStream)},
		{"gemini-stream", tokens, stream(newGeminiStream)},
		{"gemini-json", tokens, document(newGeminiStream)},
		{"cursor-stream", tokens, stream(newCursorStream)},
		{"copilot-stream", Telling{}, stream(newCopilotStream)},
		{outputAider, Telling{Tokens: true, Cost: true}, func(r Request) Reader { return newAiderText(r) }},
	}
}

// Outputs returns the names of the output formats that can be read.
func Outputs() []string {
	var names []string
	for _, output := range outputs() {
		names = append(names, output.name)
	}
	return names
}

// findOutput returns the format of that name. An error wraps [ErrUnknownOutput] and names those that there are.
func findOutput(name string) (output, error) {
	for _, output := range outputs() {
		if output.name == name {
			return output, nil
		}
	}
	return output{}, fmt.Errorf("find output format %q: %w: known are %s", name, ErrUnknownOutput, strings.Join(Outputs(), ", "))
}
