package runner

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// ReachedLimit is a limit on a loop's whole life that its totals have come to.
type ReachedLimit struct {
	Setting string // its key in the configuration, such as "max_cost"
	Raise   string // the flag that raises it so that resume goes on for as long again, such as "--max-cost 10"
}

// ReachedLimits returns the limits that a loop with these totals has reached; nil: it may go on.
func ReachedLimits(c Config, t gitstate.Totals) []ReachedLimit {
	var reached []ReachedLimit
	add := func(setting, raise string, value any) {
		reached = append(reached, ReachedLimit{Setting: setting, Raise: fmt.Sprintf("--%s %v", raise, value)})
	}
	if limit := time.Duration(c.MaxDuration); limit > 0 && t.Elapsed >= limit {
		unit := time.Second
		if limit >= time.Hour {
			unit = time.Minute
		}
		add("max_duration", "max-duration", Duration((2 * max(limit, t.Elapsed)).Round(unit)))
	}
	if spent := t.CostUSD; c.MaxCost > 0 && spent != nil && costs(*spent, c.MaxCost) {
		cents := math.Ceil(200*max(c.MaxCost, *spent)-1e-6) / 100
		add("max_cost", "max-cost", strconv.FormatFloat(cents, 'f', -1, 64))
	}
	if used := t.Tokens; c.MaxTokens > 0 && used != nil && used.Input+used.Output >= int64(c.MaxTokens) {
		add("max_tokens", "max-tokens", 2*max(int64(c.MaxTokens), used.Input+used.Output))
	}
	if c.MaxIterations > 0 && t.Iteration >= c.MaxIterations {
		add("max_iterations", "max-iterations", 2*max(c.MaxIterations, t.Iteration))
	}
	return reached
}

// costs reports whether a sum of costs comes to a limit. Three times 0.3 is a little less than 0.9 to the machine, but not to the user.
func costs(sum, limit float64) bool { return sum >= limit-1e-6 }

// overLimit says which limit on the loop's whole life ends it; empty: none. Of several the first counts.
func overLimit(c Config, t gitstate.Totals) gitstate.Exit {
	switch reached := ReachedLimits(c, t); {
	case len(reached) == 0:
		return ""
	case reached[0].Setting == "max_iterations":
		return gitstate.MaxIterations
	}
	return gitstate.LimitReached
}
