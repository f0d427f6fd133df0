package gitstate

// What was spent stays spent when a loop goes back: the event says how much more that is than its chain says without it. So does a pause or a cancel of what
// an iteration used that it made needless.

// addSpent adds what an event tells of iterations that are not on the chain.
func (t Totals) addSpent(r Record) Totals {
	if r.Duration != nil {
		t.Elapsed += *r.Duration
	}
	if r.Untold != nil {
		t.TokensUnknown += r.Untold.Tokens
		t.CostUnknown += r.Untold.Cost
	}
	return t.addKnown(r)
}

// withSpent returns the event with what now has spent and then has not.
func (r Record) withSpent(now, then Totals) Record {
	if d := now.Elapsed - then.Elapsed; d > 0 {
		r.Duration = &d
	}
	if u := (Untold{max(0, now.TokensUnknown-then.TokensUnknown), max(0, now.CostUnknown-then.CostUnknown)}); u != (Untold{}) {
		r.Untold = &u
	}
	if now.Tokens != nil {
		var before Tokens
		if then.Tokens != nil {
			before = *then.Tokens
		}
		more := Tokens{max(0, now.Tokens.Input-before.Input), max(0, now.Tokens.Output-before.Output), max(0, now.Tokens.Cached-before.Cached)}
		if then.Tokens == nil || more != (Tokens{}) {
			r.Tokens = &more
		}
	}
	if now.CostUSD != nil {
		more := *now.CostUSD
		if then.CostUSD != nil {
			more -= *then.CostUSD
		}
		if then.CostUSD == nil || more > 0 {
			r.CostUSD = &more
		}
	}
	return r
}
