package main

import (
	"context"
	"strings"

	"github.com/alecthomas/kong"
)

// completeCommand is the hidden command that shells ask; the scripts that git ralph completion prints call it.
const completeCommand = "__complete"

// completeCmd says what a word on the command line can become. It answers with one candidate a line, and after a tab
// what it is; a line ":files" or ":folders" leaves it to the shell to look there. What goes wrong is nothing to tell
// somebody who types: there are no candidates then.
type completeCmd struct{}

// Run answers for the words after --, the last of which is being typed.
func (completeCmd) Run(ctx context.Context, k *kong.Context, a *app) error {
	words := a.argv
	if len(words) == 0 {
		words = []string{""}
	}
	c := completion{ctx: ctx, app: a, model: k.Model.Node, given: map[string]string{}, seen: map[string]bool{}}
	for _, one := range c.candidates(words[:len(words)-1], words[len(words)-1]) {
		if visible(one.word) != one.word {
			continue // whoever named something so does not get it onto anybody's command line
		}
		line := one.word
		if one.about != "" {
			line += "\t" + flat(one.about)
		}
		if err := a.print("%s", line); err != nil {
			return err
		}
	}
	return nil
}

// candidate is a word that can stand there, and what it is.
type candidate struct{ word, about string }

// What a shell is to look for itself.
var (
	lookForFiles   = []candidate{{word: ":files"}}
	lookForFolders = []candidate{{word: ":folders"}}
)

// completion is what is known of a command line that is being typed.
type completion struct {
	ctx   context.Context
	app   *app
	model *kong.Node

	command *kong.Node        // nil: not typed yet
	help    bool              // a command's name follows, as after the word help
	waiting *kong.Flag        // whose value comes next; nil: none
	place   int               // how many arguments there are already
	given   map[string]string // values of flags and arguments, by name
	seen    map[string]bool   // flags
	argv    bool              // what comes is the agent's, or git's
}

// candidates says what the word that is being typed can become, after the ones that stand there.
func (c *completion) candidates(before []string, word string) []candidate {
	for _, w := range before {
		c.read(w)
	}
	name, value, hasValue := strings.Cut(word, "=")
	switch {
	case c.argv:
		return lookForFiles
	case c.waiting != nil:
		return startingWith(word, c.valuesOf(c.waiting.Value))
	case c.command == nil && !strings.HasPrefix(word, "-"):
		return startingWith(word, c.commands())
	case strings.HasPrefix(word, "--") && hasValue:
		return c.flagValues(name, value)
	case strings.HasPrefix(word, "-"):
		return startingWith(word, c.flags())
	case c.place < len(c.command.Positional):
		return startingWith(word, c.valuesOf(c.command.Positional[c.place]))
	}
	return nil
}

// read takes in a word that stands on the command line.
func (c *completion) read(word string) {
	node := c.node()
	name, value, hasValue := strings.Cut(strings.TrimPrefix(word, "--"), "=")
	switch {
	case c.argv:
	case c.waiting != nil:
		c.given[c.waiting.Name] = word
		c.waiting = nil
	case word == "--":
		c.argv = true
	case strings.HasPrefix(word, "--"):
		flag := findFlag(node, func(f *kong.Flag) bool { return answersTo(f, name) })
		c.readFlag(flag, value, hasValue)
	case len(word) > 1 && word[0] == '-':
		flag := findFlag(node, func(f *kong.Flag) bool { return string(f.Short) == word[1:2] })
		c.readFlag(flag, word[2:], len(word) > 2)
	case c.command == nil && !c.help && word == "help":
		c.help = true
	case c.command == nil:
		c.command = child(c.model, word)
		if c.command == nil || c.help {
			c.argv = true // nothing of ours can follow
		}
	case c.place < len(c.command.Positional):
		c.given[c.command.Positional[c.place].Name] = word
		c.place++
	}
}

// readFlag takes in a flag; nil: there is no such flag.
func (c *completion) readFlag(flag *kong.Flag, value string, hasValue bool) {
	switch {
	case flag == nil:
	case flag.IsBool() || hasValue:
		c.seen[flag.Name] = true
		c.given[flag.Name] = value
	default:
		c.seen[flag.Name] = true
		c.waiting = flag
	}
}

// node is the command, or all of them.
func (c *completion) node() *kong.Node {
	if c.command != nil {
		return c.command
	}
	return c.model
}

// commands are those that can be typed.
func (c *completion) commands() []candidate {
	var all []candidate
	for _, n := range c.model.Children {
		if !n.Hidden {
			all = append(all, candidate{n.Name, n.Help})
		}
	}
	if !c.help {
		all = append(all, candidate{"help", "Show all that a command takes."})
	}
	return all
}

// flags are those that can still be typed: one that is given counts once, unless it is a list.
func (c *completion) flags() []candidate {
	var all []candidate
	for _, f := range allFlags(c.node()) {
		if c.seen[f.Name] && !f.IsSlice() {
			continue
		}
		all = append(all, candidate{"--" + f.Name, f.Help})
		if f.Tag.Negatable != "" {
			all = append(all, candidate{"--no-" + f.Name, "Not: " + f.Help})
		}
	}
	return all
}

// flagValues are the values of a flag that is typed as --name=value.
func (c *completion) flagValues(name, value string) []candidate {
	flag := findFlag(c.node(), func(f *kong.Flag) bool { return answersTo(f, name[2:]) })
	if flag == nil || flag.IsBool() {
		return nil
	}
	values := startingWith(value, c.valuesOf(flag.Value))
	for i := range values {
		if !strings.HasPrefix(values[i].word, ":") {
			values[i].word = name + "=" + values[i].word
		}
	}
	return values
}

// startingWith leaves the candidates that the word can become. A shell's own places are left to it.
func startingWith(word string, all []candidate) []candidate {
	var some []candidate
	for _, one := range all {
		if strings.HasPrefix(one.word, word) || strings.HasPrefix(one.word, ":") {
			some = append(some, one)
		}
	}
	return some
}
