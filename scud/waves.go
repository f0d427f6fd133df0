package scud

import "slices"

// explicit lays the leaves in the waves that the tag's file names.
func (g *Graph) explicit(levels []int) []Wave {
	wanted, names := g.wanted()
	first := slices.MinFunc(g.tag.Waves, func(a, b Wave) int { return a.Number - b.Number }).Number
	numbers := g.net.assign(func(task, above int) int {
		t := g.tag.Tasks[task]
		want, ok := wanted[task]
		switch {
		case !ok:
			want = max(first, above)
			g.warn(t.Line, "task "+t.ID+" is in no wave")
		case want < above:
			want = above
			g.warn(t.Line, "task "+t.ID+" is in an earlier wave than one it depends on; it is moved back")
		}
		return want
	})
	waves := g.gather(numbers, levels)
	for i := range waves {
		waves[i].Name = names[waves[i].Number]
	}
	return waves
}

// wanted returns for each leaf the number of the first wave that names it, and the waves' names.
func (g *Graph) wanted() (map[int]int, map[int]string) {
	wanted, names := map[int]int{}, map[int]string{}
	for _, w := range g.tag.Waves {
		if names[w.Number] == "" {
			names[w.Number] = w.Name
		}
		for _, id := range w.Tasks {
			leaves := g.tag.LeavesOf(id)
			if len(leaves) == 0 {
				g.warn(0, "a wave names task "+id+", which is not there")
			}
			for _, leaf := range leaves {
				i := g.tag.byID[leaf]
				if _, twice := wanted[i]; twice {
					g.warn(g.tag.Tasks[i].Line, "task "+leaf+" is in two waves; the first one counts")
					continue
				}
				wanted[i] = w.Number
			}
		}
	}
	return wanted, names
}

func (g *Graph) warn(line int, text string) {
	g.Warnings = append(g.Warnings, Warning{File: g.tag.File, Line: line, Text: text})
}

// Join lays the leaves in waves that were fixed before, when the plan may have been another one. A leaf that a fixed wave
// names stays in it. Every other one joins the first wave that comes after those up to begun, which have been begun, and
// after all that it needs; such a wave may be a new one. Leaves that are gone are in no wave, and a wave that has none left
// is gone.
func (g *Graph) Join(fixed []Wave, begun int) []Wave {
	stays, names := map[int]int{}, map[int]string{}
	for _, w := range fixed {
		names[w.Number] = w.Name
		for _, id := range w.Tasks {
			if i, ok := g.tag.byID[id]; ok {
				stays[i] = w.Number
			}
		}
	}
	levels := g.net.assign(func(_, above int) int { return above + 1 })
	numbers := g.net.assign(func(task, above int) int {
		if number, ok := stays[task]; ok {
			return number
		}
		return max(begun, above) + 1
	})
	waves := g.gather(numbers, levels)
	for i := range waves {
		waves[i].Name = names[waves[i].Number]
	}
	return waves
}
