package runner

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// withRecord adds to a verdict what the agent wrote into a file of its own about the run, where it keeps one. What is not
// there or cannot be read is left out.
func (l *loop) withRecord(v agent.Verdict, invocation agent.Invocation) agent.Verdict {
	recorder, ok := l.preset.(agent.Recorder)
	if !ok {
		return v
	}
	pattern := recorder.Recorded(slices.Concat(l.env, invocation.Env), v.Session)
	if pattern == "" {
		return v
	}
	found, err := filepath.Glob(pattern)
	if err != nil || len(found) == 0 {
		return v
	}
	file, err := os.Open(found[len(found)-1])
	if err != nil {
		return v
	}
	defer file.Close()
	return recorder.Amend(v, file, l.Now())
}
