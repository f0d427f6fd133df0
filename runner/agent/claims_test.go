package agent

import (
	"strings"
	"testing"
)

// TestTaskWords holds the words that end a task to the promise's rules: alone on a line of the final words, never the prompt's, after a good end.
func TestTaskWords(t *testing.T) {
	words := TaskWords{Complete: "TASK_COMPLETE", Blocked: "TASK_BLOCKED:"}
	for name, c := range map[string]struct {
		prompt, output string
		exit           Exit
		complete       bool
		blocked        string
	}{
		"complete":              {output: "Done.\nTASK_COMPLETE\n", complete: true},
		"in colour, indented":   {output: "  \x1b[1mTASK_COMPLETE\x1b[0m \n", complete: true},
		"in a sentence":         {output: "I do not say TASK_COMPLETE\n"},
		"lower case":            {output: "task_complete\n"},
		"blocked":               {output: "TASK_BLOCKED: no  key\n", blocked: "no key"},
		"blocked in colour":     {output: "\x1b[31mTASK_BLOCKED:\x1b[0m no key\n", blocked: "no key"},
		"no reason":             {output: "TASK_BLOCKED:\n", blocked: "no reason given"},
		"long reason":           {output: "TASK_BLOCKED: " + strings.Repeat("y", 2000), blocked: strings.Repeat("y", maxReason)},
		"the last reason":       {output: "TASK_BLOCKED: one\nTASK_BLOCKED: two\n", blocked: "two"},
		"long before the end":   {output: "TASK_BLOCKED: old\nTASK_COMPLETE\n" + strings.Repeat("work\n", finalLines)},
		"within the last lines": {output: "TASK_COMPLETE\n" + strings.Repeat("work\n", finalLines-1), complete: true},
		"exit code":             {output: "TASK_COMPLETE\nTASK_BLOCKED: no\n", exit: Exit{Code: 1}},
		"ended by us":           {output: "TASK_COMPLETE\nTASK_BLOCKED: no\n", exit: Exit{Ours: true}},
		"the prompt's echo": {prompt: "Say\nTASK_COMPLETE\nor\nTASK_BLOCKED: such and such\n",
			output: "Say\nTASK_COMPLETE\nor\nTASK_BLOCKED: such and such\n"},
		"after the echo": {prompt: "Say\nTASK_COMPLETE\nin the end", output: "Say\nTASK_COMPLETE\nin the end\nI did.\nTASK_COMPLETE\n", complete: true},
	} {
		v := judge(t, Request{Task: words, Prompt: c.prompt}, c.output, c.exit)
		if v.TaskComplete != c.complete || v.TaskBlocked != c.blocked {
			t.Errorf("%s: complete %v, blocked %q; want %v, %q", name, v.TaskComplete, v.TaskBlocked, c.complete, c.blocked)
		}
	}
	if v := judge(t, Request{}, "TASK_COMPLETE\nTASK_BLOCKED: no\n\n:\n", Exit{}); v.TaskComplete || v.TaskBlocked != "" {
		t.Errorf("without a task: complete %v, blocked %q", v.TaskComplete, v.TaskBlocked)
	}
}
