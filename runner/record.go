package runner

import (
	"context"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner/agent"
	"github.com/git-ralph/git-ralph/runner/proc"
)

// record judges the iteration and writes its commit, in one transaction with everything that follows from it.
func (l *loop) record(ctx context.Context, it *iteration) (gitstate.Exit, error) {
	record := l.iterationRecord(it)
	l.look(l.state.Loop.Name)
	wanted, _ := l.control.wants()
	end := it.ending(l.config, wanted)
	entries, err := l.entries(ctx, it, record, &end)
	if err != nil {
		return "", err
	}
	record.Exit = judge(l.config, l.state.Totals.Add(record), end)
	if end.blocked && record.Exit == gitstate.Blocked {
		record.Blocked = l.redact.text(it.verdict.Blocked)
	}
	note := l.iterationNote(it, record)
	if last := len(entries) - 1; last > 0 { // the last of them says that the loop ended
		entries[last].Record.Exit, record.Exit = record.Exit, ""
	}
	entries[0].Record, entries[0].Note = record, note
	if l.config.MaxCost > 0 && it.ran && record.CostUSD == nil {
		l.tellOnce("an iteration did not tell what it cost: max_cost counts what is known")
	}
	if err := l.holdsLocks(); err != nil { // whether the tip is still ours the transaction finds out
		return "", err
	}
	q := gitstate.AppendRequest{
		State: l.state, Branch: it.gathered.Branch, Tells: it.waiting, Reflog: reflog,
		Entries: entries, Moving: len(entries) > 1 && entries[1].Record.Event == gitstate.EventSetAside,
	}
	state, err := l.repo.Append(ctx, q)
	if err != nil {
		return "", err
	}
	l.state = state
	l.last, l.lastNote = &state.Last, state.Note
	if len(entries) > 1 {
		l.last, l.lastNote = &record, &note // what the next prompt tells of
		l.last.Commit, l.last.Previous, l.last.Parents = state.Last.Parents[0], q.State.Last.Commit, nil
	}
	l.emit(Event{Type: IterationEnded, Iteration: it.number, Record: l.last, Totals: &state.Totals})
	l.tookWaves(entries[1:])
	return state.Last.Exit, nil
}

// entries are the commits that follow from the iteration, its own first. In a plan the tasks say how the loop ends.
func (l *loop) entries(ctx context.Context, it *iteration, record gitstate.Record, end *ending) ([]gitstate.Entry, error) {
	entries := []gitstate.Entry{{Onto: it.gathered.Parent}}
	if it.task == nil {
		return entries, nil
	}
	more, exit, left, err := l.taskEntries(ctx, record)
	if err != nil {
		return nil, err
	}
	end.done, end.blocked, end.tasksBlocked = "", false, exit == gitstate.TasksBlocked
	if exit == gitstate.AllTasksDone {
		end.done = exit
	}
	for _, line := range left {
		l.tell("%s", line)
	}
	return append(entries, more...), nil
}

// reflog is the message of an iteration's transaction: the same for all, for one process of git may move the refs for several.
const reflog = "ralph: iteration"

// tenth is how exactly a duration is recorded.
const tenth = 100 * time.Millisecond

// iterationRecord says in trailers what the iteration was.
func (l *loop) iterationRecord(it *iteration) gitstate.Record {
	duration := it.duration
	if !it.recovered {
		lasted := max(l.Now().Sub(it.started).Round(tenth), tenth) // never nothing: limits add it up
		duration = &lasted
	}
	counts := it.changes.Counts()
	record := gitstate.Record{
		Kind: gitstate.Iteration, Iteration: it.number, Tree: it.snapshot.Tree, Status: it.status, Duration: duration,
		Files: &counts, Skipped: it.snapshot.Skipped, Kept: it.gathered.Kept, Body: l.body(it),
		Session: it.verdict.Session, Tokens: it.used.tokens, CostUSD: it.used.cost, Context: it.verdict.Context,
	}
	if it.ran {
		record.Agent, record.ExitCode = l.agentName(), it.code
	}
	if it.tests != nil {
		record.Tests = &gitstate.TestCounts{Passed: it.tests.Passed, Failed: it.tests.Failed, Skipped: it.tests.Skipped}
	}
	if v := it.verify; v != nil {
		record.Verify = &gitstate.Verify{Passed: v.passed, ExitCode: v.code, Command: v.command, Tree: it.snapshot.Tree}
	}
	if t := it.task; t != nil {
		record.Task, record.Wave, record.Attempt, record.Blocked = t.id, new(t.wave), new(t.attempt), t.blocked
	}
	record.Subject = l.subject(it, record.Body)
	return record
}

// agentName names the agent: the program of a command of the user's, where it is known.
func (l *loop) agentName() string {
	if name := agent.Recognize(l.config.Command); name != "" {
		return name
	}
	return l.config.Agent
}

// body is the agent's own summary, or why there is none, and the guidance that the iteration got.
func (l *loop) body(it *iteration) string {
	var parts []string
	if summary := agent.Summary(it.lastWords()); summary != "" {
		parts = append(parts, summary)
	} else if it.failure != "" {
		parts = append(parts, it.failure)
	}
	for _, tell := range it.tells {
		parts = append(parts, toldBy+tell)
	}
	return l.redact.text(strings.Join(parts, "\n\n"))
}

// toldBy begins the guidance in an iteration's body.
const toldBy = "Told by the user: "

// ownSummary returns what body says without the guidance, which is given only once.
func ownSummary(body string) string {
	if strings.HasPrefix(body, toldBy) {
		return ""
	}
	own, _, _ := strings.Cut(body, "\n\n"+toldBy)
	return own
}

// subject fills in the template of the iteration's subject.
func (l *loop) subject(it *iteration, body string) string {
	limit := "unlimited"
	if l.config.MaxIterations > 0 {
		limit = strconv.Itoa(l.config.MaxIterations)
	}
	summary, _, _ := strings.Cut(body, "\n")
	task, wave := "", ""
	if it.task != nil {
		task, wave = it.task.id, strconv.Itoa(it.task.wave)
	}
	subject := strings.NewReplacer(
		"{iteration}", strconv.Itoa(it.number), "{max}", limit, "{loop}", l.state.Loop.Name, "{status}", string(it.status),
		"{summary}", summary, "{task}", task, "{wave}", wave).Replace(l.config.Subject)
	if subject = strings.TrimSpace(subject); subject == "" {
		return "loop: iteration " + strconv.Itoa(it.number)
	}
	return l.redact.text(subject)
}

// iterationNote says everything else.
func (l *loop) iterationNote(it *iteration, record gitstate.Record) gitstate.Note {
	note := gitstate.Note{
		Started: it.started, Ended: l.Now(), Agent: record.Agent, Session: record.Session, ExitCode: record.ExitCode, Status: it.status,
		Created: it.changes.Created, Modified: it.changes.Modified, Deleted: it.changes.Deleted, Renamed: it.changes.Renamed,
		Output: l.redact.text(it.head), Summary: record.Body, Error: l.redact.text(it.failure),
	}
	note.Usage = it.used.models
	if v := it.verify; v != nil {
		note.Verify = &gitstate.VerifyDetail{Command: v.command, Passed: v.passed, ExitCode: v.code, Tail: l.redact.text(v.tail)}
	}
	if t := it.tests; t != nil {
		note.Tests = &gitstate.TestDetail{Passed: t.Passed, Failed: t.Failed, Skipped: t.Skipped}
		for _, f := range t.Failures {
			note.Tests.Failures = append(note.Tests.Failures, gitstate.TestFailure{Name: l.redact.text(f.Name), Duration: f.Duration, Error: l.redact.text(f.Error)})
		}
	}
	return note
}

// gatherRequest says where the loop is, to bring HEAD back there.
func (l *loop) gatherRequest(since time.Time) gitstate.GatherRequest {
	return gitstate.GatherRequest{
		Loop: l.state.Loop.Name, Branch: l.state.Loop.Branch, Tip: l.state.Loop.Tip, Since: since, Guard: l.guard(),
		Alive: func() (bool, error) {
			pids, err := proc.Alive(l.repo.TopLevel)
			return len(pids) > 0 || runtime.GOOS != "linux", err // elsewhere nobody can know
		},
	}
}
