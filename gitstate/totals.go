package gitstate

import (
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// Totals is what a loop has come to at one of our commits. It follows from the trailers of the chain alone
// ([Totals.Add]); a note holds it so that nobody has to walk.
type Totals struct {
	Opening       plumbing.Hash  // the loop's opening commit
	Config        plumbing.Hash  // our last commit that holds the configuration: the opening or a resume
	StartedAt     time.Time      // of the opening
	Iteration     int            // last number
	Iterations    map[Status]int // iterations by status
	Elapsed       time.Duration  // sum of the iterations' durations
	Tokens        *Tokens        // nil: no iteration told any
	CostUSD       *float64       // nil: no iteration told any
	TokensUnknown int            // iterations of an agent run that told no tokens
	CostUnknown   int            // iterations of an agent run that told no cost

	FailureStreak int // iterations in a row that failed, as the limit counts them
	IdleStreak    int // completed iterations in a row without progress
	BestPassed    int // most tests passed in any iteration; -1: none told

	LastIteration plumbing.Hash // our last commit with a status; zero: none
	LastStatus    Status
	Files         *FileCounts // of the last iteration
	Tests         *TestCounts // last known
	Verify        *Verify     // last known
	Context       *int        // last iteration's
	Exit          Exit        // why the loop ended; empty while it goes on
	Paused        bool        // the last event was a pause
}
