package agent

// cursorAgent is Cursor's agent. What it would change without --force it only proposes.
func cursorAgent() product {
	const stream = "cursor-stream"
	return product{
		name:       "cursor-agent",
		argv:       []string{"cursor-agent", "-p", "--output-format", "stream-json"},
		unattended: []string{"--force", "--trust"},
		modelFlag:  "--model",
		bring:      map[PromptMode][]string{PromptStdin: nil, PromptArg: {"--", PromptPlaceholder}},
		mode:       PromptStdin,
		output:     stream,
		flags: []outputFlag{
			{"--output-format", "stream-json", stream}, {"--output-format", "json", stream}, {"--output-format", "text", outputText},
		},
		grants: []string{"--force", "-f", "--yolo"},
		probe: Probe{
			// "agent", its newer name, is one that others have, too: only a version that is a date is Cursor's.
			Programs: []string{"cursor-agent", "agent"}, Places: []string{"~/.local/bin"}, Args: []string{"--version"},
			Answer: `(20[0-9]{2}\.[0-9]{2}\.[0-9]{2}\S*)`,
		},
	}
}
