package runner

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/git-ralph/git-ralph/scud"
)

// lay puts the leaves of the plan, as it is now, in the loop's waves. Those that were fixed stay where they are; a leaf that has appeared since joins a wave that has not
// begun. What can never run as it is written comes last, for what it needs may be done already. An id of several words is in no wave: no trailer could name it.
func (p *plan) lay(graph *scud.Graph) []scud.Wave {
	in := p.fixed()
	order := graph.Join(p.waves, p.begunSoFar(in))
	last := 0
	for _, w := range slices.Concat(order, p.waves) {
		last = max(last, w.Number)
	}
	for _, leaf := range graph.Broken {
		number := in[leaf]
		if number == 0 {
			number = last + 1
		}
		order = putInWave(order, number, leaf)
	}
	for i := range order {
		order[i].Tasks = slices.DeleteFunc(order[i].Tasks, twoWords)
	}
	return slices.DeleteFunc(order, func(w scud.Wave) bool { return len(w.Tasks) == 0 })
}

// twoWords reports whether an id has a blank in it.
func twoWords(id string) bool {
	return strings.ContainsFunc(id, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) })
}

// putInWave adds a leaf to the wave of that number, which may be a new one.
func putInWave(waves []scud.Wave, number int, leaf string) []scud.Wave {
	i, found := slices.BinarySearchFunc(waves, number, func(w scud.Wave, n int) int { return cmp.Compare(w.Number, n) })
	if !found {
		waves = slices.Insert(waves, i, scud.Wave{Number: number})
	}
	waves[i].Tasks = append(slices.Clip(waves[i].Tasks), leaf)
	return waves
}

// begunSoFar is the number of the last wave of which the loop has had a task in hand; zero: none.
func (p *plan) begunSoFar(in map[string]int) int {
	begun := p.begun
	for number := range p.closed {
		begun = max(begun, number)
	}
	for id, past := range p.tasks {
		if past.settled() || past.attempts > 0 || len(past.spans) > 0 {
			begun = max(begun, in[id])
		}
	}
	return begun
}

// fixed are the numbers of the waves that leaves are in.
func (p *plan) fixed() map[string]int {
	in := map[string]int{}
	for _, w := range p.waves {
		for _, leaf := range w.Tasks {
			in[leaf] = w.Number
		}
	}
	return in
}

// fix keeps leaves that have appeared in the waves that they joined.
func (p *plan) fix(order []scud.Wave) {
	in := p.fixed()
	for _, w := range order {
		for _, leaf := range w.Tasks {
			if in[leaf] == 0 {
				p.waves = putInWave(slices.Clone(p.waves), w.Number, leaf)
			}
		}
	}
}
