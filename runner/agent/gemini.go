package agent

// gemini is Google's Gemini CLI.
func gemini() product {
	return product{
		name:       "gemini",
		argv:       []string{"gemini", "--output-format", "stream-json"},
		unattended: []string{"--approval-mode=yolo"},
		modelFlag:  "-m",
		bring:      map[PromptMode][]string{PromptStdin: nil, PromptArg: {"--prompt=" + PromptPlaceholder}},
		mode:       PromptStdin,
		commands:   true,
		maxStdin:   8 << 20, // the rest would be cut off without a word
		// In a folder that it does not trust it does not let everything be done, and stops.
		trusted: []string{"GEMINI_CLI_TRUST_WORKSPACE=true"},
		output:  "gemini-stream",
		flags:   geminiFlags("gemini"),
		grants:  []string{"--approval-mode", "--yolo", "-y", "--allowed-tools", "--policy"},
		probe: Probe{
			Programs: []string{"gemini"}, Places: []string{"~/.local/bin"}, Args: []string{"--version"}, Answer: `v?([0-9]+\.[0-9]+\.[0-9]\S*)`,
			Scratch: []string{"GEMINI_CLI_TRUST_WORKSPACE=true"},
		},
	}
}

// geminiFlags are the output flags of Gemini and of what was made from it.
func geminiFlags(name string) []outputFlag {
	var flags []outputFlag
	for _, flag := range []string{"--output-format", "-o"} {
		flags = append(flags, outputFlag{flag, "stream-json", name + "-stream"}, outputFlag{flag, "json", name + "-json"}, outputFlag{flag, "text", outputText})
	}
	return flags
}

// qwen is Qwen Code. It is no preset: only a command that begins with it is known.
func qwen() product {
	return product{
		name: "qwen", mode: PromptStdin, output: "qwen-stream", flags: geminiFlags("qwen"),
		grants: []string{"--approval-mode", "--yolo", "-y", "--allowed-tools"}, probe: Probe{Programs: []string{"qwen"}},
	}
}
