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
	Command           string   `short:"c" group:"The agent" placeholder:"\"PROG ARGS\"" help:"The agent: any program, with its arguments." detail:"They are split as a shell would, but no shell runs and nothing is expanded. What follows -- is taken as it stands."`
	Agent             string   `aliases:"backend" group:"The agent" placeholder:"NAME" help:"A known agent (default: the one installed)." detail:"It is called the right way, and what it says of tokens, cost and limits is read. Of several that are installed, the first known one is taken."`
	Yolo              bool     `group:"The agent" help:"Let a known agent write and run unattended." detail:"The same as --permissions all."`
	Verify            []string `sep:"none" group:"When it is done" placeholder:"COMMAND" help:"Must agree that it is done; again for more." detail:"Each runs through sh -c, in this order, on exactly the tree that is committed. '' takes back what a file says."`
	CompletionPromise string   `group:"When it is done" placeholder:"WORD" help:"Its word when it is done." detail:"'' is none. The agent writes <promise>WORD</promise> on a line of its own. Without one, exit code 0 is success."`
	MaxIterations     string   `short:"m" group:"Limits" placeholder:"N" help:"Stop after N iterations." detail:"In the loop's life, whoever runs it."`
	Timeout           string   `group:"Limits" placeholder:"TIME" help:"Of one iteration: 90s, 10m." detail:"Longest time for the agent; a bare number is seconds, 0 is no limit."`
	MaxCost           string   `group:"Limits" placeholder:"USD" help:"Stop when all iterations cost so much." detail:"Refused for an agent that does not tell its costs."`
	ScudTag           string   `group:"SCUD plans" placeholder:"TAG" help:"Work through a SCUD plan, wave by wave." detail:"An iteration is one attempt at one task. No promise is asked for; --verify must agree, or what the project's own files tell."`
	Push              bool     `negatable:"" group:"Other clones" help:"Push it after every iteration." detail:"Then any clone can go on with it."`

	PromptMode       string   `more:"" group:"The agent" placeholder:"arg|stdin|env|file|none" help:"How the prompt reaches the agent." detail:"arg: the last argument, or where {prompt} stands; stdin; env: in $PROMPT; file: its path is the last argument and in $PROMPT_FILE; none."`
	Model            string   `more:"" group:"The agent" placeholder:"NAME" help:"Which model a known agent uses."`
	Permissions      string   `more:"" group:"The agent" placeholder:"all" help:"all: a known agent may write and run commands unattended."`
	Env              []string `more:"" sep:"none" group:"The agent" placeholder:"NAME=VALUE" help:"A variable for the agent; again for more." detail:"NAME alone takes the value from the environment. Names are recorded, values never."`
	Grace            string   `more:"" group:"The agent" placeholder:"TIME" help:"Between TERM and KILL when the agent is ended."`
	MaxRetries       string   `more:"" group:"The agent" placeholder:"N" help:"Passing failures of the agent in a row that are waited out."`
	PromiseMatch     string   `more:"" group:"When it is done" placeholder:"tag|plain" help:"plain: the promise's word alone counts too, whatever its case."`
	VerifyWhen       string   `more:"" group:"When it is done" placeholder:"promise|always" help:"always: verify after every iteration, not only when the promise stands."`
	VerifyTimeout    string   `more:"" group:"When it is done" placeholder:"TIME" help:"Longest time for each verify command."`
	StallTimeout     string   `more:"" group:"Limits" placeholder:"TIME" help:"End an agent that prints nothing, changes no file and computes nothing for so long."`
	MaxDuration      string   `more:"" group:"Limits" placeholder:"TIME" help:"Longest time of all iterations together, waits included."`
	MaxFailures      string   `more:"" group:"Limits" placeholder:"N" help:"Stop after N failed iterations in a row."`
	NoProgress       string   `more:"" group:"Limits" placeholder:"N" help:"Stop after N completed iterations in a row that brought nothing."`
	MaxTokens        string   `more:"" group:"Limits" placeholder:"N" help:"Stop when all iterations used so many tokens, cached ones aside."`
	AllowUnknownCost bool     `more:"" negatable:"" group:"Limits" help:"Accept --max-cost or --max-tokens although the agent may not tell."`
	MaxAttempts      string   `more:"" group:"SCUD plans" placeholder:"N" help:"Iterations for one task before it is blocked."`
	OnBlocked        string   `more:"" group:"SCUD plans" placeholder:"set-aside|keep" help:"What becomes of the work on a task that is given up." detail:"set-aside: a commit takes it back, the attempts stay in history."`
	SkipBroken       bool     `more:"" negatable:"" group:"SCUD plans" help:"Of a plan with cycles or missing tasks run what can be run."`
	PromptTemplate   bool     `more:"" negatable:"" group:"The prompt" help:"The prompt is a Go text/template with .Iteration .Max .Loop .Summary."`
	IterationContext bool     `more:"" negatable:"" group:"The prompt" help:"Tell the agent what earlier iterations did."`
	MaxContextTokens string   `more:"" group:"The prompt" placeholder:"N" help:"How long --iteration-context may get."`
	Subject          string   `more:"" group:"Commits" placeholder:"TEMPLATE" help:"Subject of an iteration's commit." detail:"Filled in: {iteration} {max} {loop} {status} {summary} {task} {wave}."`
	MaxFileSize      string   `more:"" group:"Commits" placeholder:"SIZE" help:"Larger new files are left out of commits, and named: 20MB, 5MiB."`
	Allow            []string `more:"" sep:"none" group:"Commits" placeholder:"PATTERN" help:"New files that are never left out; again for more."`
	Dirty            string   `more:"" group:"Where it works" placeholder:"refuse|include" help:"include: commit uncommitted work on the loop branch first."`
	Remote           string   `more:"" group:"Other clones" placeholder:"NAME" help:"Where --push pushes to (default: as git push chooses)."`
	AutoCommit       bool     `hidden:"" negatable:"" help:"Accepted; every iteration is a commit anyway."`

	Spec specFlags `embed:""`

	given []entry // what was typed, in the order of the command line
}

// specFlags say what is told beside the prompt.
type specFlags struct {
	Plan          string   `more:"" group:"SCUD plans" placeholder:"FILE" help:"Markdown; the agent of a task gets the section that speaks of it."`
	SpecTemplate  string   `more:"" group:"SCUD plans" placeholder:"FILE" help:"How to arrange what the agent of a task is told." detail:"{task} {plan} {custom} {verification} are filled in; how to end a task follows."`
	IncludeTask   bool     `more:"" negatable:"" group:"SCUD plans" help:"Tell the agent of a task more of it than id and title."`
	IncludePlan   bool     `more:"" name:"include-plan-section" negatable:"" group:"SCUD plans" help:"Tell the agent of a task what the plan says of it."`
	SpecFile      []string `more:"" sep:"none" group:"The prompt" placeholder:"FILE" help:"Every agent is told what it says; again for more." detail:"It is read again for each prompt."`
	Handoff       string   `more:"" group:"The prompt" placeholder:"FILE" help:"The first prompt after a start or a resume tells what it says."`
	MaxSpecTokens string   `more:"" group:"The prompt" placeholder:"N" help:"Warn when prompt or task, with all files, are longer."`
}

// AfterApply notes which settings were typed.
func (f *loopFlags) AfterApply(k *kong.Context, a *app) error {
	f.given = givenIn(k)
	if a.hasArgv {
		return f.addArgv(a.argv)
	}
	return nil
}

// givenIn finds the settings that were typed, but for variables.
func givenIn(k *kong.Context) []entry {
	var given []entry
	for _, path := range k.Path {
		if path.Flag == nil || path.Flag.Name == "env" {
			continue
		}
		name, value := path.Flag.Name, path.Flag.Target.Interface()
		if name == "yolo" {
			name, value = "permissions", string(permissionsAll)
		}
		s, ok := findSetting(func(s setting) bool { return s.flag != "" && s.flag == name })
		if !ok || slices.ContainsFunc(given, func(e entry) bool { return e.setting.key == s.key }) {
			continue
		}
		given = append(given, entry{s, value, source{origin: fromFlag, name: "--" + s.flag}})
	}
	return given
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
			if value, ok = a.lookupEnv(name); !ok && envName().MatchString(name) {
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
	Quiet   bool `short:"q" more:"" group:"This command" help:"Print no iterations."`
	Verbose bool `short:"v" more:"" group:"This command" help:"Print each git and agent command, and what the agent does."`
	Watch   bool `more:"" group:"This command" help:"Watch it on the whole screen, as git ralph watch does."`
}

// AfterApply tells app how much to say.
func (f talkFlags) AfterApply(a *app) error {
	a.quiet, a.verbose, a.onScreen = f.Quiet, f.Verbose, f.Watch
	switch {
	case !f.Watch:
		return nil
	case f.JSON || f.Verbose:
		return usage("leave one of them out", "--watch takes the whole screen: nothing can be printed beside it, and --json and -v print")
	}
	return a.canWatch()
}
