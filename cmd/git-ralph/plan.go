package main

import (
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/runner"
)

// planJSON is the answer of start --dry-run.
type planJSON struct {
	Type      string         `json:"type"` // "plan"
	Schema    int            `json:"schema"`
	Loop      string         `json:"loop"`
	Branch    string         `json:"branch"`
	Argv      []string       `json:"argv"`
	Prompt    string         `json:"prompt"` // of the first iteration
	Worktree  *string        `json:"worktree"`
	Verify    []string       `json:"verify"`
	Limits    map[string]any `json:"limits"`
	Untrusted []claimJSON    `json:"untrusted"` // what needs a yes first
}

// claimJSON is something that needs a yes.
type claimJSON struct {
	Kind   string `json:"kind"`
	Value  string `json:"value"`
	Source string `json:"source"`
}

// limitKeys are the settings that stop a loop or an iteration, in the order of the plan.
func limitKeys() []string {
	return []string{"max_iterations", "timeout", "stall_timeout", "max_duration", "max_failures", "no_progress", "max_cost", "max_tokens", "verify_timeout"}
}

func planOf(p runner.Plan, q runner.StartRequest, unknown []runner.Claim) planJSON {
	limits := map[string]any{}
	c := choices{Config: q.Config}
	for _, key := range limitKeys() {
		if s, ok := findSetting(func(s setting) bool { return s.key == key }); ok {
			limits[key] = s.show(c)
		}
	}
	return planJSON{
		Type: "plan", Schema: jsonSchema, Loop: p.Name, Branch: p.Branch, Argv: notNil(p.Argv), Prompt: p.Prompt, Worktree: some(p.Worktree),
		Verify: notNil(q.Config.Verify), Limits: limits, Untrusted: claimsJSON(unknown),
	}
}

func claimsJSON(claims []runner.Claim) []claimJSON {
	answer := []claimJSON{}
	for _, c := range claims {
		answer = append(answer, claimJSON{Kind: c.Kind, Value: c.Value, Source: c.Source})
	}
	return answer
}

// renderPlan prints a plan for a person.
func (a *app) renderPlan(p runner.Plan, q runner.StartRequest, unknown []runner.Claim) error {
	l := lookOf(a.outTerm)
	var b strings.Builder
	fact := func(label, text string) { fmt.Fprintf(&b, "%s%s\n", l.faint(left(label, 10)), text) }
	fact("loop", p.Name)
	fact("branch", p.Branch)
	if p.Worktree != "" {
		fact("worktree", flat(p.Worktree))
	}
	fact("agent", flat(shellWords(shortArgv(p.Argv, p.Prompt))))
	for _, v := range q.Config.Verify {
		fact("verify", flat(v))
	}
	fact("limits", limitWords(q.Config))
	for _, c := range unknown {
		fact("needs yes", flat(c.Kind+": "+c.Value+" ("+c.Source+")"))
	}
	b.WriteString(l.faint("prompt") + "\n")
	for _, line := range paragraphs(p.Prompt) {
		b.WriteString(strings.TrimRight("    "+line, " ") + "\n")
	}
	return a.print("%s", strings.TrimSuffix(b.String(), "\n"))
}

// shortArgv shows the prompt, which stands below, by its placeholder.
func shortArgv(argv []string, prompt string) []string {
	short := make([]string, len(argv))
	for i, arg := range argv {
		short[i] = arg
		if prompt != "" {
			short[i] = strings.ReplaceAll(arg, prompt, "{prompt}")
		}
	}
	return short
}

// limitWords names the limits that are on.
func limitWords(c runner.Config) string {
	var words []string
	add := func(on bool, text string) {
		if on {
			words = append(words, text)
		}
	}
	add(c.MaxIterations > 0, counted(c.MaxIterations, "iteration"))
	add(c.Timeout > 0, c.Timeout.String()+" each")
	add(c.StallTimeout > 0, c.StallTimeout.String()+" without a sign of life")
	add(c.MaxDuration > 0, c.MaxDuration.String()+" in all")
	add(c.MaxFailures > 0, counted(c.MaxFailures, "failure")+" in a row")
	add(c.NoProgress > 0, fmt.Sprintf("%d without progress", c.NoProgress))
	add(c.MaxCost > 0, costWords(c.MaxCost))
	add(c.MaxTokens > 0, counted(c.MaxTokens, "token"))
	if words == nil {
		return "none"
	}
	return strings.Join(words, ", ")
}
