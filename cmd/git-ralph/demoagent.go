package main

import (
	"fmt"
	"os"
	"strings"
)

// demoAgentCommand is the hidden command that makes this program the demo's agent.
const demoAgentCommand = "demo-agent"

// demoAgentCmd is an agent with a script: it looks at the work, as an agent with a fresh context does, adds the next piece, and claims that all is done.
// Twice that is wrong, and verify says so.
type demoAgentCmd struct {
	Prompt string `arg:"" help:"What to do; the script does not read it."`
}

// demoStep is one piece of work: the file's new text when the old one has not got the mark yet.
type demoStep struct{ mark, text, summary string }

var demoSteps = [...]demoStep{
	{mark: "Hello, world!", text: "#!/bin/sh\necho \"Hello, world!\"\n", summary: "greet.sh greets the world."},
	{mark: "${1:-", text: "#!/bin/sh\necho \"Hello, ${1:-world}!\"\n", summary: "greet.sh greets whoever is named, or the world."},
	{mark: "shift", text: "#!/bin/sh\nnames=${1:-world}\n[ $# -gt 0 ] && shift\nfor name; do names=\"$names and $name\"; done\necho \"Hello, $names!\"\n",
		summary: "greet.sh greets any number of people."},
}

// Run does the next step in the current directory.
func (c *demoAgentCmd) Run(a *app) error {
	text, err := os.ReadFile("greet.sh")
	if err != nil {
		return fmt.Errorf("look at the work: %w", err)
	}
	step := demoSteps[0]
	for i, s := range demoSteps {
		if strings.Contains(string(text), s.mark) && i+1 < len(demoSteps) {
			step = demoSteps[i+1]
		}
	}
	if err := os.WriteFile("greet.sh", []byte(step.text), 0o644); err != nil {
		return fmt.Errorf("do the work: %w", err)
	}
	return a.print("I have read greet.sh and check.sh.\n\n## Summary\n\n%s\n\n<promise>COMPLETE</promise>", step.summary)
}
