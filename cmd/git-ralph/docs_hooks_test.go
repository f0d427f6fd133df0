package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestHookExamplesWork runs a loop with each hook that docs/hooks.md shows, and stand-ins for the programs that they start.
func TestHookExamplesWork(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "hooks.md"))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"notify-send", "printf '\\a'", "curl"}
	examples := regexp.MustCompile("(?ms)^```sh\n(#!/bin/sh\n.*?)^```$").FindAllStringSubmatch(string(text), -1)
	if len(examples) != len(want) {
		t.Fatalf("%d examples, not %d", len(examples), len(want))
	}
	l := newLab(t)
	l.write("bin/notify-send", "#!/bin/sh\nprintf '%s|' \"$@\" >> \"$WORK/heard\"\n")
	l.write("bin/curl", "#!/bin/sh\ncat > \"$WORK/sent\"\nprintf '%s|' \"$@\" >> \"$WORK/heard\"\n")
	l.write("home/.ralph-bell", l.work+"/rung\n")
	l.write("home/.ralph-webhook", "https://example.com/hook\n")
	l.write("agent", "1: write a a\n1: promise COMPLETE\n")
	path := "PATH=" + filepath.Join(l.work, "bin") + string(os.PathListSeparator) + os.Getenv("PATH")
	for n, example := range examples {
		if !strings.Contains(example[1], want[n]) {
			t.Errorf("example %d is not the one with %s", n, want[n])
		}
		l.write("repo/.git/hooks/ralph-end", example[1])
		name := []string{"one", "two", "three"}[n]
		out, err := l.command([]string{path}, "git", "ralph", "start", "Say \"it\"", "--name", name, "--command", "fake-agent ../agent", "--subject", `say "it \ {iteration}"`).CombinedOutput()
		if err != nil || strings.Contains(string(out), "hook ralph-end") {
			t.Errorf("%v\n%s", err, out)
		}
		l.git("switch", "-q", "main")
	}
	if heard := l.read("heard"); !strings.Contains(heard, "git ralph: one|completion-promise-detected after 1 iterations|") || l.read("rung") != "\a" || !strings.Contains(heard, "https://example.com/hook|") {
		t.Errorf("heard: %q", heard)
	}
	var sent struct{ Text string }
	if err := json.Unmarshal([]byte(l.read("sent")), &sent); err != nil || !strings.HasPrefix(sent.Text, "three: completion-promise-detected after 1 iterations: say") {
		t.Errorf("sent %q: %v", l.read("sent"), err)
	}
}
