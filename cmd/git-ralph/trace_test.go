package main

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestReadersStartFewProcesses counts the git processes of the reading commands: one cat-file for all objects, and as
// many others for a long loop as for a short one.
func TestReadersStartFewProcesses(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	l.write("short", "*: write file $N\n3: promise COMPLETE\n")
	l.write("long", "*: write file $N\n30: promise COMPLETE\n")
	l.ralph(0, "start", "Short", "--name", "short", "--command", "fake-agent ../short")
	l.git("switch", "-q", "main")
	l.ralph(0, "start", "Long", "--name", "long", "--command", "fake-agent ../long", "-m", "30", "-q")

	for _, c := range []struct {
		name string
		args []string
		most int // git processes beside cat-file
	}{
		{"status", []string{"status", "LOOP", "--json"}, 4},
		{"show", []string{"show", "--loop", "LOOP"}, 5},
		{"show 2", []string{"show", "2", "--loop", "LOOP"}, 5},
		{"resume", []string{"resume", "LOOP"}, 6},
		{"list", []string{"list"}, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			var counts []int
			for _, loop := range []string{"short", "long"} {
				calls := l.traced(t, replaced(c.args, "LOOP", loop))
				batches := slices.DeleteFunc(slices.Clone(calls), func(s string) bool { return s != "cat-file --batch" })
				if len(batches) != 1 {
					t.Errorf("%s: %d times cat-file --batch, want 1: %q", loop, len(batches), calls)
				}
				counts = append(counts, len(calls))
				if len(calls)-len(batches) > c.most {
					t.Errorf("%s: more than %d other git processes: %q", loop, c.most, calls)
				}
			}
			if counts[0] != counts[1] {
				t.Errorf("3 iterations need %d git processes, 30 need %d", counts[0], counts[1])
			}
		})
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
	for len(rest) > 1 && rest[0] == "-c" {
		rest = rest[2:]
	}
	if len(rest) > 1 && rest[0] == "cat-file" {
		return rest[0] + " " + rest[1]
	}
	return rest[0]
}
