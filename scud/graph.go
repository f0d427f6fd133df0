package scud

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Graph is the order of a tag's leaves: which wait for which. A task stands for all leaves below it, whether it waits or is
// waited for, and what waits for itself through the task that it is a part of does not wait. Statuses play no part.
type Graph struct {
	Waves   []Wave    // of all leaves but the broken ones
	Cycles  []Cycle   // tasks that wait for each other; empty in a sound plan
	Missing []Missing // dependencies on tasks that are not there; empty in a sound plan
	Broken  []string  // leaves that can never run: on a cycle, with a missing dependency, or waiting for such a leaf
	// Warnings say where explicit waves had to give way to dependencies.
	Warnings []Warning

	plan *Plan
	tag  *Tag
	net  *network
}

// Cycle is a ring of tasks each of which waits for the next one.
type Cycle struct {
	Leaves []string     // those on the ring, each waiting for the next one and the last for the first
	Edges  []Dependency // what is written that makes them wait, in the same direction; On is "2 -> 1"
}

// Missing is a dependency on a task that is not there.
type Missing struct {
	ID   string // of the task that has it
	On   string // as it is written
	Line int    // in the tag's file
}

// BrokenError says that a plan can never be finished as it is.
type BrokenError struct {
	File    string    // relative to the plan's root, with slashes
	Tag     string    // its name
	Cycles  []Cycle   // as in the [Graph]
	Missing []Missing // as in the [Graph]
}

func (e *BrokenError) Error() string {
	var parts []string
	for _, c := range e.Cycles {
		if len(c.Leaves) == 1 {
			parts = append(parts, fmt.Sprintf("task %s waits for itself (line %d)", c.Leaves[0], c.Edges[0].Line))
			continue
		}
		written := make([]string, len(c.Edges))
		for i, edge := range c.Edges {
			written[i] = fmt.Sprintf("%s in line %d", edge.On, edge.Line)
		}
		parts = append(parts, fmt.Sprintf("tasks %s -> %s wait for each other (%s)", strings.Join(c.Leaves, " -> "), c.Leaves[0], strings.Join(written, ", ")))
	}
	for _, m := range e.Missing {
		parts = append(parts, fmt.Sprintf("task %s depends on %s, which is not there (line %d)", m.ID, m.On, m.Line))
	}
	return fmt.Sprintf("%s: tag %q: %s", e.File, e.Tag, strings.Join(parts, "; "))
}

// Err is nil for a sound plan, else a *[BrokenError].
func (g *Graph) Err() error {
	if len(g.Cycles) == 0 && len(g.Missing) == 0 {
		return nil
	}
	return &BrokenError{File: g.tag.File, Tag: g.tag.Name, Cycles: g.Cycles, Missing: g.Missing}
}

// Graph lays a tag of the plan in waves.
//
// Without explicit waves the number of a leaf's wave is one more than the highest of those it needs. Explicit waves keep
// their numbers, but no leaf is in an earlier wave than one it needs: it is moved back, with a warning. A leaf that no
// explicit wave names joins the last of those it needs, or the first. A dependency on a task of another tag has no part in
// the numbers: see [Graph.Needs].
func (p *Plan) Graph(tag *Tag) *Graph {
	g := &Graph{plan: p, tag: tag, net: newNetwork(tag)}
	for i, t := range tag.Tasks {
		for _, d := range t.DependsOn {
			g.connect(i, d)
		}
	}
	g.net.sort()
	g.Cycles = g.net.cycles()
	levels := g.net.assign(func(_, above int) int { return above + 1 })
	for i, t := range tag.Tasks {
		if t.Leaf() && levels[i] == 0 {
			g.Broken = append(g.Broken, t.ID)
		}
	}
	if len(tag.Waves) == 0 {
		g.Waves = g.gather(levels, levels)
	} else {
		g.Waves = g.explicit(levels)
	}
	return g
}

// connect adds what one dependency says.
func (g *Graph) connect(i int, d Dependency) {
	t, in, ok := g.plan.Task(g.tag, d.On)
	switch {
	case !ok:
		g.Missing = append(g.Missing, Missing{ID: g.tag.Tasks[i].ID, On: d.On, Line: d.Line})
		g.net.broken[g.net.begin(i)] = true
	case in == g.tag:
		on := g.tag.byID[t.ID]
		if !g.net.related(i, on) {
			g.net.edge(g.net.begin(i), g.net.end(on), d.Line)
		}
	}
}

// Needs returns what must be done before a leaf can run: leaves of its tag, and leaves of other tags as "tag:id", in natural
// order. What is missing is among them, as it is written.
func (g *Graph) Needs(leaf string) []string {
	at, ok := g.tag.byID[leaf]
	if !ok {
		return nil
	}
	var own []int // tasks of the tag stand in natural order
	var others []string
	for i := at; i >= 0; i = g.net.up[i] {
		for _, d := range g.tag.Tasks[i].DependsOn {
			t, in, ok := g.plan.Task(g.tag, d.On)
			switch {
			case !ok:
				others = append(others, d.On)
			case in != g.tag:
				for _, id := range in.LeavesOf(t.ID) {
					others = append(others, in.Name+":"+id)
				}
			default:
				if on := g.tag.byID[t.ID]; !g.net.related(i, on) {
					own = g.net.leaves(own, on)
				}
			}
		}
	}
	slices.Sort(own)
	own = slices.Compact(own)
	needs := make([]string, 0, len(own)+len(others))
	for _, i := range own {
		needs = append(needs, g.tag.Tasks[i].ID)
	}
	if others == nil {
		return needs
	}
	return sortIDs(append(needs, others...))
}

// gather makes waves of numbers: one for each leaf, zero for those in no wave. Inside a wave the leaves stand in order of
// their levels, then of their ids.
func (g *Graph) gather(numbers, levels []int) []Wave {
	var leaves []int
	for i, t := range g.tag.Tasks {
		if t.Leaf() && numbers[i] > 0 {
			leaves = append(leaves, i)
		}
	}
	slices.SortStableFunc(leaves, func(a, b int) int {
		return cmp.Or(cmp.Compare(numbers[a], numbers[b]), cmp.Compare(levels[a], levels[b]))
	})
	var waves []Wave
	for _, i := range leaves {
		if len(waves) == 0 || waves[len(waves)-1].Number != numbers[i] {
			waves = append(waves, Wave{Number: numbers[i]})
		}
		last := &waves[len(waves)-1]
		last.Tasks = append(last.Tasks, g.tag.Tasks[i].ID)
	}
	return waves
}
