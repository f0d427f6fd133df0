package agent

import "os"

// claude is Claude Code.
func claude() product {
	p := product{
		name: "claude",
		// A stream needs --verbose.
		argv:       []string{"claude", "-p", "--output-format", "stream-json", "--verbose"},
		unattended: []string{"--dangerously-skip-permissions"},
		modelFlag:  "--model",
		bring:      map[PromptMode][]string{PromptStdin: nil, PromptArg: {"--", PromptPlaceholder}},
		mode:       PromptStdin,
		commands:   true,
		maxStdin:   10_000_000,
		env:        []string{"DISABLE_AUTOUPDATER=1"},
		// Set by Claude for its own children: it takes itself for one of them.
		unset:  []string{"CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"},
		output: claudeOutput,
		flags: []outputFlag{
			{"--output-format", "stream-json", claudeOutput}, {"--output-format", "json", "claude-json"}, {"--output-format", "text", outputText},
		},
		grants: []string{
			"--dangerously-skip-permissions", "--permission-mode", "--allowedTools", "--allowed-tools", "--settings", "--permission-prompt-tool",
			"--allow-dangerously-skip-permissions",
		},
		probe: Probe{
			Programs: []string{"claude"}, Places: []string{"~/.local/bin", "~/.claude/local"}, Args: []string{"--version"},
			Answer: `([0-9]+\.[0-9]+\.[0-9]\S*) \(Claude Code\)`,
		},
	}
	if os.Getuid() == 0 {
		// As root it refuses to run without permissions, unless it is told that it cannot do harm.
		p.trusted = []string{"IS_SANDBOX=1"}
	}
	return p
}
