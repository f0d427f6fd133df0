package gitstate

import (
	"strings"
	"time"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing"
)

// encodeNote returns the note's TOML text. Text that is not UTF-8 is made valid with U+FFFD; such paths are quoted as git quotes
// them.
func encodeNote(n Note) ([]byte, error) {
	t := noteTable(n)
	merge(t, n.extra)
	t["version"] = int64(NoteVersion)
	return writeTOML(t, noteKeys())
}

// noteKeys returns the keys that come first in a note, in their order.
func noteKeys() []string {
	return []string{"version", "kind", "loop", "iteration", "status", "agent", "session", "exit_code", "started_at", "ended_at",
		"error", "summary", "prompt", "config", "output", "created", "modified", "deleted", "renamed", "verify", "tests", "usage", "totals"}
}

// noteTable returns the note as the table that is written, without its version and what is empty.
func noteTable(n Note) table {
	t := table{}
	t.text("kind", string(n.Kind))
	t.text("loop", n.Loop)
	t.number("iteration", int64(n.Iteration))
	t.text("status", string(n.Status))
	t.text("agent", n.Agent)
	t.text("session", n.Session)
	t.known("exit_code", n.ExitCode)
	t.time("started_at", n.Started)
	t.time("ended_at", n.Ended)
	t.text("error", n.Error)
	t.text("summary", n.Summary)
	t.text("prompt", n.Prompt)
	t.list("config", n.Config)
	t.text("output", n.Output)
	t.list("created", pathTexts(n.Created))
	t.list("modified", pathTexts(n.Modified))
	t.list("deleted", pathTexts(n.Deleted))
	var renamed []map[string]any
	for _, r := range n.Renamed {
		renamed = append(renamed, table{"from": pathText(r.From), "to": pathText(r.To)})
	}
	t.tables("renamed", renamed)
	if v := n.Verify; v != nil {
		t["verify"] = verifyTable(*v)
	}
	if d := n.Tests; d != nil {
		t["tests"] = testTable(*d)
	}
	usage := table{}
	for model, tokens := range n.Usage {
		usage[strings.ToValidUTF8(model, "\uFFFD")] = tokensTable(tokens)
	}
	if len(usage) > 0 {
		t["usage"] = usage.plain()
	}
	t["totals"] = totalsTable(n.Totals)
	return t
}

func verifyTable(v VerifyDetail) map[string]any {
	t := table{"passed": v.Passed, "exit_code": int64(v.ExitCode)}
	t.text("command", v.Command)
	t.text("tail", v.Tail)
	return t
}

func testTable(d TestDetail) map[string]any {
	t := table(testCountsTable(TestCounts{d.Passed, d.Failed, d.Skipped}))
	var failures []map[string]any
	for _, f := range d.Failures {
		failure := table{"name": strings.ToValidUTF8(f.Name, "\uFFFD")}
		failure.seconds("duration_s", f.Duration)
		failure.text("error", f.Error)
		failures = append(failures, failure)
	}
	t.tables("failures", failures)
	return t
}

func tokensTable(k Tokens) map[string]any {
	return map[string]any{"input": k.Input, "output": k.Output, "cached": k.Cached}
}

func testCountsTable(c TestCounts) map[string]any {
	return map[string]any{"passed": int64(c.Passed), "failed": int64(c.Failed), "skipped": int64(c.Skipped)}
}

func fileCountsTable(c FileCounts) map[string]any {
	return map[string]any{
		"created": int64(c.Created), "modified": int64(c.Modified), "deleted": int64(c.Deleted), "renamed": int64(c.Renamed),
	}
}

func totalsTable(s Totals) map[string]any {
	t := table{}
	t.hash("opening", s.Opening)
	t.hash("config", s.Config)
	t.time("started_at", s.StartedAt)
	t.number("iteration", int64(s.Iteration))
	t.seconds("elapsed_s", s.Elapsed)
	if s.CostUSD != nil {
		t["cost_usd"] = *s.CostUSD
	}
	t.number("tokens_unknown", int64(s.TokensUnknown))
	t.number("cost_unknown", int64(s.CostUnknown))
	t.number("failure_streak", int64(s.FailureStreak))
	t.number("idle_streak", int64(s.IdleStreak))
	if s.BestPassed >= 0 {
		t["best_passed"] = int64(s.BestPassed)
	}
	t.hash("last_iteration", s.LastIteration)
	t.hash("last_tree", s.LastTree)
	t.text("last_status", string(s.LastStatus))
	t.known("context_percent", s.Context)
	t.text("exit", string(s.Exit))
	t.yes("paused", s.Paused)
	t.yes("verify_always", s.verifyAlways)
	iterations := table{}
	for status, n := range s.Iterations {
		iterations[strings.ToValidUTF8(string(status), "\uFFFD")] = int64(n)
	}
	if len(iterations) > 0 {
		t["iterations"] = iterations.plain()
	}
	if s.Tokens != nil {
		t["tokens"] = tokensTable(*s.Tokens)
	}
	if s.Files != nil {
		t["files"] = fileCountsTable(*s.Files)
	}
	if s.Tests != nil {
		t["tests"] = testCountsTable(*s.Tests)
	}
	if v := s.Verify; v != nil {
		verify := table{"passed": v.Passed, "exit_code": int64(v.ExitCode)}
		verify.text("command", v.Command)
		verify.hash("tree", v.Tree)
		t["verify"] = verify.plain()
	}
	if s.Tasks != nil {
		t["tasks"] = tasksTable(*s.Tasks)
	}
	return t
}

func tasksTable(s TaskTotals) map[string]any {
	t := table{}
	t.text("id", s.ID)
	t.number("wave", int64(s.Wave))
	t.number("attempt", int64(s.Attempt))
	t.list("done", s.Done)
	var blocked, waves []map[string]any
	for _, g := range s.Blocked {
		blocked = append(blocked, table{"task": strings.ToValidUTF8(g.Task, "\uFFFD"), "commit": g.Commit.String()})
	}
	for _, w := range s.Waves {
		waves = append(waves, table{"wave": int64(w.Wave), "commit": w.Commit.String(), "done": int64(w.Done)})
	}
	t.tables("blocked", blocked)
	t.tables("waves", waves)
	return t
}

// table is a TOML table under construction. What is empty is not put into it.
type table map[string]any

func (t table) plain() map[string]any { return t }

func (t table) text(key, s string) {
	if s != "" {
		t[key] = strings.ToValidUTF8(s, "\uFFFD")
	}
}

func (t table) number(key string, n int64) {
	if n != 0 {
		t[key] = n
	}
}

func (t table) yes(key string, b bool) {
	if b {
		t[key] = true
	}
}

func (t table) known(key string, n *int) {
	if n != nil {
		t[key] = int64(*n)
	}
}

func (t table) time(key string, at time.Time) {
	if !at.IsZero() {
		t[key] = at.UTC()
	}
}

func (t table) seconds(key string, d time.Duration) {
	if d != 0 {
		t[key] = d.Seconds()
	}
}

func (t table) hash(key string, h plumbing.Hash) {
	if !h.IsZero() {
		t[key] = h.String()
	}
}

func (t table) list(key string, list []string) {
	if len(list) > 0 {
		t[key] = list
	}
}

func (t table) tables(key string, list []map[string]any) {
	if len(list) > 0 {
		t[key] = list
	}
}

// pathText returns a path as text: as it is, or quoted as git quotes paths when it is not UTF-8 or looks quoted.
func pathText(path string) string {
	if !utf8.ValidString(path) || strings.HasPrefix(path, `"`) {
		return quote(path)
	}
	return path
}

func pathTexts(paths []string) []string {
	texts := make([]string, len(paths))
	for i, path := range paths {
		texts[i] = pathText(path)
	}
	return texts
}
