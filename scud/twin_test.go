package scud_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

// twin describes an invented plan that is as large, and as deep, as one that people work with.
type twin struct {
	parents  int
	levels   []int  // leaves in each wave
	edges    int    // dependencies as they are written
	statuses string // of the leaves, in the order of the waves; the last letter goes on
	parent   string // status of the parents
	selfish  int    // parents that depend on themselves
	spelled  bool   // some dependencies are written with the tag
}

// twins are invented plans of the sizes, depths and oddities of real ones.
func twins() map[string]twin {
	return map[string]twin{
		"flat":                  {0, []int{1, 2, 2, 1, 1, 1, 1, 1}, 19, "P", "", 0, false},
		"few subtasks":          {6, []int{1, 2, 1, 1, 1, 1, 1, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 3}, 25, "P", "X", 0, false},
		"all expanded":          {10, []int{1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 4, 2, 1, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 2, 1, 1, 3}, 58, "P", "X", 0, false},
		"over":                  {3, []int{2, 1, 2, 2, 2, 1, 1, 1, 1}, 20, "D", "X", 0, false},
		"broad":                 {6, []int{4, 5, 4, 2, 1, 1, 1, 1, 1}, 19, "P", "X", 0, false},
		"parents as pending":    {5, []int{1, 1, 1, 1, 1, 2, 1, 1, 2, 3, 2, 1, 1, 1, 1}, 21, "P", "P", 0, false},
		"under way":             {8, []int{1, 3, 2, 1, 1, 2, 2, 2, 2, 1, 1}, 30, "DDDDDDDDDDDIIIP", "X", 0, true},
		"parents on themselves": {11, []int{2, 2, 2, 3, 3, 4, 2, 2, 3, 2, 6, 4, 1, 1, 3, 2, 2, 2, 1, 1}, 56, "P", "X", 2, false},
	}
}

// Plans of all sizes are read whole, in SCG and as the mirror in JSON, and their leaves lie in the waves that they were made for, whether tasks wait for leaves
// or for expanded parents.
func TestTwins(t *testing.T) {
	for name, c := range twins() {
		t.Run(name, func(t *testing.T) {
			p, tag := only(t, graph, c.text())
			c.check(t, p, tag)
			p, tag = only(t, ".scud/tasks/tasks.json", mirror(t, tag))
			c.check(t, p, tag)
		})
	}
}

// The same plain ids in every tag of a file mean other tasks in each.
func TestTwinsInOneFile(t *testing.T) {
	six, all := []string{"few subtasks", "flat", "all expanded", "over", "broad", "parents as pending"}, twins()
	var phases []string
	for _, name := range six {
		phases = append(phases, strings.Replace(all[name].text(), "# Phase: twin", "# Phase: "+strings.ReplaceAll(name, " ", "-"), 1))
	}
	p := read(t, lay(t, map[string]string{graph: strings.Join(phases, "\n---\n\n")}))
	if len(p.Tags) != len(six) {
		t.Fatalf("%d tags", len(p.Tags))
	}
	for _, name := range six {
		tag, ok := p.Tag(strings.ReplaceAll(name, " ", "-"))
		if !ok {
			t.Fatalf("no tag %q", name)
		}
		all[name].check(t, p, tag)
	}
}

// check compares a tag with what it was made from.
func (c twin) check(t *testing.T, p *scud.Plan, tag *scud.Tag) {
	t.Helper()
	leaves, edges, counts, want := 0, 0, map[scud.Status]int{}, map[scud.Status]int{}
	for _, task := range tag.Tasks {
		edges += len(task.DependsOn)
		counts[task.Status]++
		if task.Leaf() {
			leaves++
		}
	}
	words := map[byte]scud.Status{'P': scud.Pending, 'X': scud.Expanded, 'D': scud.Done, 'I': scud.InProgress}
	for range c.parents {
		want[words[c.parent[0]]]++
	}
	made := 0
	for _, n := range c.levels {
		for range n {
			want[words[c.statuses[min(made, len(c.statuses)-1)]]]++
			made++
		}
	}
	if leaves != made || len(tag.Tasks) != made+c.parents || edges != c.edges || !maps.Equal(counts, want) {
		t.Errorf("%d leaves of %d tasks, %d dependencies, %v; want %d, %d, %d, %v", leaves, len(tag.Tasks), edges, counts, made, made+c.parents, c.edges, want)
	}
	g := p.Graph(tag)
	var levels []int
	for _, w := range g.Waves {
		levels = append(levels, len(w.Tasks))
	}
	if !slices.Equal(levels, c.levels) || g.Err() != nil {
		t.Errorf("waves of %v, want %v; %v", levels, c.levels, g.Err())
	}
}

// mirror writes a tag as SCUD's mirror in JSON does: keyed by the tag, subtasks behind all others, as lists of ids.
func mirror(t *testing.T, tag *scud.Tag) string {
	var first, behind []map[string]any
	for _, task := range tag.Tasks {
		on := []string{}
		for _, d := range task.DependsOn {
			on = append(on, d.On)
		}
		one := map[string]any{"id": task.ID, "title": task.Title, "description": "", "status": task.Status, "complexity": task.Complexity, "priority": task.Priority, "dependencies": on}
		if !task.Leaf() {
			one["subtasks"] = task.Subtasks
		}
		if task.Parent == "" {
			first = append(first, one)
			continue
		}
		one["parent_id"] = task.Parent
		behind = append(behind, one)
	}
	text, err := json.MarshalIndent(map[string]any{tag.Name: map[string]any{"name": tag.Name, "tasks": append(first, behind...)}}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// twinLeaf is a leaf of a twin while it is made.
type twinLeaf struct {
	id            string
	level, parent int // parent zero: none
}

// text writes the plan. Every leaf waits for one of the level before, or for the parent whose last leaf that is; the other dependencies say nothing new.
func (c twin) text() string {
	leaves := c.leaves()
	last := map[int]int{} // level at which a parent is done
	for _, l := range leaves {
		last[l.parent] = max(last[l.parent], l.level)
	}
	var edges []string
	add := func(from, on string) {
		if c.spelled && len(edges)%4 == 1 {
			on = "twin:" + on
		}
		if edge := from + " -> " + on; len(edges) < c.edges && !slices.Contains(edges, edge) {
			edges = append(edges, edge)
		}
	}
	for i := range c.selfish {
		add(fmt.Sprint(i+1), fmt.Sprint(i+1))
	}
	for _, l := range leaves {
		i := slices.IndexFunc(leaves, func(on twinLeaf) bool { return on.level == l.level-1 })
		switch {
		case i < 0:
		case leaves[i].parent > 0 && leaves[i].parent != l.parent && last[leaves[i].parent] == l.level-1:
			add(l.id, fmt.Sprint(leaves[i].parent))
		default:
			add(l.id, leaves[i].id)
		}
	}
	for _, l := range leaves {
		for _, on := range leaves {
			if on.level < l.level {
				add(l.id, on.id)
			}
		}
	}
	var nodes, parents []string
	children := map[int][]string{}
	for i, l := range leaves {
		nodes = append(nodes, l.id+" "+string(c.statuses[min(i, len(c.statuses)-1)]))
		children[l.parent] = append(children[l.parent], l.id)
	}
	for p := 1; p <= c.parents; p++ {
		nodes = append(nodes, fmt.Sprint(p, " ", c.parent))
		parents = append(parents, fmt.Sprintf("%d: %s", p, strings.Join(children[p], ", ")))
	}
	random := rand.New(rand.NewPCG(1, 2))
	random.Shuffle(len(nodes), func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
	random.Shuffle(len(edges), func(i, j int) { edges[i], edges[j] = edges[j], edges[i] })
	return phase("twin", nodes, edges, parents)
}

// leaves are those of the parents first, as many for each, then those of nobody.
func (c twin) leaves() []twinLeaf {
	var leaves []twinLeaf
	total := 0
	for _, n := range c.levels {
		total += n
	}
	each, single := total/(c.parents+1), c.parents
	for level, n := range c.levels {
		for range n {
			l := twinLeaf{level: level}
			if of := len(leaves) / max(each, 1); of < c.parents {
				l.parent, l.id = of+1, fmt.Sprintf("%d.%d", of+1, len(leaves)%each+1)
			} else {
				single++
				l.id = fmt.Sprint(single)
			}
			leaves = append(leaves, l)
		}
	}
	return leaves
}

// A plan with waves of its own keeps them, and none of their tasks stands before what it waits for in the same wave, whatever its summary says.
func TestTwinWithWaves(t *testing.T) {
	names := []string{"", "Ground", "Walls", "Roof", "Windows", "Doors", "Paint", "Move in"}
	sizes := []int{1, 4, 2, 2, 4, 3, 4}
	inside := map[int]int{3: 2, 4: 3, 5: 4, 7: 6, 9: 8, 13: 12, 15: 14, 18: 17, 20: 19} // from -> on, both in one wave
	var tasks, waves []string
	id, before := 0, 0
	for n, size := range sizes {
		var ids []string
		first := id
		for range size {
			id++
			on := []string{}
			if before > 0 {
				on = append(on, fmt.Sprint(before))
			}
			if other, ok := inside[id]; ok {
				on = append(on, fmt.Sprint(other))
			}
			tasks = append(tasks, fmt.Sprintf(`{"id": %d, "title": "Task %d", "status": "pending", "complexity": %d, "depends_on": [%s], "phase": "p"}`,
				id, id, 1+id%7, strings.Join(on, ", ")))
			ids = append(ids, fmt.Sprint(id))
		}
		before = first
		slices.Reverse(ids)
		waves = append(waves, fmt.Sprintf(`{"number": %d, "name": %q, "task_ids": [%s]}`, n+1, names[n+1], strings.Join(ids, ", ")))
	}
	text := fmt.Sprintf(`{"tag": "twin", "created_at": "now", "tasks": [%s], "waves": [%s], "summary": {"total_tasks": 20, "total_complexity": 1}}`,
		strings.Join(tasks, ",\n"), strings.Join(waves, ",\n"))
	p, tag := only(t, ".scud/tasks/twin.json", text)
	g := p.Graph(tag)
	if g.Err() != nil || len(g.Waves) != len(sizes) || len(tag.Tasks) != 20 {
		t.Fatalf("%d waves of %d tasks, %v", len(g.Waves), len(tag.Tasks), g.Err())
	}
	for i, w := range g.Waves {
		if w.Number != i+1 || w.Name != names[i+1] || len(w.Tasks) != sizes[i] {
			t.Errorf("wave %d %q of %v", w.Number, w.Name, w.Tasks)
		}
		for from, on := range inside {
			at, behind := slices.Index(w.Tasks, fmt.Sprint(on)), slices.Index(w.Tasks, fmt.Sprint(from))
			if at >= 0 && behind >= 0 && at > behind {
				t.Errorf("wave %d: %d stands before %d, which it waits for", w.Number, from, on)
			}
		}
	}
}
