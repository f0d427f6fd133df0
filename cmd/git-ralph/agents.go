package main

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/runner"
	"github.com/git-ralph/git-ralph/runner/agent"
)

// permissions says what an agent may do unasked.
type permissions string

// The permissions. --yolo stands for the first.
const (
	permissionsAll permissions = "all"
	permissionsOwn permissions = "" // the agent's own safe default
)

// agentName accepts what an agent may be called; whether there is one is known when all files are read.
func agentName(name string) error {
	if !regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`).MatchString(name) {
		return badValue(oneOf(name, agent.Presets()), "%q is no agent that git-ralph knows", name)
	}
	return nil
}

// setAgents takes the tables [agents.NAME]: command, prompt, output, yolo, model_flag.
func setAgents(c *choices, value any) error {
	tables, ok := value.(map[string]any)
	if !ok {
		return badValue("write a table: [agents.mine]", "%s is no table", shown(value))
	}
	for name, inner := range tables {
		table, ok := inner.(map[string]any)
		if !ok {
			return badValue(fmt.Sprintf("write a table: [agents.%s]", name), "%s is no table", name)
		}
		custom, err := describedAgent(name, table)
		if err != nil {
			return err
		}
		if c.described == nil {
			c.described = map[string]agent.Custom{}
		}
		c.described[name] = custom
	}
	return nil
}

// describedAgent reads one table.
func describedAgent(name string, table map[string]any) (agent.Custom, error) {
	custom := agent.Custom{Name: name}
	for key, value := range table {
		var err error
		switch key {
		case "command":
			var scratch choices
			err = setCommand(&scratch, value)
			custom.Command = scratch.Command
		case "yolo":
			custom.Unattended, err = listValue(value)
		case "prompt", "output", "model_flag":
			var text string
			text, err = textValue(value)
			switch key {
			case "prompt":
				custom.Prompt = agent.PromptMode(text)
			case "output":
				custom.Output = text
			default:
				custom.ModelFlag = text
			}
		default:
			err = badValue("it can have: command, prompt, output, yolo, model_flag", "%s.%s is no setting", name, key)
		}
		if err != nil {
			return custom, err
		}
	}
	if _, err := custom.Preset(); err != nil {
		return custom, badValue(fmt.Sprintf("[agents.%s] command = [\"PROGRAM\"], prompt = \"stdin\", output = one of: %s", name, strings.Join(agent.Outputs(), " ")), "%v", err)
	}
	return custom, nil
}

// describedTables are the tables as they could stand in a file.
func (c *choices) describedTables() map[string]any {
	tables := map[string]any{}
	for name, custom := range c.described {
		table := map[string]any{}
		for key, text := range map[string]string{"prompt": string(custom.Prompt), "output": custom.Output, "model_flag": custom.ModelFlag} {
			if text != "" {
				table[key] = text
			}
		}
		if len(custom.Command) > 0 {
			table["command"] = custom.Command
		}
		if custom.Unattended != nil {
			table["yolo"] = custom.Unattended
		}
		tables[name] = table
	}
	return tables
}

// describedNames lists the agents that the files describe.
func (c *choices) describedNames() []string { return slices.Sorted(maps.Keys(c.described)) }

// settleAgent finds the agent: the one that was chosen, else the first known one that is installed. It returns what to tell of a choice that nobody made.
func (c *choices) settleAgent(a *app) (told string, err error) {
	if custom, ok := c.described[c.Agent]; ok {
		c.Custom = custom
		return "", nil
	}
	if _, err := agent.Find(c.Agent); errors.Is(err, agent.ErrUnknownPreset) {
		unknown := badValue(oneOf(c.Agent, append(agent.Presets(), c.describedNames()...)), "%q is no agent that git-ralph knows", c.Agent)
		return "", misplaced(entry{setting: setting{key: "agent"}, source: c.from["agent"]}, unknown)
	}
	if len(c.Command) > 0 || c.Agent != runner.DefaultConfig().Agent {
		return "", nil
	}
	if c.from["agent"].origin != fromDefault {
		return "", usage(`say which program: --command "PROGRAM ARGS"`, "agent generic needs a command")
	}
	installed, _ := runner.Installed(a.env)
	if len(installed) == 0 {
		return "", &problem{status: 129, text: "no agent is given, and none that git-ralph knows is installed", hints: []string{
			`say which program: --command "PROGRAM ARGS"`, "or install one of: " + strings.Join(agent.Presets()[1:], " "),
		}}
	}
	c.Agent = installed[0]
	c.Custom = c.described[c.Agent] // it is run as the files say
	told = "agent: " + c.Agent
	if len(installed) > 1 {
		told += " (also installed: " + strings.Join(installed[1:], ", ") + "; choose with --agent)"
	}
	return told, nil
}
