package main

import (
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// loopFlags are the settings of a loop that start and resume take. Their values are text, read by the same code as
// those in files; that a flag was given at all is known from the command line, so there are no defaults here. Help
// shows the defaults of runner.
type loopFlags struct {
	Command           string   `short:"c" placeholder:"\"PROG ARGS\"" help:"The agent: any program, with arguments as for a shell."`
	Verify            []string `sep:"none" placeholder:"COMMAND" help:"Must agree that it is done; again for more."`
	MaxIterations     string   `short:"m" placeholder:"N" help:"Stop after N iterations."`
	Timeout           string   `placeholder:"TIME" help:"Of one iteration's agent: 90s, 10m, 2h."`
	StallTimeout      string   `placeholder:"TIME" help:"End an agent that does nothing for so long."`
	MaxDuration       string   `placeholder:"TIME" help:"Of all iterations together."`
	MaxFailures       string   `placeholder:"N" help:"Stop after N failed iterations in a row."`
	NoProgress        string   `placeholder:"N" help:"Stop after N iterations that changed nothing."`
	CompletionPromise string   `placeholder:"WORD" help:"What the agent says when done; '' for none."`
	Env               []string `sep:"none" placeholder:"NAME=VALUE" help:"A variable for the agent; never recorded."`

	Agent   string `aliases:"backend" placeholder:"NAME" help:"A known agent, such as claude (default: the first one installed)."`
	Yolo    bool   `help:"Let a known agent write and run unattended."`
	MaxCost string `placeholder:"USD" help:"Stop when all iterations cost so much."`

	ScudTag string `placeholder:"TAG" help:"Work through the tasks of a SCUD plan, wave by wave."`

	Push bool `negatable:"" help:"Push after every iteration, so that any clone can go on."`

	Remote           string   `more:"" placeholder:"NAME"`
	Model            string   `more:"" placeholder:"NAME"`
	Permissions      string   `more:"" placeholder:"all"`
	Plan             string   `more:"" placeholder:"FILE"`
	MaxAttempts      string   `more:"" placeholder:"N"`
	OnBlocked        string   `more:"" placeholder:"set-aside|keep"`
	SkipBroken       bool     `more:"" negatable:""`
	MaxTokens        string   `more:"" placeholder:"N"`
	MaxRetries       string   `more:"" placeholder:"N"`
	AllowUnknownCost bool     `more:"" negatable:""`
	PromptMode       string   `more:"" placeholder:"arg|stdin|env|file|none"`
	PromptTemplate   bool     `more:"" negatable:""`
	PromiseMatch     string   `more:"" placeholder:"tag|plain"`
	VerifyWhen       string   `more:"" placeholder:"promise|always"`
	VerifyTimeout    string   `more:"" placeholder:"TIME"`
	Grace            string   `more:"" placeholder:"TIME"`
	IterationContext bool     `more:"" negatable:""`
	MaxContextTokens string   `more:"" placeholder:"N"`
	Subject          string   `more:"" placeholder:"TEMPLATE"`
	MaxFileSize      string   `more:"" placeholder:"SIZE"`
	Allow            []string `more:"" sep:"none" placeholder:"PATTERN"`
	Dirty            string   `more:"" placeholder:"refuse|include"`
	AutoCommit       bool     `hidden:"" negatable:"" help:"Accepted; every iteration is a commit anyway."`

	given []entry // what was typed, in the order of the command line
}

// AfterApply notes which settings were typed.
func (f *loopFlags) AfterApply(k *kong.Context, a *app) error {
	for _, path := range k.Path {
		if path.Flag == nil || path.Flag.Name == "env" {
			continue
		}
		name, value := path.Flag.Name, path.Flag.Target.Interface()
		if name == "yolo" {
			name, value = "permissions", string(permissionsAll)
		}
		s, ok := findSetting(func(s setting) bool { return s.flag != "" && s.flag == name })
		if !ok || slices.ContainsFunc(f.given, func(e entry) bool { return e.setting.key == s.key }) {
			continue
		}
		f.given = append(f.given, entry{s, value, source{origin: fromFlag, name: "--" + s.flag}})
	}
	if a.hasArgv {
		return f.addArgv(a.argv)
	}
	return nil
}

// addArgv takes what followed "--" for the agent's argument vector.
func (f *loopFlags) addArgv(argv []string) error {
	for _, e := range f.given {
		if e.setting.key == "command" {
			return usage("leave one of them out", "the program is given twice: by --command and after --")
		}
	}
	s, _ := findSetting(func(s setting) bool { return s.key == "command" })
	f.given = append(f.given, entry{s, argv, source{origin: fromFlag, name: "--"}})
	return nil
}

// apply sets what was typed, over what is there already.
func (f *loopFlags) apply(c *choices, a *app) error {
	if err := c.apply(f.given); err != nil {
		return err
	}
	return f.applyEnv(c, a)
}

// applyEnv sets the variables that were typed. A name alone stands for the value that the variable has now.
func (f *loopFlags) applyEnv(c *choices, a *app) error {
	s, _ := findSetting(func(s setting) bool { return s.key == "env" })
	for _, text := range f.Env {
		name, value, ok := strings.Cut(text, "=")
		if !ok {
			if value, ok = a.lookupEnv(name); !ok && envName.MatchString(name) {
				return usage("give it one: --env "+name+"=VALUE", "--env: %s has no value in the environment", name)
			}
		}
		e := entry{s, map[string]any{name: value}, source{origin: fromFlag, name: "--env"}}
		if err := c.apply([]entry{e}); err != nil {
			return err
		}
	}
	return nil
}

// talkFlags say how much is printed while a loop runs.
type talkFlags struct {
	answer
	Quiet   bool `short:"q" more:"" help:"Print no iterations."`
	Verbose bool `short:"v" more:"" help:"Print each git and agent command."`
}

// AfterApply tells app how much to say.
func (f talkFlags) AfterApply(a *app) error {
	a.quiet, a.verbose = f.Quiet, f.Verbose
	return nil
}
