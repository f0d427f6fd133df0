package watch

import (
	"fmt"
	"strings"
)

// plan shows how far the plan is: a bar for each wave as far as there is room, the task in hand, and what is blocked.
func (m *model) plan() []string {
	p := m.sight.Plan
	if p == nil {
		return nil
	}
	lines := []string{m.label("tasks") + p.Tasks}
	if m.height < fullScreen {
		lines = nil // they stand beside the bar
	}
	from, to := p.window(m.waveRoom())
	for _, w := range p.Waves[from:to] {
		part := 1.0
		if w.All > 0 {
			part = float64(w.Done) / float64(w.All)
		}
		line := fmt.Sprintf("%s%s%d/%d  %s", m.label(w.Label), m.bar(part, barCells), w.Done, w.All, w.State)
		if lines == nil {
			line += "   " + p.Tasks
		}
		lines = append(lines, line)
	}
	if p.Current != "" {
		lines = append(lines, m.label("task")+p.Current)
	}
	blocked := p.Blocked
	if room := m.waveRoom(); len(blocked) > room {
		blocked = append(blocked[:room-1:room-1], fmt.Sprintf("and %d more: w shows all", len(blocked)-room+1))
	}
	for _, text := range blocked {
		lines = append(lines, m.label("blocked")+text)
	}
	return lines
}

// waveRoom is how many waves, and how many blocked tasks, the first page has room for.
func (m *model) waveRoom() int {
	if m.height < fullScreen {
		return 1
	}
	return max(2, m.height/8)
}

// window chooses the waves to show when there is room for so many: the one at hand with what is around it.
func (p *Plan) window(room int) (from, to int) {
	from = max(0, min(p.At-room/2, len(p.Waves)-room))
	return from, min(len(p.Waves), from+room)
}

// openPlan shows all waves with their tasks.
func (m *model) openPlan() {
	if m.sight.Plan == nil {
		m.say("this loop has no plan")
		return
	}
	m.open(newPage("plan: "+strings.TrimSpace(m.sight.Plan.Tasks), 0, m.sight.Plan.Page))
}
