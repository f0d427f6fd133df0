package main

import (
	"maps"
	"slices"

	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// agentCall says who is called and how: by its name where it is called as we call it ourselves, else by the argument vector.
func (i *stateImport) agentCall() {
	c := i.state.Config
	if b := c.Backend; b != nil && !slices.ContainsFunc([]string{"command", "agent", "model", "permissions"}, i.isTyped) {
		if config, environment, ok := ourCall(b.Type, append([]string{c.Command}, c.Args...)); ok {
			for key, value := range map[string]string{"permissions": config.Permissions, "model": config.Model} {
				if value != "" {
					i.put(key, value)
				}
			}
			maps.DeleteFunc(b.Environment, func(name, value string) bool { return environment[name] == value })
			return
		}
	}
	if c.Command == "" {
		return
	}
	argv := []any{c.Command}
	for _, arg := range c.Args {
		argv = append(argv, arg)
	}
	i.put("command", argv)
}

// ourCall returns the configuration with which a known agent is called so, and the variables that it gets then; false: with none.
func ourCall(name string, argv []string) (config runner.Config, environment map[string]string, ok bool) {
	if name == "generic" || !slices.Contains(agent.Presets(), name) {
		return config, nil, false
	}
	const anyModel = "a model"
	for _, permissions := range []string{"", string(permissionsAll)} {
		for _, model := range []string{"", anyModel} {
			config = runner.Config{Agent: name, Permissions: permissions, Model: model}
			ours, _, environment, err := exportCall(config)
			if err != nil || len(ours) != len(argv) {
				continue
			}
			if at := slices.Index(ours, anyModel); at >= 0 {
				config.Model, ours[at] = argv[at], argv[at]
			}
			if slices.Equal(ours, argv) {
				return config, environment, true
			}
		}
	}
	return config, nil, false
}
