package spec

import (
	"fmt"
	"strings"
)

// The words with which an agent ends a task, alone on a line of its last message. What follows the second is the reason.
const (
	TaskComplete = "TASK_COMPLETE"
	TaskBlocked  = "TASK_BLOCKED:"
)

// Task is one task of a plan, as its agent is told of it. Every text may be empty: it is left out.
type Task struct {
	ID           string   // as in the plan
	Title        string   // one line
	Complexity   int      // zero: not estimated
	Description  string   // any length
	Details      string   // any length
	TestStrategy string   // any length
	Needs        []string // what it builds on, one line each: id, title, state
	Verify       []string // the commands that decide about it
	Plan         string   // the whole plan in Markdown
	PlanIDs      []string // ids whose section in the plan is looked for: its own, then its parents'
	Attempt      int      // from 1
	MaxAttempts  int      // how many there are
}

// TaskText writes what the agent of one task is told. What comes from the plan is quoted, so that nothing in it counts as the agent's own word.
func TaskText(t Task) string {
	parts := []string{fmt.Sprintf("Your task is %s of a plan: %s", t.ID, strings.Join(strings.Fields(t.Title), " "))}
	if t.Complexity > 0 {
		parts = append(parts, fmt.Sprintf("Its complexity is estimated as %d.", t.Complexity))
	}
	for _, section := range []struct{ heading, text string }{
		{"Description:", t.Description}, {"Details:", t.Details}, {"How it is to be tested:", t.TestStrategy}, {"It builds on:", strings.Join(t.Needs, "\n")},
	} {
		if text := clean(section.text); len(text) > 0 {
			parts = append(parts, section.heading+"\n"+quote(text))
		}
	}
	if t.Plan != "" {
		found := FindPlanSection(t.Plan, t.PlanIDs...)
		heading := "The plan says of it:"
		if found.Heading == "" {
			heading = "The plan has no section for it; it begins so:"
		}
		parts = append(parts, heading+"\n"+quote(clean(found.Text)))
	}
	rules := []string{"Rules:", "- Do only this task. Others do the rest, before and after you.", "- Do not change the task files below .scud: how far a task is, is written down for you."}
	if len(t.Verify) > 0 {
		rules = append(rules, "- When you end, these commands decide whether it is done: "+strings.Join(t.Verify, "; ")+". Run them yourself first.")
	}
	rules = append(rules,
		"- When it is done, end your last message with a line that holds nothing but the word "+TaskComplete+".",
		"- When you cannot do it, end with a line that begins with "+TaskBlocked+" and says why in one sentence. Do not work around what blocks you.",
		"- Then stop.")
	if t.Attempt > 1 {
		rules = append(rules, fmt.Sprintf("This is attempt %d of %d. What the last one left is in the files: go on from there.", t.Attempt, t.MaxAttempts))
	}
	return strings.Join(append(parts, strings.Join(rules, "\n")), "\n\n")
}
