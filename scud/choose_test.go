package scud_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

func TestChoose(t *testing.T) {
	two := phase("a", []string{"1"}, nil, nil) + "---\n" + phase("b", []string{"1"}, nil, nil)
	one := phase("a", []string{"1"}, nil, nil)
	task := `{"tasks": [{"id": 1, "status": "pending"}]}`
	for name, c := range map[string]struct {
		given string
		files map[string]string
		want  string
	}{
		"given":                    {"b", map[string]string{graph: two, ".scud/active-tag": "a"}, "b"},
		"given, not there":         {"c", map[string]string{graph: two}, `there is no tag "c"; the plan has a, b`},
		"active":                   {"", map[string]string{graph: two, ".scud/active-tag": "b\r\n"}, "b"},
		"active, not there":        {"", map[string]string{graph: two, ".scud/active-tag": "c"}, "the plan has several tags: a, b"},
		"active gone, the only":    {"", map[string]string{graph: one, ".scud/active-tag": "c"}, "a"},
		"active in an old file":    {"", map[string]string{graph: two, ".scud/workflow-state.json": `{"active_group": "b"}`}, "b"},
		"active in the oldest":     {"", map[string]string{".taskmaster/tasks/tasks.json": `{"a": ` + task + `, "b": ` + task + `}`, ".taskmaster/workflow-state.json": `{"active_epic": "b"}`}, "b"},
		"old file is stale":        {"", map[string]string{graph: two, ".scud/active-tag": "a", ".scud/workflow-state.json": `{"active_group": "b"}`}, "a"},
		"old file is broken":       {"", map[string]string{graph: two, ".scud/workflow-state.json": `{`}, "the plan has several tags: a, b"},
		"only one":                 {"", map[string]string{graph: one}, "a"},
		"only one, of JSON":        {"", map[string]string{shop: task, graph: ""}, "shop"},
		"several":                  {"", map[string]string{shop: task, graph: one}, "the plan has several tags: a, shop"},
		"none":                     {"", map[string]string{graph: ""}, "the plan has no tasks"},
		"none, given":              {"a", map[string]string{graph: ""}, `there is no tag "a": the plan has none`},
		"graph before mirror":      {"", map[string]string{graph: one, ".scud/tasks/tasks.json": `{"a": {"tasks": [{"id": 9}]}}`}, "a"},
		"active is broken":         {"", map[string]string{graph: one, shop: "{", ".scud/active-tag": "shop"}, ".scud/tasks/shop.json:1: the name of a member is expected here, in double quotes"},
		"mirror is broken":         {"c", map[string]string{graph: one, ".scud/tasks/tasks.json": "{"}, ".scud/tasks/tasks.json:1: the name of a member is expected here, in double quotes"},
		"broken, but not for this": {"a", map[string]string{graph: one, ".scud/tasks/tasks.json": "{"}, "a"},
		"only a broken one":        {"", map[string]string{shop: "{"}, ".scud/tasks/shop.json:1: the name of a member is expected here, in double quotes"},
	} {
		t.Run(name, func(t *testing.T) {
			tag, err := read(t, lay(t, c.files)).Choose(c.given)
			got := ""
			if err != nil {
				got = err.Error()
			} else {
				got = tag.Name
			}
			check(t, "chosen", got, c.want)
		})
	}
}

// For one tag the better file counts.
func TestFileThatCounts(t *testing.T) {
	tasks := `{"tasks": [{"id": 1, "status": "pending"}]}`
	files := map[string]string{
		graph:                          phase("shop", []string{"1"}, nil, nil),
		shop:                           tasks,
		".scud/tasks/tasks.json":       `{"shop": ` + tasks + `}`,
		".taskmaster/tasks/tasks.json": `{"shop": ` + tasks + `}`,
	}
	for _, name := range []string{graph, shop, ".scud/tasks/tasks.json", ".taskmaster/tasks/tasks.json"} {
		tag, err := read(t, lay(t, files)).Choose("")
		if err != nil {
			t.Fatal(err)
		}
		check(t, "file", tag.File, name)
		delete(files, name)
	}
}

func TestConflict(t *testing.T) {
	scg := phase("shop", []string{"1 D", "2"}, []string{"2 -> shop:1"}, nil)
	for name, c := range map[string]struct{ json, want string }{
		"the same":     {`{"tasks": [{"id": 2, "status": "pending", "depends_on": [1]}, {"id": 1, "status": "completed"}], "waves": [{"number": 1, "task_ids": [1, 2]}]}`, ""},
		"status":       {`{"tasks": [{"id": 2, "status": "done", "depends_on": [1]}, {"id": 1, "status": "done"}]}`, "task 2 is pending in the first and done in the second"},
		"dependency":   {`{"tasks": [{"id": 2, "status": "pending"}, {"id": 1, "status": "done"}]}`, "task 2 has other dependencies in the second"},
		"one more":     {`{"tasks": [{"id": 2, "status": "pending", "depends_on": [1]}, {"id": 1, "status": "done"}, {"id": 3, "status": "done"}]}`, "task 3 is only in the second"},
		"one too few":  {`{"tasks": [{"id": 1, "status": "done"}]}`, "task 2 is only in the first"},
		"other format": {`{"shop": {"tasks": [{"id": 1, "status": "done"}]}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := read(t, lay(t, map[string]string{graph: scg, shop: c.json}))
			tag, err := p.Choose("shop")
			if c.want == "" {
				if err != nil || tag.File != graph || (name == "the same") != (len(tag.Waves) == 1) {
					t.Fatalf("tag %+v, error %v", tag, err)
				}
				return
			}
			var conflict *scud.ConflictError
			if !errors.As(err, &conflict) {
				t.Fatalf("error %v", err)
			}
			check(t, "error", err.Error(), graph+" and "+shop+` disagree about tag "shop": `+c.want)
			if tag, ok := p.Tag("shop"); !ok || tag.File != graph {
				t.Errorf("who knows better gets %+v", tag)
			}
		})
	}
}

func TestFind(t *testing.T) {
	root := lay(t, map[string]string{".scud/tasks/tasks.scg": "", "a/b/c/x": "", "a/old/.taskmaster/x": "", "a/file/.scud": "no folder"})
	for _, c := range []struct{ dir, top, want string }{
		{".", "", "."}, {"a/b/c", "", "."}, {"a/b/c", ".", "."}, {"a/b/c", "a", ""}, {"a/b/c", "a/b/c", ""},
		{"a/old", "", "a/old"}, {"a/old/.taskmaster", "a", "a/old"}, {"a/file", "", "."}, {"a/file", "a", ""},
	} {
		top := c.top
		if top != "" {
			top = filepath.Join(root, top)
		}
		got, err := scud.Find(filepath.Join(root, c.dir), top)
		switch {
		case c.want == "" && !errors.Is(err, scud.ErrNoFolder):
			t.Errorf("%s up to %s: found %q, error %v", c.dir, c.top, got, err)
		case c.want != "" && (err != nil || got != filepath.Join(root, c.want)):
			t.Errorf("%s up to %s: found %q, error %v", c.dir, c.top, got, err)
		}
	}
}

// A top that is reached by another path is known all the same.
func TestFindUpToLink(t *testing.T) {
	root := lay(t, map[string]string{".scud/x": "", "real/a/x": ""})
	if err := os.Symlink("real", filepath.Join(root, "link")); err != nil {
		t.Skip("no symbolic links:", err)
	}
	if got, err := scud.Find(filepath.Join(root, "link", "a"), filepath.Join(root, "real")); !errors.Is(err, scud.ErrNoFolder) {
		t.Errorf("found %q, error %v", got, err)
	}
}

// A relative directory is looked at from the current one.
func TestFindFromHere(t *testing.T) {
	t.Chdir(lay(t, map[string]string{".scud/x": "", "a/x": ""}))
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if got, err := scud.Find("a", ""); err != nil || got != here {
		t.Errorf("found %q, error %v", got, err)
	}
}

func TestReadWithoutFiles(t *testing.T) {
	if p := read(t, t.TempDir()); len(p.Tags) > 0 {
		t.Errorf("tags %v", p.Tags)
	}
}
