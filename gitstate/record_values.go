package gitstate

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
)

// The values of trailers: each format has its parse, which returns false for anything that format would not have written.

func plain[T ~string](s T) string { return string(s) }

func text(s string) (string, bool) { return s, s != "" }

func formatInt(n int) string { return strconv.Itoa(n) }

func parseInt(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// parseCount reads a number that is not negative.
func parseCount(s string) (int, bool) {
	n, ok := parseInt(s)
	return n, ok && n >= 0
}

func formatHash(h plumbing.Hash) string {
	if h.IsZero() {
		return ""
	}
	return h.String()
}

func parseHash(s string) (plumbing.Hash, bool) { return plumbing.NewHash(s), plumbing.IsHash(s) }

func formatBase(b Base) string {
	if b.Commit.IsZero() {
		return b.Branch
	}
	return b.Branch + " " + b.Commit.String()
}

func parseBase(s string) (Base, bool) {
	branch, id, found := strings.Cut(s, " ")
	if !found {
		return Base{Branch: branch}, branch != ""
	}
	commit, ok := parseHash(id)
	return Base{Branch: branch, Commit: commit}, ok
}

func parseStatus(s string) (Status, bool) {
	known := []Status{Completed, Failed, TimedOut, Stalled, Interrupted, Skipped}
	return Status(s), slices.Contains(known, Status(s))
}

// Exits are all the reasons to end that a loop can have.
func Exits() []Exit {
	return []Exit{PromiseDetected, ProcessSuccess, AllTasksDone, TasksBlocked, Blocked, MaxIterations, LimitReached, NoProgress, Failing, UserCancelled, ExitError}
}

func parseExit(s string) (Exit, bool) { return Exit(s), slices.Contains(Exits(), Exit(s)) }

func formatWords(words []string) string { return strings.Join(words, " ") }

func parseWords(s string) ([]string, bool) { return strings.Fields(s), s != "" }

func formatDuration(d time.Duration) string {
	return strconv.FormatFloat(d.Seconds(), 'f', 1, 64) + "s"
}

func parseDuration(s string) (time.Duration, bool) {
	d, err := time.ParseDuration(s)
	return d, err == nil && d >= 0
}

// String returns the counts as they stand in a trailer.
func (c FileCounts) String() string {
	return fmt.Sprintf("%d created, %d modified, %d deleted, %d renamed", c.Created, c.Modified, c.Deleted, c.Renamed)
}

func parseFileCounts(s string) (FileCounts, bool) {
	n, ok := parseCounts(s, "created", "modified", "deleted", "renamed")
	if !ok {
		return FileCounts{}, false
	}
	return FileCounts{Created: int(n[0]), Modified: int(n[1]), Deleted: int(n[2]), Renamed: int(n[3])}, true
}

// String returns the counts as they stand in a trailer.
func (c TestCounts) String() string {
	return fmt.Sprintf("%d passed, %d failed, %d skipped", c.Passed, c.Failed, c.Skipped)
}

func parseTestCounts(s string) (TestCounts, bool) {
	n, ok := parseCounts(s, "passed", "failed", "skipped")
	if !ok {
		return TestCounts{}, false
	}
	return TestCounts{Passed: int(n[0]), Failed: int(n[1]), Skipped: int(n[2])}, true
}

// String returns the counts as they stand in a trailer.
func (t Tokens) String() string {
	return fmt.Sprintf("%d in, %d out, %d cached", t.Input, t.Output, t.Cached)
}

func parseTokens(s string) (Tokens, bool) {
	n, ok := parseCounts(s, "in", "out", "cached")
	if !ok {
		return Tokens{}, false
	}
	return Tokens{Input: n[0], Output: n[1], Cached: n[2]}, true
}

// String returns the counts as they stand in a trailer.
func (u Untold) String() string { return fmt.Sprintf("%d tokens, %d cost", u.Tokens, u.Cost) }

func parseUntold(s string) (Untold, bool) {
	n, ok := parseCounts(s, "tokens", "cost")
	if !ok {
		return Untold{}, false
	}
	return Untold{Tokens: int(n[0]), Cost: int(n[1])}, true
}

// parseCounts reads "1 first, 2 second".
func parseCounts(s string, words ...string) ([]int64, bool) {
	parts := strings.Split(s, ", ")
	if len(parts) != len(words) {
		return nil, false
	}
	counts := make([]int64, len(words))
	for i, part := range parts {
		number, word, _ := strings.Cut(part, " ")
		n, err := strconv.ParseInt(number, 10, 64)
		if err != nil || n < 0 || word != words[i] {
			return nil, false
		}
		counts[i] = n
	}
	return counts, true
}

// formatCost writes US dollars with two to six decimals.
func formatCost(usd float64) string {
	s := strings.TrimRight(strconv.FormatFloat(usd, 'f', 6, 64), "0")
	if missing := 2 - (len(s) - strings.IndexByte(s, '.') - 1); missing > 0 {
		s += strings.Repeat("0", missing)
	}
	return s + " USD"
}

func parseCost(s string) (float64, bool) {
	number, found := strings.CutSuffix(s, " USD")
	usd, err := strconv.ParseFloat(number, 64)
	return usd, found && err == nil && usd >= 0 && !math.IsInf(usd, 0)
}

func formatPercent(n int) string { return strconv.Itoa(n) + "%" }

func parsePercent(s string) (int, bool) {
	number, found := strings.CutSuffix(s, "%")
	n, ok := parseCount(number)
	return n, ok && found
}

func parseRefName(s string) (plumbing.ReferenceName, bool) {
	name := plumbing.ReferenceName(s)
	return name, name.Validate() == nil && strings.HasPrefix(s, "refs/")
}

// String returns the path, quoted as git quotes where that is needed, and the reason in brackets.
func (p SkippedPath) String() string {
	path := quoted(p.Path)
	if path == p.Path && strings.Contains(path, " (") {
		path = quote(path)
	}
	if p.Reason == "" {
		return path
	}
	return path + " (" + squareBrackets(p.Reason) + ")"
}

// squareBrackets makes text fit into round brackets.
func squareBrackets(s string) string { return strings.NewReplacer("(", "[", ")", "]").Replace(s) }

func parseSkipped(s string) (SkippedPath, bool) {
	path, reason := s, ""
	if i := strings.LastIndex(s, " ("); i >= 0 && strings.HasSuffix(s, ")") {
		path, reason = s[:i], squareBrackets(s[i+2:len(s)-1])
	}
	path, ok := unquoted(path)
	return SkippedPath{Path: path, Reason: reason}, ok && path != "" && reason != ""
}

func putVerify(r *Record) []string {
	switch v := r.Verify; {
	case v == nil:
		return nil
	case v.Passed:
		return []string{"passed"}
	case v.Command == "":
		return []string{fmt.Sprintf("failed (exit %d)", v.ExitCode)}
	default:
		return []string{fmt.Sprintf("failed (exit %d): %s", v.ExitCode, quoted(v.Command))}
	}
}

func readVerify(r *Record, value string) bool {
	v := Verify{Passed: value == "passed"}
	if !v.Passed {
		rest, isFailure := strings.CutPrefix(value, "failed (exit ")
		status, command, closed := strings.Cut(rest, ")")
		code, isNumber := parseInt(status)
		line, isQuoted := unquoted(strings.TrimPrefix(command, ": "))
		if !isFailure || !closed || !isNumber || !isQuoted {
			return false
		}
		v.ExitCode, v.Command = code, line
	}
	if r.Verify != nil {
		v.Tree = r.Verify.Tree
	}
	r.Verify = &v
	return true
}

func putVerifyTree(r *Record) []string {
	if r.Verify == nil {
		return nil
	}
	return []string{formatHash(r.Verify.Tree)}
}

func readVerifyTree(r *Record, value string) bool {
	tree, ok := parseHash(value)
	if ok && r.Verify != nil {
		r.Verify.Tree = tree
	}
	return ok && r.Verify != nil
}
