package main

import (
	"fmt"
	"strings"

	"github.com/git-ralph/git-ralph/scud"
)

// showWaves shows the waves of a tag, and below them what can never run.
func (a *app) showWaves(tag *scud.Tag, graph *scud.Graph, needs bool) error {
	if a.json {
		return a.printJSON(wavesOf(tag, graph))
	}
	var rows [][]string
	for _, leaf := range laid(graph) {
		task, _ := tag.Task(leaf)
		rows = append(rows, a.taskRow(task, graph, needs))
	}
	lines, l := columns(rows), lookOf(a.outTerm)
	show := func(heading string, count int) error {
		if err := a.print("%s", l.loud(heading)); err != nil {
			return err
		}
		for range count {
			if err := a.print("%s", l.cut(lines[0])); err != nil {
				return err
			}
			lines = lines[1:]
		}
		return nil
	}
	for _, w := range graph.Waves {
		done, all := doneOf(tag, w.Tasks)
		if err := show(fmt.Sprintf("Wave %d: %s %d/%d", w.Number, bar(done, all), done, all), len(w.Tasks)); err != nil {
			return err
		}
	}
	if len(graph.Broken) > 0 {
		return show("Can never run:", len(graph.Broken))
	}
	return nil
}

// laid are all leaves: in the order of their waves, then those that are in none.
func laid(graph *scud.Graph) []string {
	var leaves []string
	for _, w := range graph.Waves {
		leaves = append(leaves, w.Tasks...)
	}
	return append(leaves, graph.Broken...)
}

// barCells is how long a bar is.
const barCells = 12

// bar shows how many of all are done.
func bar(done, all int) string {
	filled := 0
	if all > 0 {
		filled = done * barCells / all
	}
	return strings.Repeat("█", filled) + strings.Repeat("░", barCells-filled)
}

// drawMermaid draws what waits for what.
func (a *app) drawMermaid(tag *scud.Tag, graph *scud.Graph) error {
	lines := []string{"graph TD"}
	number := map[string]int{}
	for _, leaf := range laid(graph) {
		task, _ := tag.Task(leaf)
		number[leaf] = len(number) + 1
		title := strings.NewReplacer(`"`, "#quot;", "<", "#lt;", ">", "#gt;").Replace(flat(leaf + " " + task.Title))
		lines = append(lines, fmt.Sprintf(`  t%d["%s"]`, number[leaf], title))
	}
	for _, leaf := range laid(graph) {
		for _, need := range graph.Needs(leaf) {
			if from, known := number[need]; known {
				lines = append(lines, fmt.Sprintf("  t%d --> t%d", from, number[leaf]))
			}
		}
	}
	return a.print("%s", strings.Join(lines, "\n"))
}

// wavesJSON is the answer of scud waves.
type wavesJSON struct {
	Schema  int           `json:"schema"`
	Tag     string        `json:"tag"`
	Waves   []waveJSON    `json:"waves"`
	Broken  []taskJSON    `json:"broken"`  // tasks that can never run, and are in no wave
	Cycles  [][]string    `json:"cycles"`  // tasks that wait for each other: each for the next one, the last for the first
	Missing []missingJSON `json:"missing"` // what is depended on, and not there
}

// waveJSON is one wave.
type waveJSON struct {
	Wave  int        `json:"wave"`
	Tasks []taskJSON `json:"tasks"`
}

// missingJSON is a dependency on a task that is not there.
type missingJSON struct {
	ID   string `json:"id"` // of the task that has it
	On   string `json:"on"`
	Line int    `json:"line"` // in the task file
}

func wavesOf(tag *scud.Tag, graph *scud.Graph) wavesJSON {
	tasks := func(ids []string) []taskJSON {
		all := []taskJSON{}
		for _, id := range ids {
			task, _ := tag.Task(id)
			all = append(all, taskOf(task, graph))
		}
		return all
	}
	answer := wavesJSON{Schema: jsonSchema, Tag: tag.Name, Waves: []waveJSON{}, Broken: tasks(graph.Broken), Cycles: [][]string{}, Missing: []missingJSON{}}
	for _, w := range graph.Waves {
		answer.Waves = append(answer.Waves, waveJSON{Wave: w.Number, Tasks: tasks(w.Tasks)})
	}
	for _, c := range graph.Cycles {
		answer.Cycles = append(answer.Cycles, c.Leaves)
	}
	for _, m := range graph.Missing {
		answer.Missing = append(answer.Missing, missingJSON{ID: m.ID, On: m.On, Line: m.Line})
	}
	return answer
}
