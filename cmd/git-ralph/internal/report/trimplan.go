package report

import "fmt"

// What the texts of a task may take, in bytes as they stand in a page.
const (
	roomForID    = 100
	roomForTitle = 400
	roomForWords = 400
	roomForNeeds = 400
	roomForBox   = 150 // in the picture
	taskCost     = 160 // of a task beside its texts
	waveCost     = 60
)

// trimmed cuts the texts of a plan, and leaves out the last tasks where there are more than there is room for.
func (p *Plan) trimmed() *Plan {
	if p == nil {
		return nil
	}
	short := &Plan{Tag: cut(p.Tag, roomForTitle), Left: p.Left}
	room := roomForPlan
	for _, wave := range p.Waves {
		shown := Wave{Number: wave.Number}
		room -= waveCost
		for _, task := range wave.Tasks {
			task = task.trimmed()
			if room -= task.size(); room >= 0 {
				shown.Tasks = append(shown.Tasks, task)
			} else {
				short.Left++
			}
		}
		if len(shown.Tasks) > 0 {
			short.Waves = append(short.Waves, shown)
		}
	}
	return short
}

// trimmed cuts the texts of a task.
func (t Task) trimmed() Task {
	t.ID, t.Title, t.State, t.Words = cut(t.ID, roomForID), cut(t.Title, roomForTitle), cut(t.State, roomForID), cut(t.Words, roomForWords)
	needs, room := []string(nil), roomForNeeds
	for i, need := range t.Needs {
		need = cut(need, roomForID)
		if room -= size(need); room < 0 {
			needs = append(needs, fmt.Sprintf("%d more", len(t.Needs)-i))
			break
		}
		needs = append(needs, need)
	}
	t.Needs = needs
	return t
}

// size is how many bytes a task takes in a page.
func (t Task) size() int {
	all := taskCost + size(t.ID) + size(t.Title) + size(t.State) + size(t.Words)
	for _, need := range t.Needs {
		all += size(need)
	}
	return all
}
