package scud_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

const (
	graph = ".scud/tasks/tasks.scg"
	shop  = ".scud/tasks/shop.json"
)

// lay writes files below a new directory and returns it.
func lay(t testing.TB, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// read reads the plan below root.
func read(t testing.TB, root string) *scud.Plan {
	t.Helper()
	p, err := scud.Read(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// only reads one file and returns its only tag.
func only(t testing.TB, name, text string) (*scud.Plan, *scud.Tag) {
	t.Helper()
	p := read(t, lay(t, map[string]string{name: text}))
	tag, err := p.Choose("")
	if err != nil {
		t.Fatal(err)
	}
	return p, tag
}

// phase writes a tag in SCG: every line of nodes is "id status" and edges and parents are written as they are.
func phase(name string, nodes, edges, parents []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# SCUD Graph v1\n# Phase: %s\n\n@nodes\n", name)
	for _, node := range nodes {
		id, status, found := strings.Cut(node, " ")
		if !found {
			status = "P"
		}
		fmt.Fprintf(&b, "%s | Task %s | %s | 3 | M\n", id, id, status)
	}
	fmt.Fprintf(&b, "\n@edges\n%s\n\n@parents\n%s\n", strings.Join(edges, "\n"), strings.Join(parents, "\n"))
	return b.String()
}

// show writes what a tag says about its tasks, one line each.
func show(tag *scud.Tag) string {
	var b strings.Builder
	for _, t := range tag.Tasks {
		fmt.Fprintf(&b, "%s %q %s/%s %d %s", t.ID, t.Title, t.Status, t.Written, t.Complexity, t.Priority)
		if t.Parent != "" {
			fmt.Fprintf(&b, " in %s", t.Parent)
		}
		if !t.Leaf() {
			fmt.Fprintf(&b, " of %s", strings.Join(t.Subtasks, ","))
		}
		for _, d := range t.DependsOn {
			fmt.Fprintf(&b, " after %s@%d", d.On, d.Line)
		}
		for _, text := range []string{t.Description, t.Details, t.TestStrategy, t.AssignedTo, t.AgentType, t.ModelTier} {
			if text != "" {
				fmt.Fprintf(&b, " %q", text)
			}
		}
		fmt.Fprintf(&b, " :%d\n", t.Line)
	}
	return b.String()
}

// said returns warnings without their file.
func said(warnings []scud.Warning) string {
	var b strings.Builder
	for _, w := range warnings {
		fmt.Fprintf(&b, "%d: %s\n", w.Line, w.Text)
	}
	return b.String()
}

// check compares texts.
func check(t testing.TB, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s:\n%s\nwant:\n%s", what, got, want)
	}
}
