package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// shortDuration writes a duration for a person: the two units that matter.
func shortDuration(d time.Duration) string {
	switch {
	case d < 9950*time.Millisecond:
		return fmt.Sprintf("%.1fs", max(0, d).Seconds())
	case d.Round(time.Second) < time.Minute:
		return fmt.Sprintf("%ds", int(d.Round(time.Second).Seconds()))
	case d.Round(time.Second) < time.Hour:
		d = d.Round(time.Second)
		return twoUnits(int(d/time.Minute), "m", int(d%time.Minute/time.Second), "s")
	case d.Round(time.Minute) < 24*time.Hour:
		d = d.Round(time.Minute)
		return twoUnits(int(d/time.Hour), "h", int(d%time.Hour/time.Minute), "m")
	}
	d = d.Round(time.Hour)
	return twoUnits(int(d/(24*time.Hour)), "d", int(d%(24*time.Hour)/time.Hour), "h")
}

// twoUnits leaves a second unit of 0 out.
func twoUnits(first int, unit string, second int, smaller string) string {
	if second == 0 {
		return strconv.Itoa(first) + unit
	}
	return fmt.Sprintf("%d%s%02d%s", first, unit, second, smaller)
}

// roughDuration writes how long ago or how far away something is: one unit is enough.
func roughDuration(d time.Duration) string {
	switch {
	case d < time.Minute:
		return strconv.Itoa(int(max(0, d).Seconds())) + "s"
	case d < time.Hour:
		return strconv.Itoa(int(d/time.Minute)) + "m"
	case d < 48*time.Hour:
		return strconv.Itoa(int(d/time.Hour)) + "h"
	}
	return strconv.Itoa(int(d/(24*time.Hour))) + "d"
}

// ago says when something was; a clock that is behind the commit's says "just now".
func ago(t, now time.Time) string {
	if now.Sub(t) < 5*time.Second {
		return "just now"
	}
	return roughDuration(now.Sub(t)) + " ago"
}

// clock writes a time in the reader's zone, that of now: the time of day alone when it is the same day.
func clock(t, now time.Time) string {
	t = t.In(now.Location())
	if t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format(time.TimeOnly)
	}
	return t.Format(time.DateTime)
}

// counted writes a number with its noun: "1 iteration", "3 iterations".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return grouped(int64(n)) + " " + noun + "s"
}

// grouped writes a number with commas between thousands.
func grouped(n int64) string {
	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// iterationOf writes "iteration 3 of 20", or "iteration 3" when there is no limit.
func iterationOf(n, limit int) string {
	if limit == 0 {
		return "iteration " + strconv.Itoa(n)
	}
	return fmt.Sprintf("iteration %d of %d", n, limit)
}

// tokenWords writes all counts of tokens: "12,034 in, 843 out, 9,000 cached".
func tokenWords(t gitstate.Tokens) string {
	return grouped(t.Input) + " in, " + grouped(t.Output) + " out, " + grouped(t.Cached) + " cached"
}

// amount writes a cost without its currency: cents, and below a cent what is needed to see that it is not 0.
func amount(usd float64) string {
	if usd > 0 && usd < 0.01 {
		return strconv.FormatFloat(usd, 'f', 4, 64)
	}
	return strconv.FormatFloat(usd, 'f', 2, 64)
}

// costWords writes a cost: "0.42 USD".
func costWords(usd float64) string { return amount(usd) + " USD" }

// fileWords names the kinds of change that there are: "2 created, 3 modified".
func fileWords(f gitstate.FileCounts) string {
	words := someOf([]int{f.Created, f.Modified, f.Deleted, f.Renamed}, []string{"created", "modified", "deleted", "renamed"})
	if words == "" {
		return "no files changed"
	}
	return words
}

// testWords names the results that there are: "41 passed, 1 failed".
func testWords(t gitstate.TestCounts) string {
	words := someOf([]int{t.Passed, t.Failed, t.Skipped}, []string{"passed", "failed", "skipped"})
	if words == "" {
		return "no tests ran"
	}
	return words
}

// someOf joins the counts that are not 0 with their words.
func someOf(counts []int, words []string) string {
	var parts []string
	for i, n := range counts {
		if n != 0 {
			parts = append(parts, grouped(int64(n))+" "+words[i])
		}
	}
	return strings.Join(parts, ", ")
}

// verifyWords says what verify came to, as the trailer does.
func verifyWords(v gitstate.Verify) string {
	words := "passed"
	if !v.Passed {
		words = fmt.Sprintf("failed (exit %d)", v.ExitCode)
	}
	if v.Command != "" {
		words += ": " + flat(v.Command)
	}
	return words
}

// exitWords says why a loop ended.
func exitWords(e gitstate.Exit) string {
	switch e {
	case gitstate.PromiseDetected:
		return "the promise stands and what had to be checked is checked"
	case gitstate.ProcessSuccess:
		return "the program ended well"
	case gitstate.AllTasksDone:
		return "all tasks are done"
	case gitstate.TasksBlocked:
		return "the tasks that are left are blocked"
	case gitstate.Blocked:
		return "the agent says that it is blocked"
	case gitstate.MaxIterations:
		return "the limit of iterations is reached"
	case gitstate.LimitReached:
		return "a limit is reached"
	case gitstate.NoProgress:
		return "it made no progress"
	case gitstate.Failing:
		return "too many iterations failed in a row"
	case gitstate.UserCancelled:
		return "it was cancelled"
	case gitstate.ExitError:
		return "it met an error that trying again does not mend"
	}
	return string(e)
}

// shortHash is an id as git abbreviates it where nothing else begins the same.
func shortHash(id string) string { return id[:min(len(id), 10)] }
