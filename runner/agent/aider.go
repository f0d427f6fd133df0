package agent

// aider is Aider. It reads its task from a file, edits without being asked, and commits what it did.
func aider() product {
	return product{
		name:       "aider",
		argv:       []string{"aider", "--no-stream", "--no-pretty", "--no-check-update", "--analytics-disable", "--no-show-model-warnings"},
		unattended: []string{"--yes-always"},
		modelFlag:  "--model",
		bring:      map[PromptMode][]string{PromptFile: {"--message-file", PromptPlaceholder}, PromptArg: {"--message", PromptPlaceholder}},
		mode:       PromptFile,
		output:     outputAider,
		probe: Probe{
			Programs: []string{"aider"}, Places: []string{"~/.local/bin"}, Args: []string{"--version"}, Answer: `aider v?([0-9]+\.[0-9]+\.[0-9]\S*)`,
		},
	}
}
