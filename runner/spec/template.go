package spec

import (
	"fmt"
	"strings"
	"text/template"
)

// fill returns the prompt with its template filled in. The data is a map so that an error names what the user wrote and
// no type of ours.
func fill(r Request) (string, error) {
	parsed, err := template.New("prompt").Option("missingkey=error").Parse(r.Prompt)
	if err != nil {
		return "", fmt.Errorf("read prompt template: %w", err)
	}
	var filled strings.Builder
	err = parsed.Execute(&filled, map[string]any{
		"Iteration": max(r.Context.Iteration, 1),
		"Max":       r.Context.Max,
		"Loop":      r.Loop,
		"Summary":   r.Context.LastSummary,
	})
	if err != nil {
		return "", fmt.Errorf("fill in prompt template: %w", err)
	}
	return filled.String(), nil
}
