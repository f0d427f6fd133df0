package runner

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// A run is ended early when it goes on over the budget, or hangs after its last word; never in a word that may be its last.
func TestRunEnd(t *testing.T) {
	usage, text, tool := agent.ActivityUsage, agent.ActivityText, agent.ActivityTool
	more, end, over := agent.ActivityMore, agent.ActivityEnd, agent.ActivityOver
	for name, c := range map[string]struct {
		kinds   []string
		reached int // the usage that reaches the budget, from 1; zero: none
		cause   error
		after   time.Duration
	}{
		"nothing special":              {[]string{more, usage, text, tool, usage, end}, 0, nil, 0},
		"a tool after it":              {[]string{usage, tool}, 1, errBudget, 0},
		"a request after it":           {[]string{usage, more}, 1, errBudget, 0},
		"a tool before it":             {[]string{usage, tool, usage}, 2, errBudget, perhapsTime},
		"only talk after it":           {[]string{usage, text, text}, 1, errBudget, perhapsTime},
		"the last word":                {[]string{usage, text, usage, end}, 1, errLingers, endTime},
		"reached with the last word":   {[]string{usage, tool, usage, text, usage, end}, 3, errLingers, endTime},
		"work after the last word":     {[]string{usage, end, tool}, 1, errBudget, 0},
		"talk after the last word":     {[]string{usage, end, text}, 1, errBudget, perhapsTime},
		"known to hang":                {[]string{text, usage, over}, 0, errLingers, lingerTime},
		"known to hang, over it":       {[]string{text, usage, over}, 1, errLingers, lingerTime},
		"twice the last word":          {[]string{over, over}, 0, errLingers, lingerTime},
		"known to hang, but it works":  {[]string{over, tool}, 0, nil, 0},
		"known to hang, but it thinks": {[]string{over, more}, 0, nil, 0},
		"known to hang, but it talks":  {[]string{over, text}, 0, nil, 0},
	} {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancelCause(t.Context())
			usages := 0
			r := runEnd{cancel: cancel, over: func(agent.Activity) bool { usages++; return usages == c.reached }}
			for _, kind := range c.kinds {
				r.take(agent.Activity{Kind: kind})
			}
			began := time.Now()
			select {
			case <-ctx.Done():
			case <-time.After(time.Hour):
			}
			if got := context.Cause(ctx); !errors.Is(got, c.cause) || c.cause != nil && time.Since(began) != c.after {
				t.Errorf("%s: %v after %v; want %v after %v", name, got, time.Since(began), c.cause, c.after)
			}
			r.stop()
			cancel(nil)
		})
	}
}

// Each of two last words counts anew: the first one's time does not end the run.
func TestRunEndBeginsAnew(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var ends []time.Duration
		began := time.Now()
		r := runEnd{cancel: func(error) { ends = append(ends, time.Since(began)) }}
		r.take(agent.Activity{Kind: agent.ActivityOver})
		<-time.After(3 * time.Second)
		r.take(agent.Activity{Kind: agent.ActivityOver})
		<-time.After(time.Minute)
		synctest.Wait()
		if want := []time.Duration{3*time.Second + lingerTime}; !slices.Equal(ends, want) {
			t.Errorf("ended after %v, want %v", ends, want)
		}
	})
}
