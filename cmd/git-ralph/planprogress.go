package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/scud"
)

// planProgressJSON is how far a loop is with its plan, in the answer of status.
type planProgressJSON struct {
	Tag   string             `json:"tag"`
	Done  int                `json:"done"`
	Total int                `json:"total"` // all leaves but the cancelled ones
	Waves []waveProgressJSON `json:"waves"`
	Task  *currentTaskJSON   `json:"current_task"` // null: none is in hand
}

// waveProgressJSON is how far a wave is.
type waveProgressJSON struct {
	Wave    int  `json:"wave"`
	Done    int  `json:"done"`
	Blocked int  `json:"blocked"`
	Total   int  `json:"total"`
	Closed  bool `json:"closed"` // it has its commit
}

// currentTaskJSON is the task in hand.
type currentTaskJSON struct {
	ID          string  `json:"task_id"`
	Title       *string `json:"title"` // null: the plan is not here
	Wave        int     `json:"wave"`
	Complexity  *int    `json:"complexity"`
	Attempt     int     `json:"attempt"`
	MaxAttempts int     `json:"max_attempts"`
}

// waveCommitJSON is the commit of a wave.
type waveCommitJSON struct {
	Wave      int      `json:"wave"`
	Commit    string   `json:"commit_hash"`
	Timestamp *string  `json:"timestamp"`
	Tasks     []string `json:"tasks_completed"`
}

// blockedTaskJSON is a task that the loop gave up.
type blockedTaskJSON struct {
	ID        string  `json:"task_id"`
	Title     *string `json:"title"` // null: the plan is not here
	Reason    string  `json:"reason"`
	Attempts  int     `json:"attempts"`
	BlockedAt *string `json:"blocked_at"`
}

// planStatusJSON is what status adds for a loop over a plan.
type planStatusJSON struct {
	Plan        planProgressJSON  `json:"plan"`
	WaveCommits []waveCommitJSON  `json:"wave_commits"`
	Blocked     []blockedTaskJSON `json:"blocked_tasks"`
	Unfinished  []leftTaskJSON    `json:"unfinished_tasks"` // neither done nor cancelled; empty where the plan is not here
}

// leftTaskJSON is a task that is neither done nor cancelled.
type leftTaskJSON struct {
	ID       string   `json:"task_id"`
	Title    *string  `json:"title"`
	State    string   `json:"state"` // "pending": it is run yet; "waiting": for what will not be done; "broken": it can never run; "gone": from the task file; else its status, such as "blocked", "deferred", or "in-progress" by somebody else
	Reason   string   `json:"reason"`
	WaitsFor []string `json:"waits_for"` // tasks that must be done before it
}

func leftOf(left []runner.LeftTask) []leftTaskJSON {
	all := []leftTaskJSON{}
	for _, t := range left {
		all = append(all, leftTaskJSON{ID: t.ID, Title: some(t.Title), State: string(t.State), Reason: t.Reason, WaitsFor: notNil(t.WaitsFor)})
	}
	return all
}

// planStatusOf is a loop's progress for a program; of a loop without a plan nil.
func planStatusOf(p *runner.Progress) *planStatusJSON {
	if p == nil {
		return nil
	}
	answer := &planStatusJSON{
		Plan:        planProgressJSON{Tag: p.Tag, Done: p.Done, Total: p.Total, Waves: []waveProgressJSON{}},
		WaveCommits: []waveCommitJSON{}, Blocked: []blockedTaskJSON{}, Unfinished: leftOf(p.Left),
	}
	for _, w := range p.Waves {
		answer.Plan.Waves = append(answer.Plan.Waves, waveProgressJSON{Wave: w.Number, Done: w.Done, Blocked: w.Blocked, Total: w.Total, Closed: !w.Commit.IsZero()})
		if !w.Commit.IsZero() {
			answer.WaveCommits = append(answer.WaveCommits, waveCommitJSON{Wave: w.Number, Commit: w.Commit.String(), Timestamp: utc(w.Closed), Tasks: notNil(w.Ours)})
		}
	}
	if t := p.Task; t != nil {
		answer.Plan.Task = &currentTaskJSON{ID: t.ID, Title: some(t.Title), Wave: t.Wave, Complexity: some(t.Complexity), Attempt: t.Attempt, MaxAttempts: t.Of}
	}
	for _, t := range p.Blocked {
		answer.Blocked = append(answer.Blocked, blockedTaskJSON{ID: t.ID, Title: some(t.Title), Reason: t.Reason, Attempts: t.Attempts, BlockedAt: utc(t.At)})
	}
	return answer
}

// shownWaves is how many waves status shows: the others are done, or wait.
const shownWaves = 8

// shownLeft is how many tasks that are not run status shows.
const shownLeft = 8

// writeProgress writes a loop's progress for a person: tasks, a bar for each wave, the task in hand, what is blocked and why.
func writeProgress(w io.Writer, p *runner.Progress, l look) {
	if p == nil {
		return
	}
	line := func(label, text string) { fmt.Fprintln(w, l.cut("  "+l.faint(left(label, 9))+text)) }
	line("tasks", tasksDone(p, l))
	if t := p.Task; t != nil {
		line("task", taskTitle(t.ID, t.Title)+l.faint(fmt.Sprintf("  attempt %d of %d", t.Attempt, t.Of)))
	}
	begin, end := waveWindow(p.Waves)
	if begin > 0 {
		line("", l.faint(fmt.Sprintf("%d waves are finished", begin)))
	}
	for _, wave := range p.Waves[begin:end] {
		text := fmt.Sprintf("Wave %d: %s %d/%d", wave.Number, bar(wave.Done, wave.Total), wave.Done, wave.Total)
		if wave.Blocked > 0 {
			text += ", " + l.bad(fmt.Sprintf("%d blocked", wave.Blocked))
		}
		line("", text)
	}
	if more := len(p.Waves) - end; more > 0 {
		line("", l.faint(fmt.Sprintf("%d more waves", more)))
	}
	for _, t := range p.Blocked {
		line("blocked", blockedWords(t))
	}
	others := otherwiseLeft(p)
	for _, t := range others[:min(len(others), shownLeft)] {
		line("not run", taskTitle(t.ID, t.Title)+": "+leftWords(t))
	}
	if more := len(others) - shownLeft; more > 0 {
		line("", l.faint(fmt.Sprintf("%d more tasks are not run", more)))
	}
}

// tasksDone says how many tasks are done, and what of it is not known here.
func tasksDone(p *runner.Progress, l look) string {
	tasks := fmt.Sprintf("%d of %d done", p.Done, p.Total)
	if len(p.Blocked) > 0 {
		tasks += ", " + l.bad(fmt.Sprintf("%d blocked", len(p.Blocked)))
	}
	if !p.Titled {
		tasks += " (the plan is not here: what was done before the loop is not counted)"
	}
	return tasks
}

// taskTitle names a task; its title may not be known.
func taskTitle(id, title string) string { return flat(strings.TrimSpace(id + " " + title)) }

// blockedWords says why a task was given up.
func blockedWords(t runner.BlockedTask) string {
	return taskTitle(t.ID, t.Title) + ": " + flat(t.Reason)
}

// waveWindow chooses the waves that are shown where there are many: from the first one that is not finished on.
func waveWindow(waves []runner.WaveProgress) (begin, end int) {
	if len(waves) <= shownWaves {
		return 0, len(waves)
	}
	for begin < len(waves)-shownWaves && waves[begin].Done == waves[begin].Total {
		begin++
	}
	return begin, begin + shownWaves
}

// otherwiseLeft are the tasks that will not be run and that the loop has not given up.
func otherwiseLeft(p *runner.Progress) []runner.LeftTask {
	return slices.DeleteFunc(slices.Clone(p.Left), func(t runner.LeftTask) bool {
		return t.State == runner.LeftPending || slices.ContainsFunc(p.Blocked, func(b runner.BlockedTask) bool { return b.ID == t.ID })
	})
}

// leftWords says what keeps a task.
func leftWords(t runner.LeftTask) string {
	switch t.State {
	case runner.LeftWaiting:
		return "waits for " + flat(strings.Join(t.WaitsFor, ", "))
	case runner.LeftBroken:
		return "what it needs is missing or waits for it"
	case runner.LeftGone:
		return "gone from the task file"
	case runner.LeftState(scud.InProgress):
		return "in progress elsewhere"
	}
	return flat(string(t.State))
}
