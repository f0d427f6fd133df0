package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every line of the sample that is no sentence is a setting that can be used as it stands, and a limit's is its default.
func TestSampleConfigCanBeUsed(t *testing.T) {
	t.Parallel()
	line := regexp.MustCompile(`^#(\[|[A-Za-z_]+ = )`)
	var used []string
	for text := range strings.Lines(sampleFor(t.TempDir())) {
		if line.MatchString(text) {
			used = append(used, strings.TrimPrefix(text, "#"))
		}
	}
	where := source{origin: fromRepository, name: repositoryFile}
	entries, err := parseConfig(strings.Join(used, ""), where)
	if err != nil {
		t.Fatal(err)
	}
	if len(entries) < 24 {
		t.Errorf("only %d settings in\n%s", len(entries), strings.Join(used, ""))
	}
	chosen, defaults := newChoices(), newChoices()
	if err := chosen.apply(entries); err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"max_iterations", "timeout", "stall_timeout", "max_failures", "no_progress", "max_attempts", "on_blocked", "worktree", "branch", "verify_when",
		"verify_timeout", "snapshot.max_file_size", "push.max_file_size"} {
		s, _ := findSetting(func(s setting) bool { return s.key == key })
		if _, said := chosen.from[key]; !said || s.show(chosen) != s.show(defaults) {
			t.Errorf("%s: the sample says %v, the default is %v", key, s.show(chosen), s.show(defaults))
		}
	}
}

// As it is written it changes nothing, but for the check that the project's files tell.
func TestSampleConfigSaysTheProjectsCheck(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for place, want := range map[string]int{t.TempDir(): 0, dir: 1} {
		entries, err := parseConfig(sampleFor(place), source{})
		if err != nil || len(entries) != want {
			t.Errorf("%d entries, %v, want %d", len(entries), err, want)
		}
	}
}
