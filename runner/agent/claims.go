package agent

import "strings"

// TaskWords are the words with which the agent of one task ends it. The zero value: there is no task.
type TaskWords struct {
	Complete string // alone on its line it says that the task is done
	Blocked  string // a line that begins with it says why the task cannot be done
}

// claims are what an agent's final words say: all of it by the same rules, on a line of its own.
type claims struct {
	promise     bool
	complete    bool
	blocked     string // empty: not blocked
	taskBlocked string // empty: not blocked
}

// claimsIn reads an agent's final words. own reports whether the agent itself says line i, where whole says that the line is no more than what is looked for.
func (r Request) claimsIn(words []string, own func(i int, whole bool) bool) claims {
	var c claims
	promise := fold(r.Promise)
	for i, line := range words {
		if why, ok := element(line, "blocked"); ok && own(i, false) {
			c.blocked = reasonOf(why)
		}
		whole := isPromise(line, promise) || strings.EqualFold(fold(line), promise)
		if promise != "" && !c.promise && (isPromise(line, promise) || r.Match == MatchPlain && mentions(line, promise)) {
			c.promise = own(i, whole)
		}
		if r.Task.Complete != "" && fold(line) == r.Task.Complete && own(i, true) {
			c.complete = true
		}
		if why, ok := strings.CutPrefix(fold(line), r.Task.Blocked); ok && r.Task.Blocked != "" && own(i, why == "") {
			c.taskBlocked = reasonOf(strings.TrimSpace(why))
		}
	}
	return c
}

// claim adds to a verdict what the final words say. Only a block counts when the run ended badly, and nothing of that does when we ended it.
func (v *Verdict) claim(c claims, exit Exit) {
	if !exit.Ours {
		v.Blocked = c.blocked
	}
	if v.Class == Completed {
		v.Promise, v.TaskComplete, v.TaskBlocked = c.promise, c.complete, c.taskBlocked
	}
}

// unclaim takes back what counts only after a good end.
func (v *Verdict) unclaim() { v.Promise, v.TaskComplete, v.TaskBlocked = false, false, "" }

// message returns the lines of a final message, and that all of them are the agent's own: a message is never an echo.
func message(text string) ([]string, func(int, bool) bool) {
	return filled(text), func(int, bool) bool { return true }
}
