package gitstate

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/go-git/go-git/v5/plumbing"
)

// errNoVersion is the error for a note that does not say its version: it is none of ours.
var errNoVersion = errors.New("it has no version")

// decodeNote reads a note. Of a note that git joined from two the last counts. A value of a wrong type is unknown. A later
// version is an error that wraps [ErrNewer].
func decodeNote(text []byte) (Note, error) {
	raw, err := noteRaw(text)
	if err != nil {
		return Note{}, err
	}
	return readNote(raw)
}

// readNote makes a note of its table.
func readNote(raw table) (Note, error) {
	version, ok := raw["version"].(int64)
	switch {
	case !ok:
		return Note{}, fmt.Errorf("read note: %w", errNoVersion)
	case version > NoteVersion:
		return Note{}, fmt.Errorf("read note: version %d: %w", version, ErrNewer)
	}
	delete(raw, "version")
	n := noteOf(raw)
	n.extra = subtract(raw, noteTable(n))
	return n, nil
}

// noteRaw returns the table of a note, or of the last of several notes that git joined.
func noteRaw(text []byte) (table, error) {
	raw := map[string]any{}
	if err := toml.Unmarshal(lastNote(text), &raw); err != nil {
		return nil, fmt.Errorf("read note: %w", err)
	}
	return uniform(raw).(map[string]any), nil
}

// lastNote returns text from the last line on that begins `version = 1`.
func lastNote(text []byte) []byte {
	for end := len(text); ; {
		start := bytes.LastIndex(text[:end], []byte("version"))
		if start < 0 {
			return text
		}
		value, isValue := bytes.CutPrefix(bytes.TrimLeft(text[start+len("version"):], " "), []byte("="))
		value = bytes.TrimLeft(value, " ")
		if isValue && (start == 0 || text[start-1] == '\n') && len(value) > 0 && value[0] >= '0' && value[0] <= '9' {
			return text[start:]
		}
		end = start
	}
}

// uniform makes lists of tables that were written inline the same as others.
func uniform(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for key, value := range v {
			v[key] = uniform(value)
		}
	case []map[string]any:
		for _, element := range v {
			uniform(element)
		}
	case []any:
		tables := make([]map[string]any, 0, len(v))
		for i := range v {
			v[i] = uniform(v[i])
			if t, ok := v[i].(map[string]any); ok {
				tables = append(tables, t)
			}
		}
		if len(tables) == len(v) && len(v) > 0 {
			return tables
		}
	}
	return v
}

func noteOf(t table) Note {
	n := Note{
		Kind: Kind(t.getText("kind")), Loop: t.getText("loop"), Iteration: t.getInt("iteration"), Status: Status(t.getText("status")),
		Agent: t.getText("agent"), Session: t.getText("session"), ExitCode: t.getKnown("exit_code"),
		Started: t.getTime("started_at"), Ended: t.getTime("ended_at"),
		Error: t.getText("error"), Summary: t.getText("summary"), Prompt: t.getText("prompt"), Output: t.getText("output"),
		Config:  t.getList("config"),
		Created: t.getPaths("created"), Modified: t.getPaths("modified"), Deleted: t.getPaths("deleted"),
	}
	for _, r := range t.getTables("renamed") {
		n.Renamed = append(n.Renamed, RenamedPath{From: textPath(r.getText("from")), To: textPath(r.getText("to"))})
	}
	if v, ok := t.getTable("verify"); ok {
		n.Verify = &VerifyDetail{
			Command: v.getText("command"), Passed: v.getBool("passed"), ExitCode: v.getInt("exit_code"), Tail: v.getText("tail"),
		}
	}
	if d, ok := t.getTable("tests"); ok {
		counts := testCountsOf(d)
		n.Tests = &TestDetail{Passed: counts.Passed, Failed: counts.Failed, Skipped: counts.Skipped}
		for _, f := range d.getTables("failures") {
			failure := TestFailure{Name: f.getText("name"), Duration: f.getSeconds("duration_s"), Error: f.getText("error")}
			n.Tests.Failures = append(n.Tests.Failures, failure)
		}
	}
	usage, _ := t.getTable("usage")
	for model := range usage {
		if tokens, ok := usage.getTable(model); ok {
			if n.Usage == nil {
				n.Usage = map[string]Tokens{}
			}
			n.Usage[model] = tokensOf(tokens)
		}
	}
	totals, _ := t.getTable("totals")
	n.Totals = totalsOf(totals)
	return n
}

func totalsOf(t table) Totals {
	s := Totals{
		Opening: t.getHash("opening"), Config: t.getHash("config"), StartedAt: t.getTime("started_at"), Iteration: t.getInt("iteration"),
		Elapsed: t.getSeconds("elapsed_s"), TokensUnknown: t.getInt("tokens_unknown"), CostUnknown: t.getInt("cost_unknown"),
		FailureStreak: t.getInt("failure_streak"), IdleStreak: t.getInt("idle_streak"), BestPassed: -1,
		LastIteration: t.getHash("last_iteration"), LastTree: t.getHash("last_tree"), LastStatus: Status(t.getText("last_status")), Context: t.getKnown("context_percent"),
		Exit: Exit(t.getText("exit")), Paused: t.getBool("paused"), verifyAlways: t.getBool("verify_always"),
	}
	if cost, ok := t["cost_usd"].(float64); ok {
		s.CostUSD = &cost
	}
	if best := t.getKnown("best_passed"); best != nil && *best >= 0 {
		s.BestPassed = *best
	}
	iterations, _ := t.getTable("iterations")
	for status := range iterations {
		if n := iterations.getKnown(status); n != nil {
			if s.Iterations == nil {
				s.Iterations = map[Status]int{}
			}
			s.Iterations[Status(status)] = *n
		}
	}
	if k, ok := t.getTable("tokens"); ok {
		s.Tokens = new(tokensOf(k))
	}
	if f, ok := t.getTable("files"); ok {
		s.Files = &FileCounts{f.getInt("created"), f.getInt("modified"), f.getInt("deleted"), f.getInt("renamed")}
	}
	if c, ok := t.getTable("tests"); ok {
		s.Tests = new(testCountsOf(c))
	}
	if v, ok := t.getTable("verify"); ok {
		s.Verify = &Verify{
			Passed: v.getBool("passed"), ExitCode: v.getInt("exit_code"), Command: v.getText("command"), Tree: v.getHash("tree"),
		}
	}
	if k, ok := t.getTable("tasks"); ok {
		s.Tasks = new(taskTotalsOf(k))
	}
	return s
}

func taskTotalsOf(t table) TaskTotals {
	s := TaskTotals{ID: t.getText("id"), Wave: t.getInt("wave"), Attempt: t.getInt("attempt"), Done: t.getList("done")}
	for _, g := range t.getTables("blocked") {
		s.Blocked = append(s.Blocked, GivenUp{g.getText("task"), g.getHash("commit")})
	}
	for _, w := range t.getTables("waves") {
		s.Waves = append(s.Waves, WaveCount{w.getInt("wave"), w.getHash("commit"), w.getInt("done")})
	}
	return s
}

func testCountsOf(t table) TestCounts {
	return TestCounts{Passed: t.getInt("passed"), Failed: t.getInt("failed"), Skipped: t.getInt("skipped")}
}

func tokensOf(t table) Tokens {
	return Tokens{Input: t.getInt64("input"), Output: t.getInt64("output"), Cached: t.getInt64("cached")}
}

func (t table) getText(key string) string {
	s, _ := t[key].(string)
	return s
}

func (t table) getBool(key string) bool {
	b, _ := t[key].(bool)
	return b
}

func (t table) getInt64(key string) int64 {
	n, _ := t[key].(int64)
	return n
}

func (t table) getInt(key string) int { return int(t.getInt64(key)) }

func (t table) getKnown(key string) *int {
	if n, ok := t[key].(int64); ok {
		return new(int(n))
	}
	return nil
}

func (t table) getTime(key string) time.Time {
	at, _ := t[key].(time.Time)
	return at.UTC()
}

func (t table) getSeconds(key string) time.Duration {
	seconds, ok := t[key].(float64)
	if !ok {
		seconds = float64(t.getInt64(key))
	}
	if math.IsNaN(seconds) || math.Abs(seconds) > math.MaxInt64/1e9 {
		return 0
	}
	return time.Duration(math.Round(seconds * 1e9))
}

func (t table) getHash(key string) plumbing.Hash {
	if h, ok := parseHash(t.getText(key)); ok {
		return h
	}
	return plumbing.ZeroHash
}

func (t table) getList(key string) []string {
	values, _ := t[key].([]any)
	var list []string
	for _, v := range values {
		if s, ok := v.(string); ok {
			list = append(list, s)
		}
	}
	return list
}

func (t table) getPaths(key string) []string {
	list := t.getList(key)
	for i := range list {
		list[i] = textPath(list[i])
	}
	return list
}

func (t table) getTable(key string) (table, bool) {
	inner, ok := t[key].(map[string]any)
	return inner, ok
}

func (t table) getTables(key string) []table {
	list, _ := t[key].([]map[string]any)
	tables := make([]table, len(list))
	for i := range list {
		tables[i] = list[i]
	}
	return tables
}

// textPath gives back what pathText was given.
func textPath(text string) string {
	if path, ok := unquoted(text); ok {
		return path
	}
	return text
}
