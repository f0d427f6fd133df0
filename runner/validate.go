package runner

import (
	"fmt"
	"slices"
	"strings"
)

// rule is one that the values of a configuration keep.
type rule struct {
	broken bool
	fact   string // what is wrong then
	hint   string
}

// inRange is the rule of a number.
func inRange(key string, value any, broken bool, hint string) rule {
	return rule{broken, fmt.Sprintf("%s: %v is out of range", key, value), hint}
}

// validate checks the values of a configuration that no repository is needed for.
func (c Config) validate() error {
	for _, rule := range c.rules() {
		if rule.broken {
			return &InvalidError{Fact: rule.fact, Hints: []string{rule.hint}}
		}
	}
	return nil
}

// rules are in the order in which a user is to hear of them.
func (c Config) rules() []rule {
	empty := func(command string) bool { return strings.TrimSpace(command) == "" }
	return []rule{
		{len(c.Command) == 0 && c.Agent == DefaultConfig().Agent, "no agent is given", `git ralph start --command "my-agent --flag" "the prompt"`},
		{len(c.Command) > 0 && c.Command[0] == "", "the agent's program is an empty word", `--command "my-agent --flag"`},
		inRange("max_iterations", c.MaxIterations, c.MaxIterations < 0, "--max-iterations 20 (0: no limit)"),
		inRange("max_failures", c.MaxFailures, c.MaxFailures < 0, "--max-failures 3 (0: no limit)"),
		inRange("no_progress", c.NoProgress, c.NoProgress < 0, "--no-progress 3 (0: no limit)"),
		inRange("max_cost", c.MaxCost, c.MaxCost < 0, "--max-cost 5 (0: no limit)"),
		inRange("max_tokens", c.MaxTokens, c.MaxTokens < 0, "--max-tokens 1000000 (0: no limit)"),
		inRange("max_retries", c.MaxRetries, c.MaxRetries < 0, "--max-retries 10 (0: no limit)"),
		{c.Permissions != "" && c.Permissions != "all", fmt.Sprintf("permissions: %q is neither empty nor all", c.Permissions), "--yolo"},
		inRange("max_spec_tokens", c.MaxSpecTokens, c.MaxSpecTokens < 0, "--max-spec-tokens 5000 (0: no warning)"),
		inRange("max_context_tokens", c.MaxContextTokens, c.MaxContextTokens < 1, "--max-context-tokens 2000, or --no-iteration-context"),
		inRange("snapshot.max_file_size", c.MaxFileSize, c.MaxFileSize < 0, "--max-file-size 100MB"),
		{strings.ContainsAny(c.Promise, "\n\r<>"), fmt.Sprintf("completion promise %q is more than a line of plain text", c.Promise), "--completion-promise COMPLETE"},
		{c.VerifyWhen != VerifyPromise && c.VerifyWhen != VerifyAlways, fmt.Sprintf("verify_when: %q is neither promise nor always", c.VerifyWhen), "--verify-when promise"},
		{slices.ContainsFunc(c.Verify, empty), "a verify command is empty", `--verify "go test ./..."`},
	}
}
