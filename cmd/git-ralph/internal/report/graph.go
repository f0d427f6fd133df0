package report

import (
	"fmt"
	"slices"
)

// Sizes of the graph, in pixels: it keeps its size and is scrolled where there is no room.
const (
	taskWidth, taskHeight = 168, 44
	gapAcross, gapDown    = 56, 14
	graphHead             = 26 // above the tasks: the number of the wave
	graphEdge             = 4
	titleRunes            = 22 // of a task's title: what fits
)

// graph is a plan as shapes: a column for each wave, a curve from each task to those that wait for it.
type graph struct {
	Width, Height int
	Waves         []graphWave
	Curves        []curve
}

// graphWave is a column.
type graphWave struct {
	X, Y  int
	Head  string
	Tasks []graphTask
}

// graphTask is a box.
type graphTask struct {
	Class               string
	X, Y, Width, Height int
	TextX, IDY, TitleY  int
	Label, Title, Words string // shown; shown, cut; in full
}

// curve is a line from the right edge of one box to the left edge of another.
type curve struct{ Path string }

// Most tasks and curves that are drawn: what is larger is no picture any more.
const (
	maxDrawn  = 200
	maxCurves = 600
)

// draw lays a plan out; nil when there is nothing to be seen in it, or when it would be no picture: then why says so.
func (p *Plan) draw() (picture *graph, why string) {
	if p == nil {
		return nil, ""
	}
	g, at, count := &graph{}, map[string]graphTask{}, 0
	for n, wave := range p.Waves {
		column := graphWave{X: graphEdge + n*(taskWidth+gapAcross), Y: graphHead - 10, Head: fmt.Sprintf("wave %d", wave.Number)}
		for i, task := range wave.Tasks {
			box := boxOf(task, column.X, graphHead+i*(taskHeight+gapDown))
			column.Tasks, at[task.ID] = append(column.Tasks, box), box
			g.Height = max(g.Height, box.Y+taskHeight+graphEdge)
			count++
		}
		g.Width = column.X + taskWidth + graphEdge
		g.Waves = append(g.Waves, column)
	}
	if count == 0 {
		return nil, ""
	}
	if count > maxDrawn {
		return nil, fmt.Sprintf("%d tasks are too many for a picture: the lists below say what waits for what.", count)
	}
	needs := p.needs()
	for _, wave := range p.Waves {
		for _, task := range wave.Tasks {
			for _, need := range task.Needs {
				if from, known := at[need]; known && !needs.implied(task.ID, need) {
					g.Curves = append(g.Curves, curveOf(from, at[task.ID]))
				}
			}
		}
	}
	if len(g.Curves) > maxCurves {
		return nil, "Too many tasks wait for too many others for a picture: the lists below say what waits for what."
	}
	return g, ""
}

// needs says what each task waits for itself.
type needs map[string][]string

func (p *Plan) needs() needs {
	all := needs{}
	for _, wave := range p.Waves {
		for _, task := range wave.Tasks {
			all[task.ID] = task.Needs
		}
	}
	return all
}

// implied reports whether a task waits for another one anyway, through a third: such a curve would only hide the others.
func (n needs) implied(task, need string) bool {
	seen := map[string]bool{task: true, need: true}
	for _, other := range n[task] {
		if other != need && n.leads(other, need, seen) {
			return true
		}
	}
	return false
}

// leads reports whether a task waits for another one, at however many removes. It looks at no task twice.
func (n needs) leads(task, need string, seen map[string]bool) bool {
	if seen[task] {
		return false
	}
	seen[task] = true
	for _, next := range n[task] {
		if next == need || n.leads(next, need, seen) {
			return true
		}
	}
	return false
}

func boxOf(task Task, x, y int) graphTask {
	words := task.ID + " " + task.Title + ": " + task.State
	if task.Words != "" {
		words += ", " + task.Words
	}
	title := task.Title
	if runes := []rune(title); len(runes) > titleRunes {
		title = string(slices.Concat(runes[:titleRunes-1], []rune("…")))
	}
	label := task.ID + "  " + task.State
	if sign := task.Mood.sign(); sign != "" {
		label = sign + " " + label
	}
	if runes := []rune(label); len(runes) > titleRunes {
		label = string(slices.Concat(runes[:titleRunes-1], []rune("…")))
	}
	return graphTask{
		Class: string(task.Mood), X: x, Y: y, Width: taskWidth, Height: taskHeight, TextX: x + 10, IDY: y + 18, TitleY: y + 35,
		Label: label, Title: title, Words: cut(words, roomForBox),
	}
}

func curveOf(from, to graphTask) curve {
	x1, y1, x2, y2 := from.X+taskWidth, from.Y+taskHeight/2, to.X, to.Y+taskHeight/2
	if x2 <= x1 { // in the same wave, which may happen: around the right side
		return curve{fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, x1+gapAcross/2, y1, x1+gapAcross/2, y2, to.X+taskWidth, y2)}
	}
	middle := (x1 + x2) / 2
	return curve{fmt.Sprintf("M%d %d C%d %d %d %d %d %d", x1, y1, middle, y1, middle, y2, x2, y2)}
}
