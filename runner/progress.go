package runner

import (
	"context"
	"slices"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/scud"
)

// Progress is how far a loop is with its plan.
type Progress struct {
	Tag     string
	Waves   []WaveProgress // in their order
	Done    int            // tasks that are done
	Total   int            // tasks that count: all leaves but the cancelled ones
	Task    *CurrentTask   // the one in hand; nil: none
	Blocked []BlockedTask  // that the loop gave up, in the order of their end
	Left    []LeftTask     // that are neither done nor cancelled, and why; nil where the plan's files are not here
	Titled  bool           // the plan's files are here: titles are known, and what was done before the loop began
}

// WaveProgress is how far a wave is.
type WaveProgress struct {
	Number  int
	Tasks   []WaveTask
	Done    int           // of its tasks
	Blocked int           // of its tasks
	Total   int           // of its tasks that count
	Commit  plumbing.Hash // its commit; zero: the loop has not closed it
	Closed  time.Time     // when; zero: it has not
	Ours    []string      // the tasks that the loop finished, as the wave's commit names them
}

// WaveTask is a task of a wave.
type WaveTask struct {
	ID         string      // as the plan writes it
	Title      string      // empty: not known here
	Status     scud.Status // the loop's own history first; empty: not known here
	Complexity int         // zero: not known
	Needs      []string    // leaves that must be done before; nil: none, or not known here
}

// CurrentTask is the task that a loop has in hand.
type CurrentTask struct {
	WaveTask
	Wave    int // its number; zero: it is in none that is known
	Attempt int // the one at hand, or the next one
	Of      int // attempts that it may have
}

// BlockedTask is a task that the loop gave up.
type BlockedTask struct {
	ID       string
	Title    string        // empty: not known here
	Reason   string        // one line
	Attempts int           // that it took; zero: not known
	At       time.Time     // when it was given up
	Commit   plumbing.Hash // of the iteration that gave it up
}

// ReadProgress returns how far a loop is with its plan; nil when it has none. History is what counts; the plan's files, where they are here, add titles and
// what was done before. It reads a commit for each wave and each blocked task, and writes nothing.
func ReadProgress(ctx context.Context, repo *gitstate.Repository, v View) (*Progress, error) {
	if !v.Config.hasPlan() {
		return nil, nil
	}
	totals := gitstate.TaskTotals{}
	if v.Totals.Tasks != nil {
		totals = *v.Totals.Tasks
	}
	root, findErr := locatePlan(ctx, repo, v.Config)
	past := openPlan(root, v.Config)
	p := &Progress{Tag: v.Config.ScudTag}
	closed, err := p.recall(repo, past, totals)
	if err != nil {
		return nil, err
	}
	var b *board
	if findErr == nil {
		b, _ = past.look(ctx) // nil: unreadable here, which the commands that need it say
	}
	if p.Titled = b != nil; p.Titled {
		p.Left = b.left()
	}
	if b != nil && v.Running == nil && !crashed(v.State) {
		past.last = totals.ID
		b.see() // what a resume would go by
	}
	order := past.waves
	if b != nil {
		order = b.order
	}
	for _, w := range order {
		p.add(w, past, b, closed[w.Number])
	}
	for i := range p.Blocked {
		p.Blocked[i].Title = p.find(p.Blocked[i].ID).Title
	}
	p.Task = p.current(v, totals)
	return p, nil
}

// recall reads what the history says of tasks: into past what the board asks for, and the commits of the waves that were closed.
func (p *Progress) recall(repo *gitstate.Repository, past *plan, totals gitstate.TaskTotals) (map[int]gitstate.Record, error) {
	closed := map[int]gitstate.Record{}
	for _, w := range totals.Waves {
		record, err := repo.Record(w.Commit)
		if err != nil {
			return nil, err
		}
		closed[w.Wave], past.closed[w.Wave] = record, true
		past.fix([]scud.Wave{{Number: w.Wave, Tasks: slices.Concat(record.WaveDone, record.WaveBlocked)}})
		for _, id := range record.WaveDone {
			past.tasks[id] = taskPast{done: true}
		}
	}
	for _, id := range totals.Done {
		past.tasks[id] = taskPast{done: true}
	}
	for _, g := range totals.Blocked {
		record, err := repo.Record(g.Commit)
		if err != nil {
			return nil, err
		}
		given := BlockedTask{ID: g.Task, Reason: record.Blocked, At: record.Time, Commit: g.Commit}
		if record.Attempt != nil {
			given.Attempts = *record.Attempt
		}
		p.Blocked = append(p.Blocked, given)
		past.tasks[g.Task] = taskPast{blocked: record.Blocked, attempts: given.Attempts}
	}
	if totals.ID != "" { // leaves that appeared later, and were run, are in that wave
		past.begun = totals.Wave
		past.fix([]scud.Wave{{Number: totals.Wave, Tasks: append(slices.Clone(totals.Done), totals.ID)}})
	}
	if id := totals.ID; id != "" && !past.tasks[id].settled() {
		past.tasks[id] = taskPast{attempts: totals.Attempt}
	}
	return closed, nil
}

// add adds a wave. Without the plan's files only what the loop did is known.
func (p *Progress) add(w scud.Wave, past *plan, b *board, closed gitstate.Record) {
	next := WaveProgress{Number: w.Number, Commit: closed.Commit, Closed: closed.Time, Ours: closed.WaveDone}
	for _, id := range w.Tasks {
		task := WaveTask{ID: id}
		switch {
		case b != nil:
			task.Status, task.Needs = b.status(id), b.graph.Needs(id)
			if told, _, ok := b.all.Task(b.tag, id); ok {
				task.Title, task.Complexity = told.Title, told.Complexity
			}
		case past.tasks[id].done:
			task.Status = scud.Done
		case past.tasks[id].blocked != "":
			task.Status = scud.Blocked
		}
		next.Tasks = append(next.Tasks, task)
		switch task.Status {
		case scud.Done:
			next.Done++
		case scud.Blocked:
			next.Blocked++
		case scud.Cancelled:
			continue
		}
		next.Total++
	}
	p.Waves = append(p.Waves, next)
	p.Done, p.Total = p.Done+next.Done, p.Total+next.Total
}

// find returns a task of the waves, with no more than its id when it is in none.
func (p *Progress) find(id string) WaveTask {
	for _, w := range p.Waves {
		if at := slices.IndexFunc(w.Tasks, func(t WaveTask) bool { return t.ID == id }); at >= 0 {
			return w.Tasks[at]
		}
	}
	return WaveTask{ID: id}
}

// current is the task in hand: what a running loop tells, else the one that was tried last and is not settled.
func (p *Progress) current(v View, totals gitstate.TaskTotals) *CurrentTask {
	id, attempt := totals.ID, totals.Attempt+1
	if v.Running != nil && v.Live != nil && v.Live.Task != "" && v.Live.Task != id {
		id, attempt = v.Live.Task, 1
	}
	task := p.find(id)
	if id == "" || task.Status == scud.Done || task.Status == scud.Blocked {
		return nil
	}
	c := &CurrentTask{WaveTask: task, Attempt: attempt, Of: v.Config.MaxAttempts}
	for _, w := range p.Waves {
		if slices.ContainsFunc(w.Tasks, func(t WaveTask) bool { return t.ID == id }) {
			c.Wave = w.Number
		}
	}
	return c
}
