package report

import (
	"fmt"
	"strings"
	"testing"
)

func TestGraph(t *testing.T) {
	t.Parallel()
	p := &Plan{Waves: []Wave{
		{Number: 1, Tasks: []Task{{ID: "1", Title: "Ground", State: "done", Mood: Good}}},
		{Number: 2, Tasks: []Task{{ID: "2", State: "pending", Needs: []string{"1"}}, {ID: "3", Title: "A title that is longer than its box", Needs: []string{"1", "elsewhere:4"}}}},
		{Number: 3, Tasks: []Task{{ID: "4", Needs: []string{"1", "2", "3", "4"}}}}, // waits for 1 anyway, and never for itself
	}}
	g, _ := p.draw()
	if g.Width != 2*graphEdge+3*taskWidth+2*gapAcross || g.Height != graphHead+2*taskHeight+gapDown+graphEdge {
		t.Errorf("size %d x %d", g.Width, g.Height)
	}
	if box := g.Waves[0].Tasks[0]; box.Class != "good" || box.Label != "✓ 1  done" || box.Words != "1 Ground: done" {
		t.Errorf("box %+v", box)
	}
	if title := g.Waves[1].Tasks[1].Title; title != "A title that is longe…" {
		t.Errorf("title %q", title)
	}
	if len(g.Curves) < 4 || fmt.Sprint(g.Curves[0]) != "{M172 48 C200 48 200 48 228 48}" {
		t.Errorf("curves %v", g.Curves)
	}
	for _, c := range g.Curves {
		if c == curveOf(g.Waves[0].Tasks[0], g.Waves[2].Tasks[0]) {
			t.Error("a curve that says nothing new")
		}
	}
	for _, nothing := range []*Plan{nil, {Waves: []Wave{{Number: 1}}}} {
		if g, why := nothing.draw(); g != nil || why != "" {
			t.Errorf("nothing is drawn as %+v, %q", g, why)
		}
	}
}

// widePlan is a plan of two waves, in which every task of the second waits for every one of the first.
func widePlan(tasks int) *Plan {
	p := &Plan{Waves: []Wave{{Number: 1}, {Number: 2}}}
	var first []string
	for n := range tasks / 2 {
		first = append(first, fmt.Sprint("1.", n))
	}
	for n := range tasks / 2 {
		p.Waves[0].Tasks = append(p.Waves[0].Tasks, Task{ID: first[n]})
		p.Waves[1].Tasks = append(p.Waves[1].Tasks, Task{ID: fmt.Sprint("2.", n), Needs: first})
	}
	return p
}

// A plan that is too large for a picture is listed, and the page says why there is none.
func TestLargePlanIsNoPicture(t *testing.T) {
	t.Parallel()
	for tasks, want := range map[int]string{
		40:           "",
		maxDrawn:     "Too many tasks wait for too many others for a picture",
		maxDrawn + 2: "202 tasks are too many for a picture",
	} {
		page := htmlOf(t, Page{Loop: "x", Plan: widePlan(tasks)})
		if drawn := strings.Contains(page, "<svg"); drawn != (want == "") || !strings.Contains(page, want) {
			t.Errorf("%d tasks: drawn %v, and the page does not say %q", tasks, drawn, want)
		}
		if !strings.Contains(page, "<b>2.0</b>") {
			t.Errorf("%d tasks: they are not listed", tasks)
		}
	}
}
