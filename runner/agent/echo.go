package agent

import (
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// promptEcho knows the lines of a prompt, to tell them from what an agent says of its own accord.
//
// Many programs print the prompt before they begin, or fail and print nothing else. The prompt that we write holds no
// line that counts, but the user's part of it may well: "print this when you are done", and the element below it.
type promptEcho struct {
	prompt []string // trimmed, without blank lines
}

func newPromptEcho(prompt string) promptEcho { return promptEcho{filled(prompt)} }

// filled returns the lines of text that are not blank, trimmed.
func filled(text string) []string {
	var full []string
	for line := range strings.Lines(lines.Plain(text)) {
		if line = strings.TrimSpace(line); line != "" {
			full = append(full, line)
		}
	}
	return full
}

// repeats reports whether output[i] is the prompt's line and not the agent's own. A line that says more than what is
// looked for (whole is false) is the prompt's when the prompt has it. One that is no more than that, which an agent has
// to print in these very words, is the prompt's only between the same two lines as in the prompt. The lines of output
// are trimmed and none is blank.
func (e promptEcho) repeats(output []string, i int, whole bool) bool {
	for j, line := range e.prompt {
		if line != output[i] {
			continue
		}
		if !whole {
			return true
		}
		sameBefore := j == 0 || i > 0 && output[i-1] == e.prompt[j-1]
		sameAfter := j == len(e.prompt)-1 || i < len(output)-1 && output[i+1] == e.prompt[j+1]
		if sameBefore && sameAfter {
			return true
		}
	}
	return false
}
