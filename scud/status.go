package scud

import "strings"

// Status says how far a task is. Those of SCUD are the constants below; any other text is what stands in the file.
type Status string

// The statuses of SCUD.
const (
	Pending    Status = "pending"     // not begun
	InProgress Status = "in-progress" // somebody works on it
	Done       Status = "done"        // finished: only this satisfies a dependency
	Review     Status = "review"      // waits for a human's review
	Blocked    Status = "blocked"     // cannot be finished
	Deferred   Status = "deferred"    // put off
	Cancelled  Status = "cancelled"   // given up
	Expanded   Status = "expanded"    // split into subtasks
	Failed     Status = "failed"      // tried, and its check failed
)

// Code is the letter that stands for s in SCG; empty when s is none of SCUD's.
func (s Status) Code() string {
	switch s {
	case Pending:
		return "P"
	case InProgress:
		return "I"
	case Done:
		return "D"
	case Review:
		return "R"
	case Blocked:
		return "B"
	case Deferred:
		return "F"
	case Cancelled:
		return "C"
	case Expanded:
		return "X"
	case Failed:
		return "!"
	}
	return ""
}

// Known reports whether s is one of SCUD's.
func (s Status) Known() bool { return s.Code() != "" }

// statusOfCode reads the status column of SCG. It returns false when SCUD would read the column otherwise or not at all:
// words are taken for what they say, nothing for pending, and all else is kept.
func statusOfCode(text string) (Status, bool) {
	for _, s := range [...]Status{Pending, InProgress, Done, Review, Blocked, Deferred, Cancelled, Expanded, Failed} {
		if s.Code() == text {
			return s, true
		}
	}
	if s, known := statusOfWord(strings.ToLower(text)); known {
		return s, false
	}
	if text == "" {
		return Pending, false
	}
	return Status(text), false
}

// statusOfWord reads a status in JSON, with the spellings that occur. It returns false for any other text, which is
// kept; nothing is pending.
func statusOfWord(text string) (Status, bool) {
	switch text {
	case "in_progress":
		return InProgress, true
	case "complete", "completed":
		return Done, true
	case "canceled":
		return Cancelled, true
	case "":
		return Pending, false
	}
	return Status(text), Status(text).Known()
}
