package agent

import (
	"errors"
	"fmt"
	"strings"
)

// ErrUnknownPreset is returned by [Find] for a name that no preset has.
var ErrUnknownPreset = errors.New("unknown agent")

// all is the registry: every preset that there is, in the order in which they are told to the user.
func all() []Preset {
	return []Preset{generic{}}
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
