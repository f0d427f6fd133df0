package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

func document(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The table of settings has every setting, with its flag and its default.
func TestEverySettingIsDocumented(t *testing.T) {
	text := document(t, "configuration.md")
	for _, s := range settings() {
		row := fmt.Sprintf("| `%s` | `--%s` |", s.key, s.flag)
		if s.flag == "" {
			row = fmt.Sprintf("| `%s` | |", s.key)
		}
		if value := fmt.Sprint(s.show(newChoices())); value != "" && value != "[]" && value != "map[]" {
			row += " `" + value + "` |"
		}
		if !strings.Contains(text, row) {
			t.Errorf("docs/configuration.md has no row that begins %s", row)
		}
	}
}

// The example can be used as it stands.
func TestTheDocumentedExampleIsAccepted(t *testing.T) {
	example := shownFile(t, "configuration.md", ".ralph.toml")
	if _, err := chosenFrom(example); err != nil {
		t.Errorf("%v in\n%s", err, example)
	}
}

// The table of exits says what the program does.
func TestEveryExitIsDocumentedWithItsStatus(t *testing.T) {
	_, table, _ := strings.Cut(document(t, "exit-status.md"), "| `Ralph-Exit` | status |")
	for _, exit := range []gitstate.Exit{
		gitstate.PromiseDetected, gitstate.ProcessSuccess, gitstate.AllTasksDone, gitstate.TasksBlocked, gitstate.Blocked, gitstate.MaxIterations,
		gitstate.LimitReached, gitstate.NoProgress, gitstate.Failing, gitstate.UserCancelled, gitstate.ExitError,
	} {
		want := fmt.Sprintf("| %d |", outcomeStatus(runner.Outcome{Exit: exit}))
		_, after, found := strings.Cut(table, "`"+string(exit)+"`")
		row, _, _ := strings.Cut(after, "\n")
		if !found || !strings.HasSuffix(row, want) {
			t.Errorf("%s: %q does not end in %s", exit, row, want)
		}
	}
}
