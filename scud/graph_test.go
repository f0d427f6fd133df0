package scud_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

// waves writes waves as "1: a b / 2: c".
func waves(all []scud.Wave) string {
	var text []string
	for _, w := range all {
		name := fmt.Sprint(w.Number)
		if w.Name != "" {
			name += " " + w.Name
		}
		text = append(text, name+": "+strings.Join(w.Tasks, " "))
	}
	return strings.Join(text, " / ")
}

func fields(text string) []string { return strings.Split(text, ", ") }

func TestWaves(t *testing.T) {
	for name, c := range map[string]struct{ nodes, edges, parents, want string }{
		"flat":    {"1, 2, 3", "", "", "1: 1 2 3"},
		"diamond": {"1, 2, 3, 4", "2 -> 1, 3 -> 1, 4 -> 2, 4 -> 3", "", "1: 1 / 2: 2 3 / 3: 4"},
		"natural order": {"10, 9, 2, b:10, b:9, 1.10, 1.9, a-10, a-9", "", "",
			"1: 1.9 1.10 2 9 10 a-9 a-10 b:9 b:10"},
		"twice the same":           {"1, 2", "2 -> 1, 2 -> 1", "", "1: 1 / 2: 2"},
		"after an expanded parent": {"1 X, 1.1, 1.2, 2", "2 -> 1, 1.2 -> 1.1", "1: 1.1\\, 1.2", "1: 1.1 / 2: 1.2 / 3: 2"},
		"subtasks inherit":         {"1, 2 X, 2.1, 2.2", "2 -> 1", "2: 2.1\\, 2.2", "1: 1 / 2: 2.1 2.2"},
		"parent after parent":      {"1 X, 1.1, 1.2, 2 P, 2.1, 2.2, 3", "2 -> 1, 2.2 -> 2.1, 3 -> 2", "1: 1.1\\, 1.2, 2: 2.1\\, 2.2", "1: 1.1 1.2 / 2: 2.1 / 3: 2.2 / 4: 3"},
		"across parents":           {"1 X, 1.1, 1.2, 2 X, 2.1, 2.2", "1.2 -> 2.1, 2.2 -> 1.2", "1: 1.1\\, 1.2, 2: 2.1\\, 2.2", "1: 1.1 2.1 / 2: 1.2 / 3: 2.2"},
		"deep":                     {"1 X, 1.1 X, 1.1.1, 1.1.2, 1.2, 2, 3", "1 -> 2, 1.1.2 -> 1.1.1, 1.2 -> 1.1, 3 -> 1", "1: 1.1\\, 1.2, 1.1: 1.1.1\\, 1.1.2", "1: 2 / 2: 1.1.1 / 3: 1.1.2 / 4: 1.2 / 5: 3"},
		"parent after itself":      {"1 X, 1.1, 1.2, 2", "1 -> 1, 2 -> 1", "1: 1.1\\, 1.2", "1: 1.1 1.2 / 2: 2"},
		"subtask after its parent": {"1 X, 1.1, 1.2", "1.1 -> 1, 1.2 -> 1.1", "1: 1.1\\, 1.2", "1: 1.1 / 2: 1.2"},
		"parent after its subtask": {"1 X, 1.1, 1.2", "1 -> 1.1, 1 -> 1.2", "1: 1.1\\, 1.2", "1: 1.1 1.2"},
		"a dot is no parent":       {"2, 2.1", "2.1 -> 2", "", "1: 2 / 2: 2.1"},
		"both spellings":           {"1, 2, 3, 4 X, 4.1", "2 -> t:1, 3 -> t:4, 4 -> 2", "4: 4.1", "1: 1 / 2: 2 / 3: 4.1 / 4: 3"},
		"ids with the tag":         {"t:1, t:2 X, t:2.1", "t:2 -> 1", "t:2: t:2.1", "1: t:1 / 2: t:2.1"},
		"whatever their status":    {"1 D, 2 B, 3 X, 4 C, 5 I, 6 q", "2 -> 1, 3 -> 2, 4 -> 3, 5 -> 4, 6 -> 5", "", "1: 1 / 2: 2 / 3: 3 / 4: 4 / 5: 5 / 6: 6"},
	} {
		t.Run(name, func(t *testing.T) {
			split := func(text string) []string {
				var all []string
				for _, item := range fields(text) {
					all = append(all, strings.ReplaceAll(item, `\`, ""))
				}
				return all
			}
			parents := strings.Split(strings.ReplaceAll(c.parents, `\, `, ","), ", ")
			p, tag := only(t, graph, phase("t", split(c.nodes), split(c.edges), parents))
			g := p.Graph(tag)
			check(t, "waves", waves(g.Waves), c.want)
			if g.Err() != nil || len(g.Broken) > 0 {
				t.Errorf("error %v, broken %v", g.Err(), g.Broken)
			}
		})
	}
}

// Plans with the traits of real ones: chains through expanded parents, both spellings of ids, parents that wait for
// themselves, work that is half done.
func TestRealisticPlans(t *testing.T) {
	for name, c := range map[string]struct {
		parents, subtasks int
		status            string
		edges             []string
		levels, first     string
	}{
		"chain of parents":       {4, 3, "X", []string{"2 -> 1", "3 -> 2", "4 -> 3", "1.2 -> 1.1", "1.3 -> 1.1", "2.2 -> 2.1", "2.3 -> 2.2"}, "1 2 1 1 1 3 3", "1.1"},
		"parents never expanded": {4, 2, "P", []string{"2 -> p:1", "3 -> 1", "4 -> 2", "4 -> p:3", "1.2 -> 1.1"}, "1 1 4 2", "1.1"},
		"off by one":             {3, 2, "X", []string{"1 -> 1", "2 -> 2", "3 -> 1", "3 -> 2", "2.2 -> 2.1", "3.2 -> 3.1"}, "3 1 1 1", "1.1 1.2 2.1"},
	} {
		t.Run(name, func(t *testing.T) {
			var nodes, parents []string
			for i := 1; i <= c.parents; i++ {
				nodes = append(nodes, fmt.Sprintf("%d %s", i, c.status))
				var children []string
				for j := 1; j <= c.subtasks; j++ {
					children = append(children, fmt.Sprintf("%d.%d", i, j))
				}
				nodes = append(nodes, children...)
				parents = append(parents, fmt.Sprintf("%d: %s", i, strings.Join(children, ", ")))
			}
			p, tag := only(t, graph, phase("p", nodes, c.edges, parents))
			g := p.Graph(tag)
			var levels []string
			for _, w := range g.Waves {
				levels = append(levels, fmt.Sprint(len(w.Tasks)))
			}
			check(t, "levels", strings.Join(levels, " "), c.levels)
			check(t, "first", strings.Join(g.Waves[0].Tasks, " "), c.first)
		})
	}
}

func TestBrokenPlans(t *testing.T) {
	for name, c := range map[string]struct{ nodes, edges, parents, want, broken, waves string }{
		"cycle": {"1, 2, 3, 4", "1 -> 2, 2 -> 3, 3 -> 1, 4 -> 3", "",
			`tasks 1 -> 2 -> 3 -> 1 wait for each other (1 -> 2 in line 11, 2 -> 3 in line 12, 3 -> 1 in line 13)`, "1 2 3 4", ""},
		"on itself": {"1, 2", "2 -> 2", "", "task 2 waits for itself (line 9)", "2", "1: 1"},
		"through parents": {"1 X, 1.1, 1.2, 2 X, 2.1", "2 -> 1, 1.2 -> 2", "1: 1.1;1.2, 2: 2.1",
			"tasks 1.2 -> 2.1 -> 1.2 wait for each other (1.2 -> 2 in line 13, 2 -> 1 in line 12)", "1.2 2.1", "1: 1.1"},
		"two rings": {"1, 2, 3, 4, 5", "1 -> 2, 2 -> 1, 4 -> 5, 5 -> 4, 3 -> 1", "",
			"tasks 1 -> 2 -> 1 wait for each other (1 -> 2 in line 12, 2 -> 1 in line 13); tasks 4 -> 5 -> 4 wait for each other (4 -> 5 in line 14, 5 -> 4 in line 15)", "1 2 3 4 5", ""},
		"the shortest ring": {"1, 2, 3", "1 -> 2, 2 -> 3, 3 -> 1, 2 -> 1", "",
			"tasks 1 -> 2 -> 1 wait for each other (1 -> 2 in line 10, 2 -> 1 in line 13)", "1 2 3", ""},
		"missing": {"1, 2, 3, 4 X, 4.1, 5", "2 -> 9, 3 -> 2, 4 -> other:1, 5 -> 4", "4: 4.1",
			"task 2 depends on 9, which is not there (line 13); task 4 depends on other:1, which is not there (line 15)", "2 3 4.1 5", "1: 1"},
	} {
		t.Run(name, func(t *testing.T) {
			var parents []string
			for _, p := range fields(c.parents) {
				parents = append(parents, strings.ReplaceAll(p, ";", ", "))
			}
			p, tag := only(t, graph, phase("t", fields(c.nodes), fields(c.edges), parents))
			g := p.Graph(tag)
			var broken *scud.BrokenError
			if err := g.Err(); !errors.As(err, &broken) || err.Error() != graph+`: tag "t": `+c.want {
				t.Errorf("error %v\nwant %s", err, c.want)
			}
			check(t, "broken", strings.Join(g.Broken, " "), c.broken)
			check(t, "waves", waves(g.Waves), c.waves)
		})
	}
}

func TestNeeds(t *testing.T) {
	p := read(t, lay(t, map[string]string{graph: phase("a", []string{"1", "2 X", "2.1", "2.2", "3 X", "3.1", "4"},
		[]string{"2.2 -> 2.1", "3 -> a:2", "3.1 -> 1", "3.1 -> 3", "3 -> b:5", "3 -> b:6", "4 -> 9", "4 -> 4"}, []string{"2: 2.1, 2.2", "3: 3.1"}) +
		"---\n" + phase("b", []string{"5 X", "5.1", "5.2", "6"}, nil, []string{"5: 5.1, 5.2"})}))
	tag, ok := p.Tag("a")
	if !ok {
		t.Fatal("no tag")
	}
	g := p.Graph(tag)
	for leaf, want := range map[string]string{
		"1": "", "2.1": "", "2.2": "2.1", "3.1": "1 2.1 2.2 b:5.1 b:5.2 b:6", "4": "4 9", "nonsense": "",
	} {
		check(t, "needs of "+leaf, strings.Join(g.Needs(leaf), " "), want)
	}
	if task, in, ok := p.Task(tag, "b:5.1"); !ok || in.Name != "b" || task.Parent != "5" {
		t.Errorf("task %+v in %v", task, in)
	}
	if _, _, ok := p.Task(tag, "b:1"); ok {
		t.Error("a task was found that is not there")
	}
}

// A name of a tag may itself hold a colon.
func TestTagWithColon(t *testing.T) {
	p := read(t, lay(t, map[string]string{graph: phase("a:b", []string{"1"}, nil, nil) + "---\n" + phase("c", []string{"1"}, []string{"1 -> a:b:1"}, nil)}))
	tag, _ := p.Tag("c")
	check(t, "needs", strings.Join(p.Graph(tag).Needs("1"), " "), "a:b:1")
}

func TestExplicitWaves(t *testing.T) {
	tasks := `{"id": 1}, {"id": 2, "depends_on": [1]}, {"id": 3, "depends_on": [2]}, {"id": 4}, {"id": 5, "depends_on": [3]},
		{"id": 6, "subtasks": [{"id": 1}, {"id": 2, "dependencies": [1]}]}`
	for name, c := range map[string]struct{ waves, want, warnings string }{
		"inside a wave": {`{"number": 1, "name": "First", "task_ids": [2, 1, 4]}, {"number": 2, "task_ids": [5, 3, 6]}`,
			"1 First: 1 4 2 / 2: 6.1 6.2 3 5", ""},
		"gaps and any order": {`{"number": 30, "task_ids": [5, 6]}, {"number": 10, "task_ids": [1, 2, 3, 4]}`, "10: 1 4 2 3 / 30: 6.1 6.2 5", ""},
		"moved back": {`{"number": 1, "task_ids": [2, 3, 4, 5, 6]}, {"number": 2, "task_ids": [1]}`, "1: 4 6.1 6.2 / 2: 1 2 3 5",
			"task 2 is in an earlier wave than one it depends on; it is moved back\ntask 3 is in an earlier wave than one it depends on; it is moved back\n" +
				"task 5 is in an earlier wave than one it depends on; it is moved back\n"},
		"in no wave": {`{"number": 3, "task_ids": [1]}, {"number": 5, "task_ids": [2]}, {"number": 6, "task_ids": [6]}`, "3: 1 4 / 5: 2 3 5 / 6: 6.1 6.2",
			"task 4 is in no wave\ntask 3 is in no wave\ntask 5 is in no wave\n"},
		"in two waves": {`{"number": 1, "task_ids": [1, 2, 3, 4, 5, 6, 9]}, {"number": 2, "task_ids": [4]}`, "1: 1 4 6.1 2 6.2 3 5",
			"a wave names task 9, which is not there\ntask 4 is in two waves; the first one counts\n"},
	} {
		t.Run(name, func(t *testing.T) {
			p, tag := only(t, shop, `{"tasks": [`+tasks+`], "waves": [`+c.waves+`]}`)
			g := p.Graph(tag)
			check(t, "waves", waves(g.Waves), c.want)
			var warnings strings.Builder
			for _, w := range g.Warnings {
				warnings.WriteString(w.Text + "\n")
			}
			check(t, "warnings", warnings.String(), c.warnings)
		})
	}
}

func TestJoin(t *testing.T) {
	fixed := []scud.Wave{{Number: 1, Tasks: []string{"1", "2"}}, {Number: 2, Name: "Two", Tasks: []string{"3"}}, {Number: 3, Tasks: []string{"4", "gone"}}}
	for name, c := range map[string]struct {
		nodes, edges, parents string
		begun                 int
		want                  string
	}{
		"nothing new":          {"1, 2, 3, 4", "3 -> 1, 4 -> 3", "", 1, "1: 1 2 / 2 Two: 3 / 3: 4"},
		"a new one":            {"1, 2, 3, 4, 5", "", "", 1, "1: 1 2 / 2 Two: 3 5 / 3: 4"},
		"in the last wave":     {"1, 2, 3, 4, 5", "", "", 3, "1: 1 2 / 2 Two: 3 / 3: 4 / 4: 5"},
		"after what it needs":  {"1, 2, 3, 4, 5, 6", "5 -> 4, 6 -> 5", "", 1, "1: 1 2 / 2 Two: 3 / 3: 4 / 4: 5 / 5: 6"},
		"needed by an old one": {"1, 2, 3, 4, 5", "3 -> 5", "", 1, "1: 1 2 / 2 Two: 5 3 / 3: 4"},
		"expanded meanwhile":   {"1, 2, 3 X, 3.1, 3.2, 4", "3.2 -> 3.1, 4 -> 3", "3: 3.1;3.2", 2, "1: 1 2 / 3: 3.1 4 / 4: 3.2"},
		"a wave is gone":       {"1, 4", "", "", 0, "1: 1 / 3: 4"},
	} {
		t.Run(name, func(t *testing.T) {
			p, tag := only(t, graph, phase("t", fields(c.nodes), fields(c.edges), []string{strings.ReplaceAll(c.parents, ";", ", ")}))
			check(t, "waves", waves(p.Graph(tag).Join(fixed, c.begun)), c.want)
		})
	}
}

// In any plan every leaf is in exactly one wave, behind all it needs, or is broken; and its number is one more than the
// highest of those.
func TestWavesHold(t *testing.T) {
	for seed := range uint64(60) {
		random := rand.New(rand.NewPCG(seed, 5))
		n := 2 + random.IntN(30)
		var nodes, edges, parents []string
		for i := range n {
			nodes = append(nodes, fmt.Sprint(i))
			if i > 0 && random.IntN(3) == 0 {
				parents = append(parents, fmt.Sprintf("%d: %d", random.IntN(i), i))
			}
		}
		for range random.IntN(2 * n) {
			a, b := random.IntN(n), random.IntN(n)
			if random.IntN(20) > 0 {
				a, b = max(a, b), min(a, b)
			}
			edges = append(edges, fmt.Sprintf("%d -> %d", a, b))
		}
		p, tag := only(t, graph, phase("t", nodes, edges, parents))
		g := p.Graph(tag)
		wave := map[string]int{}
		for _, w := range g.Waves {
			for _, id := range w.Tasks {
				wave[id] += w.Number
			}
		}
		if (len(g.Broken) > 0) != (len(g.Cycles) > 0) {
			t.Errorf("seed %d: broken %v, cycles %v", seed, g.Broken, g.Cycles)
		}
		for _, leaf := range tag.Leaves() {
			highest := 0
			for _, need := range g.Needs(leaf) {
				highest = max(highest, wave[need])
			}
			if broken := slices.Contains(g.Broken, leaf); broken == (wave[leaf] > 0) || !broken && wave[leaf] != highest+1 {
				t.Errorf("seed %d: leaf %s is in wave %d, it needs %v", seed, leaf, wave[leaf], g.Needs(leaf))
			}
		}
	}
}
