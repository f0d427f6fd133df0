package agent

// opencode is OpenCode. Its own default lets it edit the project's files; what it would have to ask for is refused.
func opencode() product {
	return product{
		name: "opencode",
		// A limit is told nowhere but in its log.
		argv:       []string{"opencode", "run", "--format", "json", "--print-logs", "--log-level", "ERROR"},
		unattended: []string{"--auto"},
		modelFlag:  "-m",
		// As an argument the prompt would be rewritten: what has a blank in it is put in quotes.
		bring:  map[PromptMode][]string{PromptStdin: nil, PromptArg: {"--", PromptPlaceholder}},
		mode:   PromptStdin,
		output: "opencode-stream",
		flags:  []outputFlag{{"--format", "json", "opencode-stream"}, {"--format", "default", outputText}},
		probe: Probe{
			Programs: []string{"opencode"}, Places: []string{"~/.opencode/bin", "~/.local/bin"}, Args: []string{"--version"},
			Answer: `v?([0-9]+\.[0-9]+\.[0-9]\S*)`,
		},
	}
}
