package main

import (
	"errors"
	"reflect"
	"strconv"

	"github.com/alecthomas/kong"
)

// cli is the command line. Each command is a struct in a file of its own; the order here is the order of the help. Tags
// of ours: `common` commands are shown by git ralph -h with their help, the others of a group by name; `example` ends
// the help, `legend` stands below its first line, `argv` names what may follow "--". A flag that is `more` is left out
// by -h; `detail` goes on where its help ends, in the whole help and the manual page. `needed` shows an argument whose
// absence the command itself complains of.
type cli struct {
	Help helpFlag `short:"h" more:"" help:"Show help: -h on one screen, --help all of it."`

	Start  startCmd  `cmd:"" argv:"PROGRAM ARGS..." group:"Begin" common:"" help:"Start a loop." example:"git ralph start \"make the tests pass\" --verify \"make test\""`
	Resume resumeCmd `cmd:"" argv:"PROGRAM ARGS..." group:"Begin" common:"" help:"Go on with a loop; what is typed changes its configuration." example:"git ralph resume add-auth --max-iterations 40"`
	Demo   demoCmd   `cmd:"" group:"Begin" help:"Show a whole loop in a scratch repository, with a scripted agent." example:"git ralph demo --keep greet-demo"`

	Status statusCmd `cmd:"" group:"Look" common:"" help:"Show a loop at one glance." example:"git ralph status --json"`
	List   listCmd   `cmd:"" group:"Look" help:"Show all loops, one line each." example:"git ralph list"`
	Log    logCmd    `cmd:"" group:"Look" common:"" help:"Show a loop's iterations, newest first." legend:"Files: + created, ~ modified, - deleted, > renamed. Tests: passed of those that ran." example:"git ralph log --failed -n 5"`
	Show   showCmd   `cmd:"" group:"Look" help:"Show everything about one iteration." example:"git ralph show 3 --loop add-auth"`
	Diff   diffCmd   `cmd:"" argv:"PATHS..." group:"Look" help:"Show what an iteration, or the whole loop, changed." example:"git ralph diff 3 --stat -- src/"`
	Logs   logsCmd   `cmd:"" group:"Look" help:"Print the raw output of the agent." example:"git ralph logs -f --readable"`
	Watch  watchCmd  `cmd:"" group:"Look" common:"" help:"Watch a loop on the whole screen: history, output, keys to steer it." example:"git ralph watch add-auth"`
	Stats  statsCmd  `cmd:"" group:"Look" help:"Add up over loops: how many are done, iterations, time, tokens, cost." example:"git ralph stats --by agent"`
	Report reportCmd `cmd:"" group:"Look" help:"Write a loop down as one page to look at and to send." example:"git ralph report -o ../report.html"`
	Scud   scudCmd   `cmd:"" group:"Look" help:"Show a SCUD plan, or what a task's agent is told; retry a blocked task." example:"git ralph scud waves --graph"`

	Tell   tellCmd   `cmd:"" group:"Steer" common:"" help:"Tell the next iteration something, once." example:"git ralph tell \"use table tests\""`
	Pause  pauseCmd  `cmd:"" group:"Steer" help:"Pause a loop after the iteration at hand." example:"git ralph pause"`
	Cancel cancelCmd `cmd:"" group:"Steer" common:"" help:"End a loop after the iteration at hand, or now." example:"git ralph cancel --now add-auth"`

	Rewind rewindCmd `cmd:"" group:"History" common:"" help:"Make an earlier iteration the last one again; nothing is lost." example:"git ralph rewind 3"`
	Undo   undoCmd   `cmd:"" group:"History" help:"Take back the last rewind, undo or set-aside, or show what is kept." example:"git ralph undo --list"`
	Fork   forkCmd   `cmd:"" group:"History" help:"Begin another loop where an iteration was." example:"git ralph fork 3 --name other-way"`
	Land   landCmd   `cmd:"" group:"History" common:"" help:"Bring a loop's work home: onto the branch that it began on." example:"git ralph land --into main --squash"`
	Fsck   fsckCmd   `cmd:"" group:"History" help:"Look whether a loop is whole: its commits, trailers and notes." example:"git ralph fsck add-auth --repair"`
	Prune  pruneCmd  `cmd:"" group:"History" help:"Remove what is left of loops that have landed." example:"git ralph prune --dry-run"`

	Push   pushCmd   `cmd:"" group:"Other clones" help:"Push a loop: its branch, notes, and who may continue it." example:"git ralph push origin --loop add-auth"`
	Fetch  fetchCmd  `cmd:"" group:"Other clones" help:"Fetch the loops that a remote has, with their notes." example:"git ralph fetch"`
	Export exportCmd `cmd:"" group:"Other clones" help:"Print a loop as a loop-state.json, for other tools." example:"git ralph export add-auth"`
	Import importCmd `cmd:"" argv:"PROGRAM ARGS..." group:"Other clones" help:"Start a loop from a loop-state.json." example:"git ralph import loop-state.json --dry-run"`

	Init       initCmd       `cmd:"" group:"Set up" help:"Set up git for loops, and what you pick: settings, hooks, slash commands." example:"git ralph init --config --hooks --commands claude,opencode"`
	Config     configCmd     `cmd:"" group:"Set up" help:"Show each setting and where its value comes from." example:"git ralph config --json"`
	Trust      trustCmd      `cmd:"" group:"Set up" help:"Show what .ralph.toml or a loop wants to run, and remember your yes." example:"git ralph trust"`
	Hooks      hooksCmd      `cmd:"" group:"Set up" help:"Put checks before a push and marks of an agent's commits into git's hooks." example:"git ralph hooks install"`
	Completion completionCmd `cmd:"" group:"Set up" help:"Print what bash, zsh or fish need to complete command lines." example:"git ralph completion bash"`
	Doctor     doctorCmd     `cmd:"" group:"Set up" help:"Look whether everything that loops need is here." example:"git ralph doctor"`
	Man        manCmd        `cmd:"" group:"Set up" help:"Show the manual, or install its pages." example:"git ralph man --install"`
	Version    versionCmd    `cmd:"" group:"Set up" help:"Say which version this is." example:"git ralph version --json"`

	Hook      hookCmd      `cmd:"" hidden:"" argv:"ARGS..." help:"Be one of git's hooks."`
	Complete  completeCmd  `cmd:"" hidden:"" name:"__complete" argv:"WORDS..." help:"Say what a word can become."`
	DemoAgent demoAgentCmd `cmd:"" hidden:"" help:"Be the demo's agent."`
}

// answer is embedded in every command that answers.
type answer struct {
	JSON bool `name:"json" help:"Answer in JSON: one object on one line."`
}

// AfterApply tells app how to answer.
func (f answer) AfterApply(a *app) error {
	a.json = f.JSON
	return nil
}

// helpFlag prints the help and ends the parsing with errHelp.
type helpFlag bool

// errHelp says that the help was asked for and shown.
var errHelp = errors.New("help was shown")

// IgnoreDefault keeps kong from choosing a default command.
func (helpFlag) IgnoreDefault() {}

// BeforeReset shows the help before anything is found missing.
func (helpFlag) BeforeReset(k *kong.Context, a *app) error {
	if err := a.help(k.Model.Node, k.Selected(), a.wholeHelp); err != nil {
		return err
	}
	return errHelp
}

// parser builds the command line's grammar.
func (a *app) parser(grammar *cli) (*kong.Kong, error) {
	return kong.New(grammar, kong.Name("git ralph"), kong.NoDefaultHelp(), kong.Writers(a.stdout, a.stderr), kong.Bind(a), kong.Exit(func(int) {}),
		kong.WithHyphenPrefixedParameters(true), // a prompt may begin with a dash, as a list does
		kong.KindMapper(reflect.String, kong.MapperFunc(takeBytes)), kong.KindMapper(reflect.Int, kong.MapperFunc(takeNumber)))
}

// takeBytes takes a value as it was typed. kong's own way would quietly replace bytes that are not UTF-8: a file may be
// named so, and a prompt that is so is refused, not changed.
func takeBytes(k *kong.DecodeContext, target reflect.Value) error {
	token, err := k.Scan.PopValue("string")
	if err != nil {
		return err
	}
	target.SetString(token.String())
	return nil
}

// takeNumber takes a whole number.
func takeNumber(k *kong.DecodeContext, target reflect.Value) error {
	token, err := k.Scan.PopValue("number")
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(token.String())
	if err != nil {
		return usage("write a whole number, such as 3", "%q is no whole number", token)
	}
	target.SetInt(int64(n))
	return nil
}
