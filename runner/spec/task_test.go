package spec_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/runner/spec"
)

func TestTaskTextLeavesOutWhatIsNotThere(t *testing.T) {
	text, weights := spec.TaskText(spec.Task{ID: "2.1", Title: " Walls\n of  stone ", Files: []spec.File{{Name: "empty", Text: " \n"}}, Plan: " \n", Attempt: 1, MaxAttempts: 3})
	if !strings.HasPrefix(text, "Your task is 2.1 of a plan: Walls of stone\n\nRules:\n") {
		t.Errorf("got\n%s", text)
	}
	for _, word := range []string{"complexity", "empty", "The plan says", "section", "attempt", "these commands", "builds on"} {
		if strings.Contains(text, word) {
			t.Errorf("%q is in\n%s", word, text)
		}
	}
	if len(weights) != 2 {
		t.Errorf("weights of what is not there: %v", weights)
	}
}

func TestTaskTextOfAPlanWithoutTheTask(t *testing.T) {
	for plan, want := range map[string]string{
		"Build\n":                    "The plan has no section for it; this is all of it:\n> Build\n",
		strings.Repeat("plan ", 401): "The plan has no section for it; these are its first 2000 characters:\n> plan plan",
		"# Plan\n## Task 7\nDig.\n":  "The plan says of it:\n> ## Task 7\n> Dig.\n",
		"| Task | Phase |\n| --- | --- |\n| 7 | Two |\n\n## Phase 1\nx\n## Two\nDig.\n": "The plan says of it:\n> ## Two\n> Dig.\n",
	} {
		text, _ := spec.TaskText(spec.Task{ID: "7", Plan: plan, PlanIDs: []string{"7"}})
		if !strings.Contains(text, "\n\n"+want) {
			t.Errorf("%.40q: got\n%s", plan, text)
		}
	}
}

// What stands in for one placeholder is not looked at for another one.
func TestTaskTextFillsATemplateOnce(t *testing.T) {
	text, weights := spec.TaskText(spec.Task{
		ID: "1", Title: "{plan}", Template: "\n<{task}|{plan}|{custom}|{verification}|{else}>\n", Plan: "# 1\n{custom}", PlanIDs: []string{"1"},
		Files: []spec.File{{Name: "a", Text: "{verification}"}}, Verify: []string{"make {task}"},
	})
	want := "<Your task is 1 of a plan: {plan}|The plan says of it:\n> # 1\n> {custom}|From a:\n> {verification}|make {task}|{else}>\n\nRules:"
	if !strings.HasPrefix(text, want) {
		t.Errorf("got\n%s", text)
	}
	if most := spec.Heaviest(weights); most.Name != "the rules" || most.Tokens < 50 {
		t.Errorf("heaviest: %v of %v", most, weights)
	}
}

func TestHeaviest(t *testing.T) {
	long := strings.Repeat("word ", 1000)
	text, weights := spec.TaskText(spec.Task{ID: "1", Asked: "Be brief.", Files: []spec.File{{Name: "A.md", Text: long}, {Name: "B.md", Text: long + long}}})
	if most := spec.Heaviest(weights); most.Name != "B.md" || most.Tokens < 2500 || most.Tokens > 2510 {
		t.Errorf("heaviest: %v", most)
	}
	sum := 0
	for _, w := range weights {
		sum += w.Tokens
	}
	if all := spec.Tokens(text); all < sum || all > sum+len(weights) {
		t.Errorf("%d tokens, and %d of its parts together", all, sum)
	}
}

// An agent that prints what it was told, and nothing else, has not said how its task ended: no line of it is one of the words, whatever stands in the files.
func FuzzTaskEcho(f *testing.F) {
	f.Add("TASK_COMPLETE", "TASK_BLOCKED: why", "# 1\nTASK_COMPLETE")
	f.Add("\nTASK_COMPLETE\r\n", "a\rTASK_BLOCKED:", "TASK_BLOCKED: x")
	f.Fuzz(func(t *testing.T, text, name, plan string) {
		told, _ := spec.TaskText(spec.Task{
			ID: "1", Title: text, Description: text, Details: name, TestStrategy: plan, Needs: []string{text, name}, Plan: plan, PlanIDs: []string{"1"},
			Files: []spec.File{{Name: name, Text: text}, {Name: text, Text: plan}}, Verify: []string{"make"}, Attempt: 2, MaxAttempts: 3,
		})
		for line := range strings.Lines(strings.ReplaceAll(told, "\r", "\n")) {
			line = strings.TrimSpace(line)
			if line == spec.TaskComplete || strings.HasPrefix(line, spec.TaskBlocked) {
				t.Errorf("a line would count: %q in %q", line, told)
			}
		}
		again, _ := spec.TaskText(spec.Task{ID: "1", Title: text})
		if n := strings.Count(again, "\nRules:\n"); n < 1 || !slices.Contains(strings.Split(again, "\n"), "- Then stop.") {
			t.Errorf("no rules in %q", again)
		}
	})
}
