package scud_test

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"github.com/git-ralph/git-ralph/scud"
)

// tagOf reads a tag that must be there.
func tagOf(t testing.TB, root, name string) *scud.Tag {
	t.Helper()
	tag, ok := read(t, root).Tag(name)
	if !ok {
		t.Fatalf("no tag %q", name)
	}
	return tag
}

func content(t testing.TB, root, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func changes(all []scud.Change) string {
	var text []string
	for _, c := range all {
		text = append(text, fmt.Sprintf("%s %s>%s", c.ID, c.From, c.To))
	}
	return strings.Join(text, ", ")
}

// These files have a status wherever <tag:id> stands.
const (
	scgTemplate = "# SCUD Graph v1\n# Phase: z\n\n@nodes\n# 1 | Comment | P | 1 | M\n1 | Pipe \\| P \\\\| <z:1> | 1 | M\r\n2|Tight|<z:2>|1|M | role=x\n" +
		"\t3 |  Blanks   |   <z:3>\t | 1 | M\n4 | Last | <z:4> | 0 | L\n4.1 | Sub | <z:4.1> | 0 | L\n4.2 | Sub | <z:4.2> | 0 | L\n@parents\n4: 4.1, 4.2\n@magic\n1 | Not me | P | 1 | M\n" +
		"@details\n1 | description |\n  1 | Nor me | P | 1 | M\n  ---\n  # Phase: a\n  @nodes\n1 | details | \n\n---\n\n# SCUD Graph v1\n# Phase: a\n@nodes\n" +
		"1 | The same id | <a:1> | 1 | M\n10 | Another | <a:10> | 1 | M\n2 | No end of line | <a:2> | 1 | M"
	jsonTemplate = "{\n\t\"z\": {\"tasks\": [\n    {\"status\": \"<z:1>\", \"id\": \"1\", \"description\": \"\\\"status\\\": \\\"pending\\\"\"},\n" +
		"{ \"id\":2 ,\"status\" : \"<z:2>\",\"title\":\"\\u00e4\" , \"subtasks\": [ ] }, {\"id\": 3, \"status\": \"done\", \"status\": \"<z:3>\"},\r\n" +
		"{\"id\": \"4\", \"status\": \"<z:4>\", \"subtasks\": [{\"id\": 1, \"status\": \"<z:4.1>\"}, {\"id\": 2, \"status\": \"<z:4.2>\"}]} ]},\n" +
		"\"a\": {\"tasks\": [{\"id\": 1, \"status\": \"<a:1>\"}, {\"id\": 10, \"status\": \"<a:10>\"}, {\"id\": 2, \"status\": \"<a:2>\"}], \"x\": 1.50e1 }\n}"
)

// filled puts statuses into a template.
func filled(template string, statuses map[string]string) string {
	return regexp.MustCompile(`<[az]:[0-9.]+>`).ReplaceAllStringFunc(template, func(place string) string { return statuses[place] })
}

// After any sequence of marks every byte of the file but the statuses is as before, and the statuses are those marked.
func TestMarkChangesNothingElse(t *testing.T) {
	all := []scud.Status{scud.Pending, scud.InProgress, scud.Done, scud.Review, scud.Blocked, scud.Deferred, scud.Cancelled, scud.Expanded, scud.Failed}
	for name, c := range map[string]struct {
		file, template string
		text           func(scud.Status) string
	}{
		"SCG":  {graph, scgTemplate, scud.Status.Code},
		"JSON": {".scud/tasks/tasks.json", jsonTemplate, func(s scud.Status) string { return string(s) }},
	} {
		t.Run(name, func(t *testing.T) {
			statuses := map[string]string{}
			for _, place := range regexp.MustCompile(`<[az]:[0-9.]+>`).FindAllString(c.template, -1) {
				statuses[place] = c.text(scud.Pending)
			}
			root := lay(t, map[string]string{c.file: filled(c.template, statuses)})
			random := rand.New(rand.NewPCG(1, 2))
			for range 150 {
				tag := tagOf(t, root, []string{"a", "z"}[random.IntN(2)])
				marks := make([]scud.Mark, random.IntN(3))
				for i := range marks {
					marks[i] = scud.Mark{ID: tag.Tasks[random.IntN(len(tag.Tasks))].ID, Status: all[random.IntN(len(all))]}
				}
				changed, err := tag.Mark(t.Context(), marks...)
				if err != nil {
					t.Fatal(err)
				}
				for _, change := range changed {
					statuses["<"+tag.Name+":"+change.ID+">"] = c.text(change.To)
				}
				if got, want := content(t, root, c.file), filled(c.template, statuses); got != want {
					t.Fatalf("after %v (said: %s) the file is\n%s\nwant\n%s", marks, changes(changed), got, want)
				}
				for i, m := range marks {
					if now, _ := tagOf(t, root, tag.Name).Task(m.ID); now.Status != m.Status && !remarked(marks[i+1:], m.ID) {
						t.Fatalf("task %s of %s is %s, want %s", m.ID, tag.Name, now.Status, m.Status)
					}
				}
			}
		})
	}
}

func remarked(later []scud.Mark, id string) bool {
	for _, m := range later {
		if m.ID == id {
			return true
		}
	}
	return false
}

func TestMark(t *testing.T) {
	family := phase("t", []string{"1 X", "1.1", "1.2 X", "1.2.1", "1.2.2", "2", "3 d", "4 Done", "5 "}, nil, []string{"1: 1.1, 1.2", "1.2: 1.2.1, 1.2.2"})
	mark := func(id string, s scud.Status) scud.Mark { return scud.Mark{ID: id, Status: s} }
	for name, c := range map[string]struct {
		file, text string
		marks      []scud.Mark
		want       string // what changed
		edits      []string
	}{
		"one":               {graph, family, []scud.Mark{mark("2", scud.InProgress)}, "2 pending>in-progress", []string{"2 | Task 2 | P", "2 | Task 2 | I"}},
		"with the tag":      {graph, family, []scud.Mark{mark("t:2", scud.InProgress)}, "2 pending>in-progress", []string{"2 | Task 2 | P", "2 | Task 2 | I"}},
		"nothing to do":     {graph, family, []scud.Mark{mark("2", scud.Pending), mark("1", scud.Expanded)}, "", nil},
		"the last one wins": {graph, family, []scud.Mark{mark("2", scud.Done), mark("2", scud.Blocked)}, "2 pending>blocked", []string{"2 | Task 2 | P", "2 | Task 2 | B"}},
		"not the last leaf": {graph, family, []scud.Mark{mark("1.2.1", scud.Done)}, "1.2.1 pending>done", []string{"1.2.1 | Task 1.2.1 | P", "1.2.1 | Task 1.2.1 | D"}},
		"the last leaf": {graph, family, []scud.Mark{mark("1.2.1", scud.Done), mark("1.2.2", scud.Done)}, "1.2 expanded>done, 1.2.1 pending>done, 1.2.2 pending>done",
			[]string{"1.2.1 | Task 1.2.1 | P", "1.2.1 | Task 1.2.1 | D", "1.2.2 | Task 1.2.2 | P", "1.2.2 | Task 1.2.2 | D", "1.2 | Task 1.2 | X", "1.2 | Task 1.2 | D"}},
		"a cancelled leaf is not done": {graph, family, []scud.Mark{mark("1.2.1", scud.Done), mark("1.2.2", scud.Cancelled)}, "1.2.1 pending>done, 1.2.2 pending>cancelled",
			[]string{"1.2.1 | Task 1.2.1 | P", "1.2.1 | Task 1.2.1 | D", "1.2.2 | Task 1.2.2 | P", "1.2.2 | Task 1.2.2 | C"}},
		"a parent with a mark of its own": {graph, family, []scud.Mark{mark("1.2.1", scud.Done), mark("1.2.2", scud.Done), mark("1.2", scud.Expanded)}, "1.2.1 pending>done, 1.2.2 pending>done",
			[]string{"1.2.1 | Task 1.2.1 | P", "1.2.1 | Task 1.2.1 | D", "1.2.2 | Task 1.2.2 | P", "1.2.2 | Task 1.2.2 | D"}},
		"up to the top": {graph, family, []scud.Mark{mark("1.1", scud.Done), mark("1.2.1", scud.Done), mark("1.2.2", scud.Done)},
			"1 expanded>done, 1.1 pending>done, 1.2 expanded>done, 1.2.1 pending>done, 1.2.2 pending>done", []string{"| P | 3 | M\n1.2", "| D | 3 | M\n1.2",
				"1 | Task 1 | X", "1 | Task 1 | D", "1.2 | Task 1.2 | X", "1.2 | Task 1.2 | D", "1.2.1 | Task 1.2.1 | P", "1.2.1 | Task 1.2.1 | D", "1.2.2 | Task 1.2.2 | P", "1.2.2 | Task 1.2.2 | D"}},
		"an odd status":      {graph, family, []scud.Mark{mark("3", scud.Done), mark("4", scud.Done), mark("5", scud.Done)}, "3 d>done, 4 done>done, 5 pending>done", []string{"3 | d |", "3 | D |", "Done", "D", "5 |  |", "5 | D |"}},
		"a tag twice":        {graph, family + "---\n" + phase("t", []string{"2"}, nil, nil), []scud.Mark{mark("2", scud.Done)}, "2 pending>done", []string{"@nodes\n2 | Task 2 | P", "@nodes\n2 | Task 2 | D"}},
		"put back":           {graph, family, []scud.Mark{{ID: "3", Status: "d", Written: "d"}, {ID: "2", Status: scud.Done, Written: "done"}}, "2 pending>done", []string{"2 | Task 2 | P", "2 | Task 2 | done"}},
		"put back, JSON":     {shop, `{"tasks": [{"id": 1, "status": "done"}]}`, []scud.Mark{{ID: "1", Written: "awaiting-tune"}}, "1 done>awaiting-tune", []string{`"done"`, `"awaiting-tune"`}},
		"other spelling":     {shop, `{"tasks": [{"id": 1, "status": "completed"}]}`, []scud.Mark{mark("1", scud.Done)}, "", nil},
		"shorter":            {shop, `{"tasks": [{"id": 1, "status": "in_progress"}, {"id": 2, "status": "done"}]}`, []scud.Mark{mark("1", scud.Done), mark("2", scud.Failed)}, "1 in-progress>done, 2 done>failed", []string{`"done"`, `"failed"`, `"in_progress"`, `"done"`}},
		"no status":          {shop, `{"tasks": [{"id": 1 , "title": "A"}]}`, []scud.Mark{mark("1", scud.Done)}, "1 pending>done", []string{`1 ,`, `1, "status": "done" ,`}},
		"no status, nothing": {shop, `{"tasks": [{"id": 1 , "title": "A"}]}`, []scud.Mark{mark("1", scud.Pending)}, "", nil},
		"null":               {shop, `{"tasks": [{"id": 1, "status": null}]}`, []scud.Mark{mark("1", scud.Blocked)}, "1 pending>blocked", []string{`null`, `"blocked"`}},
		"JSON parents":       {shop, `{"tasks": [{"id": 1, "status": "expanded", "subtasks": ["1.1"]}, {"id": 1.1, "status": "pending"}]}`, []scud.Mark{mark("1.1", scud.Done)}, "1 expanded>done, 1.1 pending>done", []string{`"expanded"`, `"done"`, `"pending"`, `"done"`}},
	} {
		t.Run(name, func(t *testing.T) {
			root := lay(t, map[string]string{c.file: c.text})
			tag, err := read(t, root).Choose("")
			if err != nil {
				t.Fatal(err)
			}
			changed, err := tag.Mark(t.Context(), c.marks...)
			if err != nil {
				t.Fatal(err)
			}
			check(t, "changes", changes(changed), c.want)
			want := c.text
			for i := 0; i < len(c.edits); i += 2 {
				want = strings.Replace(want, c.edits[i], c.edits[i+1], 1)
			}
			check(t, "file", content(t, root, c.file), want)
		})
	}
}

// All marks are written, or none.
func TestMarkRefuses(t *testing.T) {
	text := phase("t", []string{"1", "2"}, nil, nil)
	for name, c := range map[string]struct {
		mark scud.Mark
		want string
	}{
		"unknown task":   {scud.Mark{ID: "3", Status: scud.Done}, `has no task "3" in tag "t"`},
		"unknown status": {scud.Mark{ID: "2", Status: "later"}, `task "2": status "later" is none of SCUD's`},
		"no status":      {scud.Mark{ID: "2"}, `task "2": status "" is none of SCUD's`},
		"pipe":           {scud.Mark{ID: "2", Written: "D | 1"}, `task "2": status "D | 1" does not fit into a column`},
		"new line":       {scud.Mark{ID: "2", Written: "D\nx"}, `task "2": status "D\nx" does not fit into a column`},
		"blanks":         {scud.Mark{ID: "2", Written: " D"}, `task "2": status " D" does not fit into a column`},
	} {
		t.Run(name, func(t *testing.T) {
			root := lay(t, map[string]string{graph: text})
			_, err := tagOf(t, root, "t").Mark(t.Context(), scud.Mark{ID: "1", Status: scud.Done}, c.mark)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), graph) {
				t.Errorf("error %v, want %s", err, c.want)
			}
			check(t, "file", content(t, root, graph), text)
		})
	}
}

// What others did to the file meanwhile stays; what cannot be marked in it is said.
func TestMarkReadsAgain(t *testing.T) { synctest.Test(t, markReadsAgain) }

func markReadsAgain(t *testing.T) {
	root := lay(t, map[string]string{graph: phase("t", []string{"1", "2"}, nil, nil)})
	tag, path := tagOf(t, root, "t"), filepath.Join(root, filepath.FromSlash(graph))
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	other := phase("new", []string{"1 D"}, nil, nil) + "---\n" + phase("t", []string{"7", "1 B", "2 D"}, nil, nil)
	write(other)
	changed, err := tag.Mark(t.Context(), scud.Mark{ID: "1", Status: scud.Done})
	if err != nil {
		t.Fatal(err)
	}
	check(t, "changes", changes(changed), "1 blocked>done")
	check(t, "file", content(t, root, graph), strings.Replace(other, "| B |", "| D |", 1))

	write(phase("t", []string{"2"}, nil, nil))
	var unknown *scud.UnknownTaskError
	if _, err := tag.Mark(t.Context(), scud.Mark{ID: "1", Status: scud.Done}); !errors.As(err, &unknown) || len(unknown.IDs) != 1 {
		t.Errorf("task is gone: error %v", err)
	}
	write("<<<<<<< HEAD\n")
	var parse *scud.ParseError
	if _, err := tag.Mark(t.Context(), scud.Mark{ID: "1", Status: scud.Done}); !errors.As(err, &parse) || parse.Line != 1 {
		t.Errorf("conflict: error %v", err)
	}
	write("")
	if _, err := tag.Mark(t.Context(), scud.Mark{ID: "1", Status: scud.Done}); err == nil || content(t, root, graph) != "" {
		t.Errorf("empty: error %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if _, err := tag.Mark(t.Context(), scud.Mark{ID: "1", Status: scud.Done}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("file is gone: error %v", err)
	}
}

// Writers that mark at the same time lose nothing of each other, and readers see whole files.
func TestMarkTogether(t *testing.T) {
	var nodes []string
	for i := range 40 {
		nodes = append(nodes, fmt.Sprint(i))
	}
	for name, text := range map[string]string{graph: phase("shop", nodes, nil, nil),
		shop: `{"tasks": [{"id": ` + strings.Join(nodes, `, "status": "pending"}, {"id": `) + `, "status": "pending"}]}`} {
		root := lay(t, map[string]string{name: text})
		tag := tagOf(t, root, "shop")
		var all sync.WaitGroup
		for part := range 4 {
			all.Go(func() {
				for i := part; i < len(nodes); i += 4 {
					if _, err := tag.Mark(t.Context(), scud.Mark{ID: nodes[i], Status: scud.InProgress}); err != nil {
						t.Error(err)
					}
					if p, err := scud.Read(t.Context(), root); err != nil || len(p.Tags) != 1 || len(p.Tags[0].Tasks) != len(nodes) {
						t.Errorf("read %+v, error %v", p, err)
					}
				}
			})
		}
		all.Wait()
		want := strings.NewReplacer("| P |", "| I |", "pending", "in-progress").Replace(text)
		check(t, "file", content(t, root, name), want)
	}
}

// Of a tasks.scg and a {tag}.json that agree both are marked, so that they agree still.
func TestMarkBothFiles(t *testing.T) {
	waves := `{"tasks": [{"id": 1, "status": "pending"}, {"id": 2, "status": "pending", "depends_on": [1]}], "waves": [{"number": 1, "task_ids": [1]}, {"number": 4, "task_ids": [2]}]}`
	root := lay(t, map[string]string{graph: phase("shop", []string{"1", "2"}, []string{"2 -> 1"}, nil), shop: waves})
	for _, m := range []scud.Mark{{ID: "1", Status: scud.InProgress}, {ID: "1", Status: scud.Done}, {ID: "2", Written: "!"}, {ID: "2", Status: scud.Blocked}} {
		tag, err := read(t, root).Choose("shop")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := tag.Mark(t.Context(), m); err != nil {
			t.Fatal(err)
		}
	}
	check(t, "second file", content(t, root, shop), strings.Replace(strings.Replace(waves, "pending", "done", 1), "pending", "blocked", 1))
	tag, err := read(t, root).Choose("shop")
	if err != nil {
		t.Fatal(err)
	}
	check(t, "files", strings.Join(tag.Files(), " "), graph+" "+shop)

	if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(shop)), []byte("{"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := tag.Mark(t.Context(), scud.Mark{ID: "1", Status: scud.Pending}); err != nil {
		t.Errorf("the second file is broken meanwhile: error %v", err)
	}
	if task, _ := tagOf(t, root, "shop").Task("1"); task.Status != scud.Pending {
		t.Errorf("task 1 is %s", task.Status)
	}
}
