//go:build agents

package main

import (
	"regexp"
	"strings"
	"testing"
)

// TestAgentsKnowTheSlashCommands lets claude and opencode run the commands that init writes: what they ask the model then is the command's text, with the
// arguments in their place.
func TestAgentsKnowTheSlashCommands(t *testing.T) {
	eachAgent(t, func(l *agentLab) {
		arguments := "shop --plan docs/plan.md --max-iterations 7"
		call := map[string][]string{
			"claude":   {"-p", "--model", l.agent.model, "--output-format", "stream-json", "--verbose", "/ralph-wiggum:ralph-loop " + arguments},
			"opencode": {"run", "--format", "json", "-m", l.agent.model, "--command", "ralph-wiggum/ralph-loop", arguments},
		}[l.agent.name]
		if call == nil {
			l.t.Skip("it has no commands of ours")
		}
		l.ralph(0, "init", "--commands", l.agent.name)
		l.model.playsOn(turn{text: "There is no such tag."})
		cmd := l.command([]string{"PWD=" + l.repo}, "env", append([]string{l.agent.name}, call...)...) // env looks for it in the lab's PATH
		out, err := cmd.CombinedOutput()
		if err != nil {
			l.t.Fatalf("%s: %v\n%s", l.agent.name, err, out)
		}
		asked := strings.Join(l.model.requests(), "\n")
		given := `The arguments are: (\\")?` + regexp.QuoteMeta(arguments) // without a terminal opencode puts quotes around them
		for _, text := range []string{"git ralph start --scud-tag TAG", given} {
			if !regexp.MustCompile(text).MatchString(asked) {
				l.t.Errorf("the model did not get %q:\n%s\nit got\n%.4000s", text, out, asked)
			}
		}
		if l.agent.name == "claude" { // it says which commands it knows
			for _, name := range []string{"ralph-wiggum:ralph-loop", "ralph-wiggum:cancel-ralph", "ralph-wiggum:help"} {
				if !strings.Contains(string(out), `"`+name+`"`) {
					l.t.Errorf("it does not know %s:\n%.4000s", name, out)
				}
			}
		}
	})
}
