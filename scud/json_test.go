package scud_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

func TestReadTagJSON(t *testing.T) {
	_, tag := only(t, shop, `{
  "tag": "shop",
  "created_at": "2026-01-01",
  "tasks": [
    {
      "id": 10, "title": "Cart \u00fc \"x\"", "status": "in_progress", "complexity": 5, "priority": "high",
      "depends_on": [2, "1"],
      "description": "One\ntwo", "testStrategy": "Try it", "phase": "later"
    },
    {"id": "2", "title": "A", "status": "completed", "complexity": 1.0, "dependencies": ["1"], "assigned_to": null},
    {"id": 1, "title": "B", "status": "canceled", "status": "done", "details": "d", "test_strategy": "s", "agent_type": "builder"},
    {"id": 3, "title": "C \\\\", "status": "awaiting-tune", "complexity": "x"},
    {"title": "D", "status": "done"},
    {"id": 4, "title": ["E"]}
  ],
  "waves": [{"number": 2, "name": "Second", "task_ids": [10]}, {"task_ids": ["1", 2]}, 7],
  "summary": {"total_complexity": 76}
}
`)
	check(t, "tasks", show(tag), `1 "B" done/done 0 medium "d" "s" "builder" :11
2 "A" done/completed 1 medium after 1@10 :10
3 "C \\\\" awaiting-tune/awaiting-tune 0 medium :12
4 "" pending/ 0 medium :14
10 "Cart ü \"x\"" in-progress/in_progress 5 high after 2@7 after 1@7 "One\ntwo" "Try it" :5
`)
	check(t, "warnings", said(tag.Warnings), `12: task "3": complexity "x" is no number
12: task "3": status "awaiting-tune" is none of SCUD's: kept as it is, and the task is not run
13: this task has no id and is left out
14: task "4": title is no text
14: task "4" has no status: read as pending
16: this wave has no number; it is taken for wave 2
16: this wave has no number; it is taken for wave 3
`)
	if len(tag.Waves) != 3 || tag.Waves[0].Name != "Second" || strings.Join(tag.Waves[1].Tasks, " ") != "1 2" {
		t.Errorf("waves %+v", tag.Waves)
	}
}

func TestReadTasksJSON(t *testing.T) {
	p := read(t, lay(t, map[string]string{".scud/tasks/tasks.json": `{
  "b": {"name": "b", "tasks": [
    {"id": "2", "title": "P", "status": "expanded", "complexity": 3, "priority": "low", "dependencies": [], "subtasks": ["2.10", "2.9", "7"]},
    {"id": "2.10", "title": "X", "status": "pending", "parent_id": "2", "dependencies": ["2.9"]},
    {"id": "2.9", "title": "Y", "status": "failed", "dependencies": ["2"]}
  ]},
  "a": {"tasks": []},
  "metadata": {"version": 1}, "list": [1]
}`}))
	if len(p.Tags) != 2 || p.Tags[0].Name != "a" || len(p.Tags[0].Tasks) != 0 {
		t.Fatalf("tags %+v", p.Tags)
	}
	check(t, "tasks", show(p.Tags[1]), `2 "P" expanded/expanded 3 low of 2.9,2.10 :3
2.9 "Y" failed/failed 0 medium in 2 after 2@5 :5
2.10 "X" pending/pending 0 medium in 2 after 2.9@4 :4
`)
	check(t, "warnings", said(p.Tags[1].Warnings), "3: subtask \"7\" of \"2\" is not there\n")
}

// The oldest generation marks its parents in their titles.
func TestReadOldestJSON(t *testing.T) {
	_, tag := only(t, ".taskmaster/tasks/tasks.json", `{"old": {"name": "old", "tasks": [
{"id": "1", "title": "[PARENT] All", "status": "completed"},
{"id": "1.1", "title": "A", "status": "pending"},
{"id": "1.1.1", "title": "B", "status": "pending"},
{"id": "2", "title": "No parent", "status": "pending"},
{"id": "2.1", "title": "C", "status": "pending"},
{"id": "rpc-server-1", "title": "D", "status": "pending"}
]}}`)
	check(t, "tasks", show(tag), `1 "[PARENT] All" done/completed 0 medium of 1.1 :2
1.1 "A" pending/pending 0 medium in 1 :3
1.1.1 "B" pending/pending 0 medium :4
2 "No parent" pending/pending 0 medium :5
2.1 "C" pending/pending 0 medium :6
rpc-server-1 "D" pending/pending 0 medium :7
`)
}

// Subtasks may stand inside their parents, with ids that count from 1 in each.
func TestReadNestedJSON(t *testing.T) {
	_, tag := only(t, ".scud/tasks/tasks.json", `{"master": {"tasks": [
{"id": 1, "title": "A", "status": "done"},
{"id": 3, "title": "B", "status": "pending", "dependencies": [1], "subtasks": [
  {"id": 1, "title": "C", "status": "pending"},
  {"id": 2, "title": "D", "status": "pending", "dependencies": [1, "1.5", 9]},
  {"id": "3.3", "title": "E", "status": "pending", "dependencies": ["3.2"]}
]}
]}}`)
	check(t, "tasks", show(tag), `1 "A" done/done 0 medium :2
3 "B" pending/pending 0 medium of 3.1,3.2,3.3 after 1@3 :3
3.1 "C" pending/pending 0 medium in 3 :4
3.2 "D" pending/pending 0 medium in 3 after 3.1@5 after 1.5@5 after 9@5 :5
3.3 "E" pending/pending 0 medium in 3 after 3.2@6 :6
`)
}

// Other JSON in the folder is no plan.
func TestOtherJSON(t *testing.T) {
	p := read(t, lay(t, map[string]string{
		".scud/tasks/a.json": `[{"title": "A", "dependencies": [1]}]`,
		".scud/tasks/b.json": `{"tasks": [{"title": "A"}]}`,
		".scud/tasks/c.json": `{"c": {"tasks": [{"id": 1}]}}`,
		".scud/tasks/d.json": `"text"`,
		".scud/tasks/e.txt":  `{"tasks": [{"id": 1}]}`,
	}))
	if len(p.Tags) > 0 || len(p.Warnings) > 0 {
		t.Errorf("tags %v, warnings %v", p.Tags, p.Warnings)
	}
}

func TestBrokenJSON(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   ":1: a value is expected here",
		"{\"tasks\": [\n{\"id\": 1},\n]}":    ":2: a comma stands before the end of the list",
		"{\"tasks\": [\n{\"id\": 1}\n":       ":3: a comma or the end of the list is expected here",
		"{\"tasks\": [\n{\"id\" 1}\n":        ":2: a colon is expected here",
		"{\"tasks\": [\n{id: 1}\n":           ":2: the name of a member is expected here, in double quotes",
		"{\"tasks\": [\n{\"id\": \"1}\n]}\n": ":2: this string does not end",
		"{\"tasks\": [\n{\"id\": 01}]}\n":    ":2: a value is expected here",
		"{\"tasks\": []}\n\nx":               ":3: nothing is expected here any more",
		"{\"tasks\": [\n{\"\\q\": 1}]}":      ":2: this string has an escape that JSON does not know",
		"{\"tasks\": []," + strings.Repeat("\n", 3) + "\"x\": " + strings.Repeat("[", 1000): ":4: this is nested too deeply",
	} {
		p := read(t, lay(t, map[string]string{shop: text, graph: phase("a", []string{"1"}, nil, nil)}))
		_, err := p.Choose("shop")
		var parse *scud.ParseError
		if !errors.As(err, &parse) || err.Error() != shop+want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
		if tag, err := p.Choose(""); err != nil || tag.Name != "a" || len(p.Warnings) != 1 {
			t.Errorf("%q: a broken file of another tag is in the way: %v", text, err)
		}
	}
}
