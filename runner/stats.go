package runner

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/git-ralph/git-ralph/gitstate"
)

// StatsBy says what iterations are grouped by.
type StatsBy string

// What iterations can be grouped by.
const (
	ByLoop   StatsBy = "loop"
	ByAgent  StatsBy = "agent"
	ByModel  StatsBy = "model"  // that used most tokens in the iteration, as its note tells; else the one that was chosen
	ByTask   StatsBy = "task"   // of a SCUD plan, as tag:id
	ByVerify StatsBy = "verify" // "passed", "failed" or "none": it did not run
	ByDay    StatsBy = "day"    // on which the iteration was committed
)

// StatsRow is what a group of iterations came to. What a rewind took off the loop counts where its time, tokens and cost were spent, and nowhere else.
type StatsRow struct {
	Key           string           // empty: not known
	Loops         int              // loops with an iteration in the group; by task: tasks
	Ended         int              // of these, that came to an end; by day: on that day
	Done          int              // of these, whose work is done
	ToDone        int              // iterations that those which are done took, those in other groups too
	Iterations    int              // all
	Completed     int              // of these, whose agent ended well
	Elapsed       time.Duration    // sum
	Tokens        *gitstate.Tokens // sum of what is known; nil: nothing is
	TokensUnknown int              // iterations that told none
	CostUSD       *float64         // sum of what is known; nil: nothing is
	CostUnknown   int              // iterations that told none
}

// Stats adds up over loops.
type Stats struct {
	Rows       []StatsRow       // sorted by key, what is not known last
	Total      StatsRow         // of all loops; its key is empty
	Unreadable map[string]error // loops that are left out, by name
}

// StatsRequest says what to add up.
type StatsRequest struct {
	Loops []gitstate.Loop
	By    StatsBy        // required
	Zone  *time.Location // required: whose days
}

// ReadStats reads the whole history of each loop. A loop that cannot be read is left out; the error is that of a context that ended.
func ReadStats(ctx context.Context, repo *gitstate.Repository, q StatsRequest) (Stats, error) {
	s := statistics{request: q, repo: repo, groups: map[string]*StatsRow{}}
	stats := Stats{Unreadable: map[string]error{}}
	for _, l := range q.Loops {
		past, err := readPast(ctx, repo, l)
		if ctx.Err() != nil {
			return Stats{}, context.Cause(ctx)
		}
		if err != nil {
			stats.Unreadable[l.Name] = err
			continue
		}
		if err := s.add(ctx, past); err != nil {
			return Stats{}, err
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.groups)) {
		stats.Rows = append(stats.Rows, *s.groups[key])
	}
	if len(stats.Rows) > 1 && stats.Rows[0].Key == "" {
		stats.Rows = append(stats.Rows[1:], stats.Rows[0])
	}
	stats.Total = s.total
	return stats, nil
}

// past is a loop's history, oldest first.
type past struct {
	loop    gitstate.Loop
	records []gitstate.Record
	totals  gitstate.Totals // after the last of them
}

func readPast(ctx context.Context, repo *gitstate.Repository, l gitstate.Loop) (past, error) {
	p := past{loop: l}
	for record, err := range repo.Records(ctx, l) {
		if err != nil {
			return past{}, err
		}
		p.records = append(p.records, record)
	}
	slices.Reverse(p.records)
	for _, record := range p.records {
		p.totals = p.totals.Add(record)
	}
	return p, nil
}

// statistics is a [Stats] in the making.
type statistics struct {
	request StatsRequest
	repo    *gitstate.Repository
	groups  map[string]*StatsRow
	total   StatsRow
}

// member is what counts as one in a group: a loop, or a task of one.
type member struct {
	iterations  int
	ended, done bool
	endedOn     string // day
}

// add adds a loop.
func (s *statistics) add(ctx context.Context, p past) error {
	whole := member{
		iterations: iterationsOf(p.totals), ended: p.totals.Exit != "", done: p.totals.Exit.Done(), endedOn: s.day(p.records[len(p.records)-1]),
	}
	s.total.join(whole)
	in := map[string]*member{} // the groups that the loop is in
	if s.request.By == ByLoop {
		in[p.loop.Name] = &whole
	}
	var config Config
	for _, record := range p.records {
		if len(record.Config) > 0 {
			if decoded, err := decodeConfig(record.Config); err == nil {
				config = decoded
			}
		}
		spends := record.Status != "" || record.Duration != nil || record.Tokens != nil || record.CostUSD != nil || record.Untold != nil
		if !spends {
			continue
		}
		key, err := s.key(ctx, record, config)
		if err != nil {
			return err
		}
		s.total.spend(record)
		s.group(key).spend(record)
		if record.Status != "" {
			in[key] = s.memberOf(in[key], record, whole)
		}
	}
	for key, m := range in {
		if s.request.By == ByDay && m.endedOn != key {
			m = &member{}
		}
		s.group(key).join(*m)
	}
	return nil
}

// memberOf is what counts in the group of an iteration: its loop, or the task that it worked on.
func (s *statistics) memberOf(m *member, record gitstate.Record, whole member) *member {
	if s.request.By != ByTask || record.Task == "" {
		return &whole
	}
	if m == nil {
		m = &member{}
	}
	m.iterations++
	m.done = record.Verify != nil && record.Verify.Passed
	m.ended = m.done || record.Blocked != ""
	return m
}

// join counts a loop or a task.
func (r *StatsRow) join(m member) {
	r.Loops++
	if m.ended {
		r.Ended++
	}
	if m.done {
		r.Done++
		r.ToDone += m.iterations
	}
}

// spend counts an iteration, or what an event says of iterations that are not on the chain any more.
func (r *StatsRow) spend(record gitstate.Record) {
	sum := gitstate.Totals{Elapsed: r.Elapsed, Tokens: r.Tokens, CostUSD: r.CostUSD, TokensUnknown: r.TokensUnknown, CostUnknown: r.CostUnknown}.Add(record)
	r.Elapsed, r.Tokens, r.CostUSD, r.TokensUnknown, r.CostUnknown = sum.Elapsed, sum.Tokens, sum.CostUSD, sum.TokensUnknown, sum.CostUnknown
	if record.Status != "" {
		r.Iterations++
	}
	if record.Status == gitstate.Completed {
		r.Completed++
	}
}

func (s *statistics) group(key string) *StatsRow {
	if s.groups[key] == nil {
		s.groups[key] = &StatsRow{Key: key}
	}
	return s.groups[key]
}

// key is the group of a record; empty: not known.
func (s *statistics) key(ctx context.Context, record gitstate.Record, config Config) (string, error) {
	switch s.request.By {
	case ByLoop:
		return record.Loop, nil
	case ByDay:
		return s.day(record), nil
	case ByAgent:
		return record.Agent, nil
	case ByTask:
		if record.Task == "" {
			return "", nil
		}
		return config.ScudTag + ":" + record.Task, nil
	case ByModel:
		return s.model(ctx, record, config)
	}
	switch {
	case record.Status == "":
		return "", nil
	case record.Verify == nil:
		return "none", nil
	case record.Verify.Passed:
		return "passed", nil
	}
	return "failed", nil
}

// model is the model that an iteration used most. A note that is not here, or cannot be read, leaves what was chosen.
func (s *statistics) model(ctx context.Context, record gitstate.Record, config Config) (string, error) {
	if record.Status == "" {
		return "", nil
	}
	note, err := s.repo.Note(ctx, record.Commit)
	if ctx.Err() != nil {
		return "", context.Cause(ctx)
	}
	if err != nil || note == nil || len(note.Usage) == 0 {
		return config.Model, nil
	}
	used := func(model string) int64 { t := note.Usage[model]; return t.Input + t.Output + t.Cached }
	return slices.MaxFunc(slices.Sorted(maps.Keys(note.Usage)), func(a, b string) int {
		return cmp.Or(cmp.Compare(used(a), used(b)), strings.Compare(b, a))
	}), nil
}

func (s *statistics) day(record gitstate.Record) string {
	return record.Time.In(s.request.Zone).Format(time.DateOnly)
}

// iterationsOf counts a loop's iterations.
func iterationsOf(t gitstate.Totals) int {
	n := 0
	for _, count := range t.Iterations {
		n += count
	}
	return n
}
