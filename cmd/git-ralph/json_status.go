package main

import (
	"math"
	"time"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/gitstate"
)

// statusJSON is the answer of status. A nil pointer is unknown, or there is no such thing.
type statusJSON struct {
	Schema          int         `json:"schema"`
	Loop            string      `json:"loop"`
	Branch          string      `json:"branch"` // short name
	State           loopState   `json:"state"`
	ExitReason      *string     `json:"exit_reason"` // as in Ralph-Exit
	Phase           *string     `json:"phase"`       // of the running iteration
	Iteration       int         `json:"iteration"`   // the running one, else the last
	MaxIterations   *int        `json:"max_iterations"`
	StartedAt       *string     `json:"started_at"`
	ElapsedS        float64     `json:"elapsed_s"` // the iterations' time, with what the running one has used
	Tokens          *tokensJSON `json:"tokens"`    // of the loop, as far as they are known
	CostUSD         *float64    `json:"cost_usd"`
	ContextPercent  *int        `json:"context_percent"`
	Verify          *verifyJSON `json:"verify"`
	Tests           *testsJSON  `json:"tests"`
	Files           *filesJSON  `json:"files"`                   // of the last iteration
	WaitingUntil    *string     `json:"waiting_until,omitempty"` // only while the running iteration waits
	*planStatusJSON             // nil: the loop has no plan
}

// tokensJSON counts tokens; cached ones are not part of input.
type tokensJSON struct {
	Input  int64 `json:"input"`
	Output int64 `json:"output"`
	Cached int64 `json:"cached"`
}

// verifyJSON is the last result of verify.
type verifyJSON struct {
	Passed   bool    `json:"passed"`
	ExitCode int     `json:"exit_code"`
	Command  *string `json:"command"`
	Tree     *string `json:"tree"` // id of the tree it ran on
}

// testsJSON counts tests.
type testsJSON struct {
	Passed  int `json:"passed"`
	Failed  int `json:"failed"`
	Skipped int `json:"skipped"`
}

// filesJSON counts files.
type filesJSON struct {
	Created  int `json:"created"`
	Modified int `json:"modified"`
	Deleted  int `json:"deleted"`
	Renamed  int `json:"renamed"`
}

// listJSON is the answer of list.
type listJSON struct {
	Schema int            `json:"schema"`
	Loops  []listItemJSON `json:"loops"`
}

// listItemJSON is one loop of a list.
type listItemJSON struct {
	Loop          string    `json:"loop"`
	Branch        *string   `json:"branch"` // short name
	State         loopState `json:"state"`  // "unreadable" when error says why
	ExitReason    *string   `json:"exit_reason"`
	Iteration     *int      `json:"iteration"` // the running one, else the last
	MaxIterations *int      `json:"max_iterations"`
	StartedAt     *string   `json:"started_at"`
	UpdatedAt     *string   `json:"updated_at"` // when our last commit was written
	Error         *string   `json:"error"`
}

// some is a pointer to a value, nil for the zero value: what is unknown is null.
func some[T comparable](value T) *T {
	var zero T
	if value == zero {
		return nil
	}
	return &value
}

// utc writes a time for a program; nil when there is none.
func utc(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(time.RFC3339))
}

// seconds rounds to the millisecond.
func seconds(d time.Duration) float64 { return d.Round(time.Millisecond).Seconds() }

// costOf rounds to a millionth of a dollar: a sum shows no trace of how it was added up.
func costOf(usd *float64) *float64 {
	if usd == nil {
		return nil
	}
	return new(math.Round(*usd*1e6) / 1e6)
}

// tokensOf and its sisters turn what may be unknown into what may be null.
func tokensOf(t *gitstate.Tokens) *tokensJSON {
	if t == nil {
		return nil
	}
	return &tokensJSON{Input: t.Input, Output: t.Output, Cached: t.Cached}
}

func verifyOf(v *gitstate.Verify) *verifyJSON {
	if v == nil {
		return nil
	}
	answer := &verifyJSON{Passed: v.Passed, ExitCode: v.ExitCode, Command: some(v.Command)}
	if !v.Tree.IsZero() {
		answer.Tree = new(v.Tree.String())
	}
	return answer
}

func testsOf(t *gitstate.TestCounts) *testsJSON {
	if t == nil {
		return nil
	}
	return &testsJSON{Passed: t.Passed, Failed: t.Failed, Skipped: t.Skipped}
}

func filesOf(f *gitstate.FileCounts) *filesJSON {
	if f == nil {
		return nil
	}
	return &filesJSON{Created: f.Created, Modified: f.Modified, Deleted: f.Deleted, Renamed: f.Renamed}
}

// pathsJSON are paths for a program: as they are, or quoted as git quotes them when JSON could not hold their bytes.
func pathsJSON(paths []string) []string {
	answer := make([]string, len(paths))
	for i, p := range paths {
		answer[i] = pathJSON(p)
	}
	return answer
}

func pathJSON(path string) string {
	if utf8.ValidString(path) {
		return path
	}
	return shownPath(path)
}
