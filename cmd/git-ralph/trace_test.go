package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReadersStartFewProcesses names the git processes of the reading commands: one cat-file for all objects, few others,
// and the same for a loop of 30 iterations as for one of 3.
func TestReadersStartFewProcesses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("short", "*: write file $N\n3: promise COMPLETE\n")
	l.write("long", "*: write file $N\n30: promise COMPLETE\n")
	l.ralph(0, "start", "Short", "--name", "short", "--command", "fake-agent ../short")
	l.git("switch", "-q", "main")
	l.ralph(0, "start", "Long", "--name", "long", "--command", "fake-agent ../long", "-m", "30", "-q")
	l.git("switch", "-q", "main")

	for _, c := range []struct {
		name string
		args []string
		want string // the git processes, sorted
	}{
		{"status", []string{"status", "LOOP", "--json"}, "cat-file --batch, rev-parse"},
		{"show", []string{"show", "--loop", "LOOP"}, "cat-file --batch, rev-parse"},
		{"show 2", []string{"show", "2", "--loop", "LOOP"}, "cat-file --batch, log, rev-parse"},
		{"resume", []string{"resume", "LOOP"}, "cat-file --batch, config, rev-parse, symbolic-ref"}, // the remotes; whether a killed one left something here
		{"list", []string{"list"}, "cat-file --batch, for-each-ref, rev-parse"},
		{"completion of loops", []string{"__complete", "--", "status", ""}, "for-each-ref, rev-parse"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, loop := range []string{"short", "long"} {
				l.wantCalls(t, replaced(c.args, "LOOP", loop), c.want)
			}
		})
	}
	t.Run("resume where it is", func(t *testing.T) { // uncommitted may be what a killed one left
		for _, loop := range []string{"short", "long"} {
			l.git("switch", "-q", "ralph/"+loop)
			l.wantCalls(t, []string{"resume", loop}, "cat-file --batch, config, rev-parse, status, symbolic-ref")
		}
	})
}

// wantCalls runs git-ralph, which must make these git calls, sorted.
func (l *lab) wantCalls(t *testing.T, args []string, want string) {
	t.Helper()
	calls := l.traced(t, args)
	slices.Sort(calls)
	if got := strings.Join(calls, ", "); got != want {
		t.Errorf("%q: git processes %s, want %s", args, got, want)
	}
}

func replaced(args []string, from, to string) []string {
	return strings.Split(strings.ReplaceAll(strings.Join(args, "\x00"), from, to), "\x00")
}

// traced runs git-ralph and returns the git calls it made, each as subcommand and first option.
func (l *lab) traced(t *testing.T, args []string) []string {
	t.Helper()
	trace := "trace-" + strconv.Itoa(len(l.read("trace-count")))
	l.write("trace-count", l.read("trace-count")+"x")
	_, stderr, status := l.run([]string{"GIT_TRACE2_EVENT=" + filepath.Join(l.work, trace)}, "git-ralph", args...)
	if status != 0 && status != 3 {
		t.Fatalf("git-ralph %q: status %d\n%s", args, status, stderr)
	}
	var calls []string
	for line := range strings.Lines(l.read(trace)) {
		var event struct {
			Event string   `json:"event"`
			SID   string   `json:"sid"`
			Argv  []string `json:"argv"`
		}
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("trace: %v in %q", err, line)
		}
		if event.Event == "start" {
			calls = append(calls, subcommand(event.Argv))
		}
	}
	return calls
}

// subcommand cuts a git call to its name and, for cat-file, its mode.
func subcommand(argv []string) string {
	rest := argv[1:]
	for len(rest) > 1 && strings.HasPrefix(rest[0], "-") {
		if rest[0] == "-c" {
			rest = rest[1:]
		}
		rest = rest[1:]
	}
	if len(rest) > 1 && rest[0] == "cat-file" {
		return rest[0] + " " + rest[1]
	}
	return rest[0]
}
