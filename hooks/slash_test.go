package hooks_test

import (
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/hooks"
)

func TestSlashCommands(t *testing.T) {
	t.Parallel()
	for agent, want := range map[string]struct{ folder, prefix, not string }{
		"claude":   {".claude/commands/ralph-wiggum/", "/ralph-wiggum:", "/ralph-wiggum/"},
		"opencode": {".opencode/commands/ralph-wiggum/", "/ralph-wiggum/", "/ralph-wiggum:"},
	} {
		files, err := hooks.SlashCommands(agent)
		if err != nil {
			t.Fatal(err)
		}
		names := ""
		for _, f := range files {
			names += " " + strings.TrimPrefix(f.Path, want.folder)
			if !strings.HasPrefix(f.Text, "---\ndescription: ") || strings.Count(f.Text, "\n---\n") != 1 {
				t.Errorf("%s has no header:\n%s", f.Path, f.Text)
			}
			if !strings.Contains(f.Text, want.prefix) && !strings.Contains(f.Path, "cancel") || strings.Contains(f.Text, want.not) {
				t.Errorf("%s names commands otherwise than %s does", f.Path, agent)
			}
			if strings.Contains(f.Path, "ralph-loop") {
				for _, argument := range []string{"$ARGUMENTS", "--plan", "--spec-file", "--max-iterations", "--resume", "git ralph start", "git ralph resume"} {
					if !strings.Contains(f.Text, argument) {
						t.Errorf("%s does not speak of %s", f.Path, argument)
					}
				}
			}
		}
		if names != " cancel-ralph.md help.md ralph-loop.md" {
			t.Errorf("%s has%s", agent, names)
		}
	}
	if files, err := hooks.SlashCommands("nobody"); err != nil || files != nil {
		t.Errorf("of an unknown agent: %v, %v", files, err)
	}
	if got := strings.Join(hooks.SlashAgents(), " "); got != "claude opencode" {
		t.Errorf("agents: %s", got)
	}
}
