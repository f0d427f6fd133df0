package scud_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

// bigPlan writes 10,000 tasks, every tenth of them a parent, with 30,000 dependencies and texts of about size bytes each.
func bigPlan(size int) string {
	var nodes, edges, parents, details strings.Builder
	text := strings.Repeat("word ", size/5+1)
	for i := range 10_000 {
		id := fmt.Sprintf("%d.%d", i/10, i%10)
		if i%10 == 0 {
			id = fmt.Sprint(i / 10)
			fmt.Fprintf(&parents, "%s: %s.1, %s.2, %s.3, %s.4, %s.5, %s.6, %s.7, %s.8, %s.9\n", id, id, id, id, id, id, id, id, id, id)
		}
		fmt.Fprintf(&nodes, "%s | Task number %d | P | 3 | M\n", id, i)
		for j := range 3 {
			fmt.Fprintf(&edges, "%s -> %d\n", id, (i*(j+3)+7919*j)%(i/10+1))
		}
		fmt.Fprintf(&details, "%s | description |\n  %s\n", id, text)
	}
	return "# SCUD Graph v1\n# Phase: big\n\n@nodes\n" + nodes.String() + "\n@edges\n" + edges.String() + "\n@parents\n" + parents.String() + "\n@details\n" + details.String()
}

// inJSON writes the same plan as {tag}.json.
func inJSON(b *testing.B, text string) string {
	tag, err := read(b, lay(b, map[string]string{graph: text})).Choose("")
	if err != nil {
		b.Fatal(err)
	}
	type task struct {
		ID          string   `json:"id"`
		Title       string   `json:"title"`
		Description string   `json:"description"`
		Status      string   `json:"status"`
		Complexity  int      `json:"complexity"`
		Priority    string   `json:"priority"`
		DependsOn   []string `json:"depends_on"`
		Subtasks    []string `json:"subtasks,omitempty"`
	}
	var all struct {
		Tasks []task `json:"tasks"`
	}
	for _, t := range tag.Tasks {
		one := task{t.ID, t.Title, t.Description, string(t.Status), t.Complexity, string(t.Priority), nil, t.Subtasks}
		for _, d := range t.DependsOn {
			one.DependsOn = append(one.DependsOn, d.On)
		}
		all.Tasks = append(all.Tasks, one)
	}
	written, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		b.Fatal(err)
	}
	return string(written)
}

func BenchmarkWaves(b *testing.B) {
	b.Run("SCG", func(b *testing.B) { benchmarkWaves(b, graph, bigPlan(100)) })
	b.Run("JSON", func(b *testing.B) { benchmarkWaves(b, shop, inJSON(b, bigPlan(100))) })
}

func benchmarkWaves(b *testing.B, file, text string) {
	root := lay(b, map[string]string{file: text})
	for b.Loop() {
		p := read(b, root)
		tag, err := p.Choose("")
		if err != nil || len(tag.Warnings) > 0 {
			b.Fatal(err, tag.Warnings)
		}
		if g := p.Graph(tag); len(g.Waves) == 0 || g.Err() != nil {
			b.Fatal(g.Err())
		}
	}
}

func BenchmarkMark(b *testing.B) {
	b.Run("SCG", func(b *testing.B) { benchmarkMark(b, graph, bigPlan(1000)) })
	b.Run("JSON", func(b *testing.B) { benchmarkMark(b, shop, inJSON(b, bigPlan(1000))) })
}

func benchmarkMark(b *testing.B, file, text string) {
	root := lay(b, map[string]string{file: text})
	tag, err := read(b, root).Choose("")
	if err != nil {
		b.Fatal(err)
	}
	statuses := []scud.Status{scud.InProgress, scud.Pending}
	for i := 0; b.Loop(); i++ {
		if _, err := tag.Mark(b.Context(), scud.Mark{ID: "500.5", Status: statuses[i%2]}); err != nil {
			b.Fatal(err)
		}
	}
}
