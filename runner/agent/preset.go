package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrUnknownPreset is returned by [Find] for a name that no preset has.
var ErrUnknownPreset = errors.New("unknown agent")

// products is every agent that is known, in the order in which they are looked for.
func products() []product {
	return []product{claude(), opencode(), codexProduct(), gemini(), cursorAgent(), amp(), copilot(), aider()}
}

// all is the registry: every preset that there is, in the order in which they are told to the user.
func all() []Preset {
	presets := []Preset{generic{}}
	for _, p := range products() {
		presets = append(presets, p.preset())
	}
	return presets
}

// preset is the product as a preset: one with a record when it keeps one.
func (p product) preset() Preset {
	if p.output == codexOutput {
		return codex{p}
	}
	return p
}

// Find returns the preset of that name; an empty name is "generic". An error wraps [ErrUnknownPreset] and names those
// that there are.
func Find(name string) (Preset, error) {
	if name == "" {
		name = generic{}.Name()
	}
	for _, preset := range all() {
		if preset.Name() == name {
			return preset, nil
		}
	}
	return nil, fmt.Errorf("find agent %q: %w: known are %s", name, ErrUnknownPreset, strings.Join(Presets(), ", "))
}

// Presets returns the names that [Find] knows.
func Presets() []string {
	var names []string
	for _, preset := range all() {
		names = append(names, preset.Name())
	}
	return names
}

// ownMode is how the prompt comes to a command of the user's that begins with the product: in the product's own mode, for there an argument may be taken for
// something else, as an option or as one more value of the option before it. It returns the command with what that mode needs.
func (p product) ownMode(command []string) ([]string, PromptMode) {
	switch {
	case holdsPlaceholder(command):
		return command, PromptArg
	case p.mode == PromptStdin:
		return command, PromptStdin
	}
	return append(slices.Clone(command), p.bring[p.mode]...), p.mode
}

// known is the product whose program a command begins with. By a name that others have, too, a product is known only with a flag that chooses its output.
func known(command []string) (product, bool) {
	if len(command) == 0 {
		return product{}, false
	}
	name := programName(command[0])
	for _, p := range append(products(), qwen()) {
		switch slices.Index(p.probe.Programs, name) {
		case -1:
		case 0:
			return p, true
		default:
			if p.choosesOutput(command) {
				return p, true
			}
		}
	}
	return product{}, false
}

// ModelFlag returns the argument that chooses a model in a command of the user's which begins with a known agent; empty: none is known.
func ModelFlag(command []string) string {
	p, _ := known(command)
	return p.modelFlag
}

// programName is the name of a program without folders and without what Windows adds to it.
func programName(path string) string {
	name := path[strings.LastIndexAny(path, `/\`)+1:]
	for _, extension := range []string{".exe", ".cmd", ".bat", ".ps1"} {
		if short, ok := strings.CutSuffix(strings.ToLower(name), extension); ok {
			return short
		}
	}
	return name
}
