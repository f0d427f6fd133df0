package agent

// amp is Sourcegraph's Amp. It edits files without being asked; commands that are not on its list it refuses.
func amp() product {
	const stream = "amp-stream"
	return product{
		name:       "amp",
		argv:       []string{"amp", "-x", "--stream-json"},
		unattended: []string{"--dangerously-allow-all"},
		bring:      map[PromptMode][]string{PromptStdin: nil},
		mode:       PromptStdin,
		output:     stream,
		flags:      []outputFlag{{"--stream-json", "", stream}, {"--stream-json-thinking", "", stream}},
		probe: Probe{
			Programs: []string{"amp"}, Places: []string{"~/.amp/bin", "~/.local/bin"}, Args: []string{"--version"},
			Answer: `(?:amp )?v?([0-9]+\.[0-9]+\.[0-9]\S*)(?: .*)?`,
		},
	}
}
