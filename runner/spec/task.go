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
	Files        []File   // what else it rests on, each under its name
	Asked        string   // what the user typed for all tasks, taken literally
	Template     string   // the user's own arrangement, with {task} {plan} {custom} {verification}
	TitleOnly    bool     // of what the task file says only id and title
	Attempt      int      // from 1
	MaxAttempts  int      // how many there are
}

// TaskText writes what the agent of one task is told, and how much of it each part is. What comes from files is quoted, so that nothing in it counts as the
// agent's own word; only what the user typed and the template are not. The rules stand at the end, whatever the template says.
func TaskText(t Task) (string, []Weight) {
	task, plan, custom := strings.Join(t.facts(), "\n\n"), t.planned(), saidOf(t.Files)
	var parts []string
	var weights []Weight
	add := func(name, text string) {
		if text != "" {
			parts, weights = append(parts, text), append(weights, Weight{name, Tokens(text)})
		}
	}
	add("the prompt", strings.Trim(t.Asked, "\r\n"))
	if t.Template == "" {
		add("the task", task)
		add("its section of the plan", plan)
		for _, f := range t.Files {
			add(f.Name, f.said())
		}
	} else {
		add("the filled template", strings.Trim(strings.NewReplacer(
			"{task}", task, "{plan}", plan, "{custom}", strings.Join(custom, "\n\n"), "{verification}", strings.Join(t.Verify, "\n"),
		).Replace(t.Template), "\r\n"))
	}
	add("the rules", t.rules())
	return strings.Join(parts, "\n\n") + "\n", weights
}

// facts are what the task file says of it.
func (t Task) facts() []string {
	parts := []string{fmt.Sprintf("Your task is %s of a plan: %s", t.ID, strings.Join(strings.Fields(t.Title), " "))}
	if t.TitleOnly {
		return parts
	}
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
	return parts
}

// planned is what the plan says of it; empty when there is none, or nothing in it.
func (t Task) planned() string {
	found := FindPlanSection(t.Plan, t.PlanIDs...)
	text := clean(found.Text)
	if len(text) == 0 {
		return ""
	}
	heading := "The plan says of it:"
	switch {
	case found.Heading == "" && found.Cut:
		heading = fmt.Sprintf("The plan has no section for it; these are its first %d characters:", planBeginning)
	case found.Heading == "":
		heading = "The plan has no section for it; this is all of it:"
	}
	return heading + "\n" + quote(text)
}

// rules are how the agent is to work, and how it ends.
func (t Task) rules() string {
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
	return strings.Join(rules, "\n")
}
