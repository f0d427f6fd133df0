package agent

// copilot is GitHub's Copilot CLI.
func copilot() product {
	const stream = "copilot-stream"
	return product{
		name:       "copilot",
		argv:       []string{"copilot", "--output-format", "json", "-s", "--no-ask-user"},
		unattended: []string{"--allow-all"},
		modelFlag:  "--model",
		bring:      map[PromptMode][]string{PromptStdin: nil, PromptArg: {"--prompt=" + PromptPlaceholder}},
		mode:       PromptStdin,
		output:     stream,
		flags:      []outputFlag{{"--output-format", "json", stream}, {"--output-format", "text", outputText}},
		grants:     []string{"--allow-all", "--yolo", "--allow-all-tools", "--allow-tool"},
		probe: Probe{
			Programs: []string{"copilot"}, Places: []string{"~/.local/bin"}, Args: []string{"--version"},
			Answer: `(?:GitHub Copilot CLI )?v?([0-9]+\.[0-9]+\.[0-9][^\s]*?)\.?`,
		},
	}
}
