package report

import (
	"fmt"
	"testing"
)

func TestGraph(t *testing.T) {
	t.Parallel()
	p := &Plan{Waves: []Wave{
		{Number: 1, Tasks: []Task{{ID: "1", Title: "Ground", State: "done", Mood: Good}}},
		{Number: 2, Tasks: []Task{{ID: "2", State: "pending", Needs: []string{"1"}}, {ID: "3", Title: "A title that is longer than its box", Needs: []string{"1", "elsewhere:4"}}}},
		{Number: 3, Tasks: []Task{{ID: "4", Needs: []string{"1", "2", "3", "4"}}}}, // waits for 1 anyway, and never for itself
	}}
	g := p.draw()
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
	if (*Plan)(nil).draw() != nil || (&Plan{Waves: []Wave{{Number: 1}}}).draw() != nil {
		t.Error("nothing is drawn as something")
	}
}

func TestLargePlanIsNoPicture(t *testing.T) {
	t.Parallel()
	p := &Plan{Waves: []Wave{{Number: 1}}}
	for n := range maxDrawn + 1 {
		id := fmt.Sprint(n)
		p.Waves[0].Tasks = append(p.Waves[0].Tasks, Task{ID: id, Needs: []string{id}})
	}
	if p.draw() != nil {
		t.Error("it is drawn")
	}
}
