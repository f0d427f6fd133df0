package agent

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrModel is returned by Invoke for a model where none can be chosen.
var ErrModel = errors.New("a model cannot be chosen")

// ErrPromptSize is returned by Invoke for a prompt that is longer than the agent reads.
var ErrPromptSize = errors.New("the prompt is too long")

// product is an agent that is known: how it is called is a matter of data.
type product struct {
	name       string
	argv       []string                // program and arguments
	unattended []string                // arguments with permissions "all"
	modelFlag  string                  // argument before a model's name; empty: it has none
	bring      map[PromptMode][]string // what brings the prompt, as last arguments; nil: as for any program
	mode       PromptMode              // how the prompt comes if nothing else is asked for
	commands   bool                    // a prompt that begins with a slash is a command to it
	maxStdin   int                     // bytes of prompt that it reads; zero: no limit is known
	env        []string                // variables that it gets
	trusted    []string                // variables that it gets with permissions "all"
	unset      []string                // variables that it must not inherit
	output     string                  // format of what argv prints
	flags      []outputFlag            // which arguments of a user's own command choose which format
	grants     []string                // arguments by which it may edit files; nil: it may without any
	probe      Probe                   // how it is found
}

// outputFlag says which output format an argument chooses.
type outputFlag struct {
	flag   string // "--output-format"
	value  string // its value; empty: it has none
	output string
}

// Name implements [Preset].
func (p product) Name() string { return p.name }

// Invoke implements [Preset]. A command of the user's is taken as it is: only the prompt is brought to it.
func (p product) Invoke(r Request) (Invocation, error) {
	mode := cmp.Or(r.PromptMode, p.mode)
	if len(r.Command) > 0 {
		if r.Model != "" {
			return Invocation{}, fmt.Errorf("choose model %q: %w for a command of your own", r.Model, ErrModel)
		}
		call, err := deliver(r.Command, mode, r)
		call.Unset = p.unset
		return call, err
	}
	argv, err := p.arguments(r)
	if err != nil {
		return Invocation{}, err
	}
	call, err := p.deliver(argv, mode, r)
	if err != nil {
		return Invocation{}, err
	}
	if p.maxStdin > 0 && call.Stdin != "" && len(r.Prompt) > p.maxStdin {
		return Invocation{}, fmt.Errorf("give the prompt to %s: %w: it has %d bytes, and %s reads %d", p.name, ErrPromptSize, len(r.Prompt), p.name, p.maxStdin)
	}
	call.Env, call.Unset = append(call.Env, p.env...), p.unset
	if r.Permissions == "all" {
		call.Env = append(call.Env, p.trusted...)
	}
	return call, nil
}

// arguments are the product's own, without the prompt.
func (p product) arguments(r Request) ([]string, error) {
	if len(p.argv) == 0 {
		return nil, ErrNoCommand
	}
	argv := slices.Clone(p.argv)
	if r.Program != "" {
		argv[0] = r.Program
	}
	if r.Permissions == "all" {
		argv = append(argv, p.unattended...)
	}
	switch {
	case r.Model == "":
	case p.modelFlag == "":
		return nil, fmt.Errorf("choose model %q: %w for %s", r.Model, ErrModel, p.name)
	default:
		argv = append(argv, p.modelFlag, r.Model)
	}
	return argv, nil
}

// deliver brings the prompt in a mode that the product understands. A prompt that is too long for an argument comes in
// the product's own mode.
func (p product) deliver(argv []string, mode PromptMode, r Request) (Invocation, error) {
	if p.bring == nil {
		return deliver(argv, mode, r)
	}
	switched := mode == PromptArg && len(r.Prompt) > MaxArgPrompt
	if switched {
		mode = p.mode
	}
	last, ok := p.bring[mode]
	if !ok {
		return Invocation{}, fmt.Errorf("give the prompt to %s in mode %q: %w to it", p.name, mode, ErrPromptMode)
	}
	call, err := deliver(append(argv, last...), mode, r)
	call.Switched = switched && call.Stdin != ""
	return call, err
}

// Reader implements [Preset].
func (p product) Reader(r Request) Reader { return p.format(r).reader(r) }

// Tells implements [Preset].
func (p product) Tells(r Request) Telling { return p.format(r).tells }

// format is what the agent prints for a request.
func (p product) format(r Request) output {
	name := p.output
	if other, ok := known(r.Command); ok {
		name = other.chosen(r.Command)
	} else if len(r.Command) > 0 {
		name = p.chosen(r.Command)
	}
	found, err := findOutput(name)
	if err != nil {
		return outputs()[0] // text: what a product's data names is known
	}
	return found
}

// choosesOutput reports whether a command has a flag of the product's that chooses an output.
func (p product) choosesOutput(command []string) bool {
	return slices.ContainsFunc(command[1:], func(argument string) bool {
		name, _, _ := strings.Cut(argument, "=")
		return slices.ContainsFunc(p.flags, func(f outputFlag) bool { return f.flag == name })
	})
}

// chosen is the output format that the arguments of a user's own command choose: the last one counts.
func (p product) chosen(argv []string) string {
	chosen := outputText
	if p.output == outputAider {
		chosen = outputAider
	}
	for i, argument := range argv[1:] {
		if argument == "--" {
			break
		}
		name, value, joined := strings.Cut(argument, "=")
		if !joined && i+2 < len(argv) {
			value = argv[i+2]
		}
		for _, f := range p.flags {
			if name == f.flag && (value == f.value || f.value == "") {
				chosen = f.output
			}
		}
	}
	return chosen
}

// CannotEdit implements [Preset].
func (p product) CannotEdit(r Request) string {
	argv, way := p.argv, "--yolo allows everything"
	switch {
	case len(p.grants) == 0, len(r.Command) == 0 && r.Permissions == "all":
		return ""
	case len(r.Command) > 0:
		argv, way = r.Command, "add "+p.grants[0]+" to its command"
	}
	granted := slices.ContainsFunc(argv, func(argument string) bool {
		name, _, _ := strings.Cut(argument, "=")
		return slices.Contains(p.grants, name)
	})
	if granted {
		return ""
	}
	return p.name + " will not be able to edit files, because nobody is there to allow it: " + way
}
