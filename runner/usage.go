package runner

import (
	"fmt"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// usage adds up what the runs of one iteration's agent used: those that were waited for and tried again count too. A nil pointer is unknown.
type usage struct {
	tokens *gitstate.Tokens
	cost   *float64
	models map[string]gitstate.Tokens
}

// add counts one run.
func (u *usage) add(v agent.Verdict) {
	u.tokens, u.cost = u.with(v.Tokens, v.CostUSD)
	for model, t := range v.Usage {
		if u.models == nil {
			u.models = map[string]gitstate.Tokens{}
		}
		u.models[model] = sumTokens(u.models[model], t)
	}
}

// with returns the sums with a run's figures in them.
func (u *usage) with(tokens *agent.Tokens, cost *float64) (*gitstate.Tokens, *float64) {
	sum, spent := u.tokens, u.cost
	if tokens != nil {
		var before gitstate.Tokens
		if sum != nil {
			before = *sum
		}
		after := sumTokens(before, *tokens)
		sum = &after
	}
	if cost != nil {
		after := *cost
		if spent != nil {
			after += *spent
		}
		spent = &after
	}
	return sum, spent
}

func sumTokens(a gitstate.Tokens, b agent.Tokens) gitstate.Tokens {
	return gitstate.Tokens{Input: a.Input + b.Input, Output: a.Output + b.Output, Cached: a.Cached + b.Cached}
}

// overBudget reports whether a loop with these totals, and what an iteration used beside, is at one of its budgets.
func overBudget(c Config, t gitstate.Totals, tokens *gitstate.Tokens, cost *float64) bool {
	var used int64
	for _, part := range []*gitstate.Tokens{t.Tokens, tokens} {
		if part != nil {
			used += part.Input + part.Output
		}
	}
	var spent float64
	for _, part := range []*float64{t.CostUSD, cost} {
		if part != nil {
			spent += *part
		}
	}
	return c.MaxTokens > 0 && used >= int64(c.MaxTokens) || c.MaxCost > 0 && costs(spent, c.MaxCost)
}

// checkTelling refuses a budget on what the agent does not tell.
func checkTelling(c Config, tells agent.Telling) error {
	missing := ""
	switch {
	case c.AllowUnknownCost:
	case c.MaxCost > 0 && !tells.Cost:
		missing = "max_cost: this agent does not tell what it costs"
	case c.MaxTokens > 0 && !tells.Tokens:
		missing = "max_tokens: this agent does not tell its tokens"
	}
	if missing == "" {
		return nil
	}
	return &InvalidError{Fact: missing, Hints: []string{"limit time or iterations instead: --max-duration 2h --max-iterations 20", fmt.Sprintf("or accept that the limit may never be reached: %s", "--allow-unknown-cost")}}
}
