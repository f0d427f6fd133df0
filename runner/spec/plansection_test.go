package spec_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/runner/spec"
)

func TestFindPlanSection(t *testing.T) {
	for name, c := range map[string]struct{ plan, ids, heading, text string }{
		"task heading":         {"# Plan\n## Task 5: Parser\nbody\n\n## Task 6: Next\n", "5", "Task 5: Parser", "## Task 5: Parser\nbody"},
		"number and dot":       {"### 5. Parser\nbody\n### 6. Next\n", "5", "5. Parser", "### 5. Parser\nbody"},
		"task without colon":   {"#### Task 5\nbody\n", "5", "Task 5", "#### Task 5\nbody"},
		"number alone":         {"## 5\nbody\n## 6\n", "5", "5", "## 5\nbody"},
		"subtask":              {"## 2. All\n### 2.1 One\nbody\n### 2.2 Two\n", "2.1", "2.1 One", "### 2.1 One\nbody"},
		"1 is not 12":          {"## 12\nx\n## Task 12\nx\n## 1\nbody\n", "1", "1", "## 1\nbody"},
		"1 is not 1.1":         {"### 1.1\nx\n### 1. One\nbody\n", "1", "1. One", "### 1. One\nbody"},
		"1 is not 1-3":         {"## 1-3 days\nx\n## 1: One\nbody\n", "1", "1: One", "## 1: One\nbody"},
		"2.1 is not 2.1.4":     {"## 2.1.4\nx\n## 2.1\nbody\n", "2.1", "2.1", "## 2.1\nbody"},
		"word id":              {"## rpc-server-12\nx\n## rpc-server-1: Serve\nbody\n", "rpc-server-1", "rpc-server-1: Serve", "## rpc-server-1: Serve\nbody"},
		"word id, no part":     {"## rpc-server\nbody\n## rpc-server-1\nx\n", "rpc-server", "rpc-server", "## rpc-server\nbody"},
		"tag and id":           {"## auth\nx\n## auth:3 Login\nbody\n", "auth:3", "auth:3 Login", "## auth:3 Login\nbody"},
		"letters end it":       {"## 5a\nx\n## 5.Parser\nbody\n", "5", "5.Parser", "## 5.Parser\nbody"},
		"marks":                {"## **Task #5** — Parser ##\nbody\n", "5", "**Task #5** — Parser", "## **Task #5** — Parser ##\nbody"},
		"in brackets":          {"## [5] Parser\nbody\n", "5", "[5] Parser", "## [5] Parser\nbody"},
		"after other words":    {"## 5 things to know\nx\n## Phase 1, task 5: Parser\nbody\n", "5", "Phase 1, task 5: Parser", "## Phase 1, task 5: Parser\nbody"},
		"not a part of words":  {"## Multitask 5\nx\n## 5\nbody\n", "5", "5", "## 5\nbody"},
		"task before number":   {"## 5. Chapter\nx\n## Task 5\nbody\n", "5", "Task 5", "## Task 5\nbody"},
		"several tasks":        {"## Tasks 1, 2 and 4\nx\n## Tasks 5-7: Parser\nbody\n", "6", "Tasks 5-7: Parser", "## Tasks 5-7: Parser\nbody"},
		"list of tasks":        {"## Tasks 1, 2 and 4\nbody\n", "4", "Tasks 1, 2 and 4", "## Tasks 1, 2 and 4\nbody"},
		"own level or above":   {"### Task 5\na\n#### More\nb\n### Task 6\nc\n", "5", "Task 5", "### Task 5\na\n#### More\nb"},
		"above":                {"### Task 5\na\n# Appendix\nb\n", "5", "Task 5", "### Task 5\na"},
		"to the end":           {"## Task 5\na\n\nb\n\n\n", "5", "Task 5", "## Task 5\na\n\nb"},
		"windows":              {"## Task 5\r\na\r\n## Task 6\r\n", "5", "Task 5", "## Task 5\r\na"},
		"code is no heading":   {"```sh\n## Task 5\n# x\n```\n## Task 5\n~~~~\n## Task 6\n~~~\n# y\n~~~~\nend\n## Task 6\n", "5", "Task 5", "## Task 5\n~~~~\n## Task 6\n~~~\n# y\n~~~~\nend"},
		"no blank, no heading": {"##Task 5\n    ## Task 5\n####### Task 5\n## Task 5\nbody\n", "5", "Task 5", "## Task 5\nbody"},
		"the parent's":         {"## Task 2\nbody\n", "2.1 2", "Task 2", "## Task 2\nbody"},
		"its own first":        {"## Task 2\nx\n### 2.1\nbody\n", "2.1 2", "2.1", "### 2.1\nbody"},
		"table": {"| Task | Where |\n|---|---|\n| 4 | Phase 1 |\n| 5 | Phase 2 |\n\n## Phase 1: A\nx\n## Phase 2: B\nbody\n## Phase 3\n",
			"5", "Phase 2: B", "## Phase 2: B\nbody"},
		"table, lists": {"Phase | Tasks\n:-- | --:\nPhase 1: A | 1, 12\n**Phase 2** | 2-4, 6\n\n## Phase 1: A\nx\n## Phase 2: B\nbody\n",
			"3", "Phase 2: B", "## Phase 2: B\nbody"},
		"table, whole words": {"| Tasks | Phase |\n|---|---|\n| 12, 1.1 | 1 |\n| 1 | 2 |\n\n## Phase 1\nx\n## Phase 2\nbody\n",
			"1", "Phase 2", "## Phase 2\nbody"},
		"table, titles": {"| ID | Heading | Size |\n|---|---|---|\n| 5. Parser | The grammar | 3 |\n\n## 3\nx\n## The grammar\nbody\n",
			"5", "The grammar", "## The grammar\nbody"},
		"table, sub-phases": {"| SCUD Task | Plan section |\n|---|---|\n| Task 7 | Phase 2.1 |\n\n## Phase 2\nx\n### Phase 2.1: A\nbody\n### Phase 2.2\n",
			"7", "Phase 2.1: A", "### Phase 2.1: A\nbody"},
		"other columns": {"| Task | Days |\n|---|---|\n| 4 | 5 |\n\n## Phase 4\nx\n", "5", "", "| Task | Days |\n|---|---|\n| 4 | 5 |\n\n## Phase 4\nx"},
		"nothing":       {"Just text.\n\n## 12\n", "1", "", "Just text.\n\n## 12"},
		"empty":         {"", "1", "", ""},
		"no id":         {"## \nx\n", "", "", "## \nx"},
	} {
		t.Run(name, func(t *testing.T) {
			got := spec.FindPlanSection(c.plan, strings.Split(c.ids, " ")...)
			if got.Heading != c.heading || got.Text != c.text || got.Cut {
				t.Errorf("got %+v, want heading %q and text %q", got, c.heading, c.text)
			}
		})
	}
}

// Without a section the plan's beginning stands for it, in whole characters, and it is said whether that is all.
func TestFindPlanSectionBeginning(t *testing.T) {
	whole := strings.Repeat("ä", 2000)
	for plan, want := range map[string]spec.PlanSection{
		whole:              {Text: whole},
		whole + "\n\n":     {Text: whole},
		whole + "\nö":      {Text: whole, Cut: true},
		"x" + whole:        {Text: "x" + whole[:len(whole)-2], Cut: true},
		"# Plan\n" + "end": {Text: "# Plan\nend"},
	} {
		if got := spec.FindPlanSection(plan, "1"); got != want {
			t.Errorf("got %d bytes, cut %t; want %d bytes, cut %t", len(got.Text), got.Cut, len(want.Text), want.Cut)
		}
	}
}

func FuzzFindPlanSection(f *testing.F) {
	f.Add("# Plan\n## Task 5: Parser\nbody\n### 5.1\nmore\n## Task 6\n", "5")
	f.Add("| Task | Phase |\n|---|---|\n| 1-4, 6 | 2 |\n\n## Phase 2: B\nbody\n", "3")
	f.Add("```\n## 1\n```\n~~~\n", "1")
	f.Add("Tasks 1 to 3 and\n", "1:2")
	f.Fuzz(func(t *testing.T, plan, id string) {
		got := spec.FindPlanSection(plan, id)
		at := strings.Index(plan, got.Text)
		switch {
		case at < 0:
			t.Errorf("the text is not in the plan: %q", got.Text)
		case got.Heading == "" && (at != 0 || utf8.RuneCountInString(got.Text) > 2000):
			t.Errorf("this is not the beginning: %q", got.Text)
		case got.Heading != "" && (got.Cut || !strings.Contains(strings.SplitN(got.Text, "\n", 2)[0], got.Heading)):
			t.Errorf("heading %q does not begin %q", got.Heading, got.Text)
		case utf8.ValidString(plan) && !utf8.ValidString(got.Text):
			t.Errorf("cut inside a character: %q", got.Text)
		}
	})
}
