package scud_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/scud"
)

func FuzzSCG(f *testing.F) {
	f.Add(wholePhase)
	f.Add(scgTemplate)
	f.Add("# Epic: a\r\n@nodes\n1|a|P|1|M\n@edges\n1 -> 1\n@parents\n1: 1\n---\n")
	f.Fuzz(func(t *testing.T, text string) { fuzzPlan(t, graph, text) })
}

func FuzzJSON(f *testing.F) {
	f.Add(jsonTemplate)
	f.Add(`{"tasks": [{"id": 1, "status": null, "subtasks": ["1", {"id": 2, "dependencies": [1, "x"]}]}], "waves": [{"number": 1, "task_ids": [1]}]}`)
	f.Add(`[{"id": 1}]`)
	f.Fuzz(func(t *testing.T, text string) {
		fuzzPlan(t, ".scud/tasks/tasks.json", text)
	})
}

// fuzzPlan reads any text as a task file: it is read or refused with its line, the waves hold all leaves, and a mark changes
// one task and nothing else that can be read.
func fuzzPlan(t *testing.T, name, text string) {
	root := lay(t, map[string]string{name: text})
	before, err := scud.Read(t.Context(), root)
	if err != nil {
		if !strings.HasPrefix(err.Error(), name+":") {
			t.Errorf("the error names no line: %v", err)
		}
		return
	}
	if json.Valid([]byte(text)) && utf8.ValidString(text) && len(before.Warnings) > 0 && strings.HasSuffix(name, ".json") {
		t.Errorf("valid JSON is refused: %v", before.Warnings)
	}
	for _, tag := range before.Tags {
		g := before.Graph(tag)
		laid := len(g.Broken)
		for _, w := range g.Waves {
			laid += len(w.Tasks)
		}
		if leaves := tag.Leaves(); laid != len(leaves) {
			t.Errorf("%d of %d leaves are laid in waves", laid, len(leaves))
		}
		if len(tag.Tasks) > 0 {
			fuzzMark(t, root, name, tag)
		}
	}
}

func fuzzMark(t *testing.T, root, name string, tag *scud.Tag) {
	task := tag.Tasks[len(tag.Tasks)/2]
	text := content(t, root, name)
	changed, err := tag.Mark(t.Context(), scud.Mark{ID: task.ID, Status: scud.Blocked})
	if err != nil {
		t.Fatalf("mark %q: %v", task.ID, err)
	}
	marked := content(t, root, name)
	if len(changed) > 1 || len(changed) == 0 && marked != text {
		t.Errorf("changed %v", changed)
	}
	if json.Valid([]byte(text)) && !json.Valid([]byte(marked)) && strings.HasSuffix(name, ".json") {
		t.Errorf("no valid JSON any more: %q", marked)
	}
	after := tagOf(t, root, tag.Name)
	for i := range after.Tasks {
		if after.Tasks[i].ID == task.ID {
			if after.Tasks[i].Status != scud.Blocked {
				t.Errorf("task %q is %s", task.ID, after.Tasks[i].Status)
			}
			after.Tasks[i].Status, after.Tasks[i].Written = task.Status, task.Written
		}
	}
	if !reflect.DeepEqual(after.Tasks, tag.Tasks) {
		t.Errorf("other things changed:\n%+v\nwas\n%+v", after.Tasks, tag.Tasks)
	}
	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
