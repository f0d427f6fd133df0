package agent

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// ErrNoCommand is returned by Invoke of the generic preset when the user gave no command.
var ErrNoCommand = errors.New("no command given")

// ErrPlaceholder is returned by Invoke for a placeholder in a prompt mode that puts nothing in its place.
var ErrPlaceholder = errors.New(PromptPlaceholder + " in an argument needs prompt mode arg or file")

// ErrPromptMode is returned by Invoke for a mode that there is not.
var ErrPromptMode = errors.New("unknown prompt mode")

// deliver adds to the command what brings the prompt to the program.
//
// The placeholder is replaced in every argument, as often as it stands there, but never in the program's name. When the
// arguments or the variable would be longer than [MaxArgPrompt] the prompt goes to standard input: an argument that is
// only the placeholder is left out then, and one that holds it among other text gets an empty string in its place.
// In mode none an argument that looks like the placeholder is the user's own text.
func deliver(command []string, mode PromptMode, r Request) (Invocation, error) {
	if len(command) == 0 || command[0] == "" {
		return Invocation{}, ErrNoCommand
	}
	call := Invocation{Argv: slices.Clone(command)}
	switch mode {
	case PromptArg:
		return inArguments(call, r), nil
	case PromptFile:
		call.Argv = fill(command, r.PromptFile)
		call.Env = []string{"PROMPT_FILE=" + r.PromptFile}
		return call, nil
	case PromptNone:
		return call, nil
	case PromptStdin, PromptEnv:
		if holdsPlaceholder(command) {
			return Invocation{}, fmt.Errorf("give the prompt in mode %s: %w", mode, ErrPlaceholder)
		}
	default:
		return Invocation{}, fmt.Errorf("give the prompt in mode %q: %w", mode, ErrPromptMode)
	}
	if mode == PromptEnv && len(r.Prompt) <= MaxArgPrompt {
		call.Env = []string{"PROMPT=" + r.Prompt}
		return call, nil
	}
	call.Stdin, call.Switched = r.PromptFile, mode == PromptEnv
	return call, nil
}

// inArguments puts the prompt into call's arguments, or on standard input when it is too long for them.
func inArguments(call Invocation, r Request) Invocation {
	if filledSize(call.Argv, len(r.Prompt)) <= MaxArgPrompt {
		call.Argv = fill(call.Argv, r.Prompt)
		return call
	}
	call.Stdin, call.Switched = r.PromptFile, true
	call.Argv = slices.DeleteFunc(call.Argv, func(argument string) bool { return argument == PromptPlaceholder })
	if holdsPlaceholder(call.Argv) {
		call.Argv = fill(call.Argv, "")
	}
	return call
}

// fill returns command with text at every placeholder, or as its last argument when there is none.
func fill(command []string, text string) []string {
	if !holdsPlaceholder(command) {
		return append(slices.Clone(command), text)
	}
	filled := slices.Clone(command)
	for i := range filled[1:] {
		filled[i+1] = strings.ReplaceAll(filled[i+1], PromptPlaceholder, text)
	}
	return filled
}

// filledSize is the length of the arguments that would hold a text of so many bytes.
func filledSize(command []string, text int) int {
	if !holdsPlaceholder(command) {
		return text
	}
	size := 0
	for _, argument := range command[1:] {
		if n := strings.Count(argument, PromptPlaceholder); n > 0 {
			size += len(argument) + n*(text-len(PromptPlaceholder))
		}
	}
	return size
}

// holdsPlaceholder reports whether an argument, the program's name aside, has a placeholder in it.
func holdsPlaceholder(command []string) bool {
	return slices.ContainsFunc(command[1:], func(argument string) bool { return strings.Contains(argument, PromptPlaceholder) })
}
