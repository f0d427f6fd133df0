package main

import (
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/hooks"
	"github.com/git-ralph/git-ralph/runner"
)

// lenient are what .ralph.toml lets through that is held back without it: new files that look secret, and pushes. Like what it wants to run it needs a yes, for
// a stranger may have written it, or an agent that found a check in its way.
func (c *choices) lenient() []runner.Claim {
	var claims []runner.Claim
	claim := func(key, value string) {
		if from := c.from[key]; from.origin == fromRepository {
			claims = append(claims, runner.Claim{Kind: key, Value: value, Source: from.name})
		}
	}
	for _, pattern := range c.Allow {
		claim(runner.AllowKind, pattern)
	}
	usual, now := hooks.DefaultPolicy(), c.pushPolicy
	if list := strings.Join(now.Protected, ", "); list != strings.Join(usual.Protected, ", ") {
		claim("push.protected", list)
	}
	if now.MaxFileSize > usual.MaxFileSize {
		claim("push.max_file_size", fmt.Sprint(now.MaxFileSize))
	}
	for _, check := range hooks.Checks() {
		if level := now.Levels[check]; level.Laxer(usual.Levels[check]) {
			claim("push.checks."+string(check), string(level))
		}
	}
	return claims
}

// pushPolicy is what [push] says, but for what .ralph.toml lets through without a yes: that is said.
func (a *app) pushPolicy(repo *gitstate.Repository) (hooks.Policy, error) {
	c, err := a.choose(repo, &loopFlags{})
	if err != nil {
		return hooks.Policy{}, err
	}
	unknown, err := runner.Untrusted(repo, c.lenient())
	if err != nil {
		return hooks.Policy{}, err
	}
	if len(unknown) > 0 {
		ignored := map[string]bool{}
		for _, claim := range unknown {
			ignored[claim.Kind] = true
			a.say("git-ralph: %s does not count without your yes: %s = %s", claim.Source, claim.Kind, flat(claim.Value))
		}
		a.say("hint: see it and say yes: git ralph trust")
		if c, err = a.chooseWithout(repo, &loopFlags{}, ignored); err != nil {
			return hooks.Policy{}, err
		}
	}
	c.pushPolicy.Allow = c.Allow
	return c.pushPolicy, nil
}
