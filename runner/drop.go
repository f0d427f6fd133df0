package runner

import (
	"github.com/git-ralph/git-ralph/gitstate"
)

// drops reports whether an iteration is not to be counted: the user stopped the loop while it waited, and it left nothing behind. Waiting burns no iteration. What the
// runs before the wait used and the time that it took are told by the event that the loop stops with.
func (l *loop) drops(it *iteration) bool {
	level, _ := l.control.wants()
	if !it.stoppedWaiting || level > finish || it.task != nil {
		return false
	}
	if it.snapshot.Tree != l.state.Last.Tree || it.gathered.Parent != l.state.Loop.Tip || len(it.gathered.Kept) > 0 || len(it.snapshot.Skipped) > 0 {
		return false
	}
	lasted := max(l.Now().Sub(it.started).Round(tenth), tenth)
	l.dropped = gitstate.Record{Duration: &lasted, Tokens: it.used.tokens, CostUSD: it.used.cost}
	if untold := (gitstate.Untold{Tokens: one(it.used.tokens == nil), Cost: one(it.used.cost == nil)}); untold != (gitstate.Untold{}) {
		l.dropped.Untold = &untold
	}
	return true
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
