package agent

import (
	"errors"
	"fmt"
	"slices"
)

// ErrName is returned for a name that no agent can have.
var ErrName = errors.New("this name cannot be used")

// Custom is an agent that the user describes: a new one, or a preset with something changed. In the configuration it is
// a table [agents.NAME].
type Custom struct {
	Name       string     `toml:"-"`          // required; that of a preset changes the preset: what is empty here stays as it is
	Command    []string   `toml:"command"`    // argument vector, without the prompt; required for a new agent
	Prompt     PromptMode `toml:"prompt"`     // how the prompt comes; empty for a new agent: as its program is known to take it, else as an argument
	Output     string     `toml:"output"`     // one of [Outputs]; empty: that of the command, if it begins with a known agent, else text
	Unattended []string   `toml:"yolo"`       // arguments that are added with permissions "all"
	ModelFlag  string     `toml:"model_flag"` // argument before a model's name; empty for a new agent: none can be chosen
}

// Preset makes the preset. An error wraps [ErrNoCommand], [ErrPromptMode], [ErrUnknownOutput] or [ErrName].
func (c Custom) Preset() (Preset, error) {
	if c.Name == "" || c.Name == (generic{}).Name() {
		return nil, fmt.Errorf("describe agent %q: %w", c.Name, ErrName)
	}
	p := product{name: c.Name, mode: PromptArg, output: outputText}
	for _, base := range products() {
		if base.name == c.Name {
			p = base
		}
	}
	if len(c.Command) > 0 {
		p = p.withCommand(c.Command)
	}
	if len(p.argv) == 0 || p.argv[0] == "" {
		return nil, fmt.Errorf("describe agent %q: %w", c.Name, ErrNoCommand)
	}
	if other, ok := known(c.Command); ok && c.Prompt == "" {
		p.argv, p.mode = other.ownMode(p.argv)
	}
	if c.Prompt != "" {
		if !slices.Contains([]PromptMode{PromptArg, PromptStdin, PromptEnv, PromptFile, PromptNone}, c.Prompt) {
			return nil, fmt.Errorf("describe agent %q: prompt %q: %w", c.Name, c.Prompt, ErrPromptMode)
		}
		p.mode = c.Prompt
	}
	if c.Output != "" {
		if _, err := findOutput(c.Output); err != nil {
			return nil, fmt.Errorf("describe agent %q: %w", c.Name, err)
		}
		p.output = c.Output
	}
	if c.Unattended != nil {
		p.unattended = c.Unattended
	}
	if c.ModelFlag != "" {
		p.modelFlag = c.ModelFlag
	}
	return p.preset(), nil
}

// withCommand is the product with another command, whose output is the one that its arguments choose.
func (p product) withCommand(command []string) product {
	output := outputText
	if other, ok := known(command); ok {
		p.flags, p.grants, p.unset, p.commands, output = other.flags, other.grants, other.unset, other.commands, other.chosen(command)
	} else if p.flags != nil {
		output = p.chosen(command)
	}
	p.argv, p.bring, p.output = slices.Clone(command), nil, output
	return p
}
