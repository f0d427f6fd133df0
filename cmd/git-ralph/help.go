package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/manual"
)

// helpWidth is how wide a help is: no terminal is narrower, and wider lines are hard to read.
const helpWidth = 80

// help prints what a command takes; nil: what commands there are. A whole help has all of it, and need not fit a screen.
func (a *app) help(model, command *kong.Node, whole bool) error {
	text := ""
	switch {
	case command == nil && whole:
		text = helpAllCommands(model)
	case command == nil:
		text = helpCommands(model)
	case whole:
		text = commandPage(command).Text(helpWidth)
	default:
		text = helpCommand(command)
	}
	_, err := fmt.Fprint(a.stdout, text)
	return err
}

// helpHead is how a help of all commands begins.
const helpHead = `usage: git ralph COMMAND [ARGUMENTS]

Run a coding agent until its work is done and checked, one commit an iteration.
`

// helpCommands shows the common commands, and names the others.
func helpCommands(model *kong.Node) string {
	var common, others [][]string
	for _, g := range groupsOf(model.Children, commandGroup) {
		var names []string
		for _, c := range g.members {
			if c.Tag.Has("common") {
				common = append(common, []string{"  " + c.Name, c.Help})
			} else {
				names = append(names, c.Name)
			}
		}
		if len(names) > 0 {
			others = append(others, []string{strings.ToLower(g.title) + ":", strings.Join(names, " ")})
		}
	}
	return helpHead + "\n" + table(common) + "\n" + table(others) + "\n" + table([][]string{
		{"more:", "git ralph COMMAND -h for one of them, git ralph help for all"},
		{"example:", modelExample},
	})
}

// modelExample is the example of all commands.
const modelExample = `git ralph start "make the tests pass" --verify "make test"`

// helpAllCommands shows every command, by group.
func helpAllCommands(model *kong.Node) string {
	var b strings.Builder
	b.WriteString(helpHead)
	for _, g := range groupsOf(model.Children, commandGroup) {
		fmt.Fprintf(&b, "\n%s\n", g.title)
		for _, c := range g.members {
			fmt.Fprintf(&b, "  %-10s  %s\n", c.Name, c.Help)
		}
	}
	b.WriteString("\n" + table([][]string{
		{"more:", "git ralph help COMMAND for all of one, git ralph man for the rest"},
		{"example:", modelExample},
	}))
	return b.String()
}

// helpCommand shows what a command takes, on one screen.
func helpCommand(c *kong.Node) string {
	var b strings.Builder
	fmt.Fprintf(&b, "usage: %s\n\n%s\n", usageOf(c), manual.Wrap(c.Help, helpWidth))
	if legend := c.Tag.Get("legend"); legend != "" {
		b.WriteString(manual.Wrap(legend, helpWidth) + "\n")
	}
	var rows [][]string
	left := 0
	for _, f := range shownFlags(c.Flags) {
		switch {
		case f.Tag.Has("more"):
			left++
		default:
			rows = append(rows, []string{"  " + flagForm(f, true), flagHelp(f)})
		}
	}
	if len(rows) > 0 {
		b.WriteString("\n" + table(rows))
	}
	b.WriteString("\n")
	if left > 0 {
		fmt.Fprintf(&b, "more:    git ralph help %s (%s)\n", c.Name, counted(left, "other flag"))
	}
	if example := c.Tag.Get("example"); example != "" {
		fmt.Fprintf(&b, "example: %s\n", example)
	}
	return b.String()
}

// usageOf is how a command is typed.
func usageOf(c *kong.Node) string {
	text := "git ralph " + c.Name
	for _, p := range c.Positional {
		name := strings.ToUpper(p.Name)
		if words := p.EnumSlice(); p.Enum != "" {
			name = strings.Join(words, "|")
		}
		if !p.Required && !p.Tag.Has("needed") {
			name = "[" + name + "]"
		}
		text += " " + name
	}
	if len(c.Flags) > 0 {
		text += " [FLAGS]"
	}
	if c.Tag.Has("argv") {
		text += " [-- " + c.Tag.Get("argv") + "]"
	}
	return text
}

// table puts rows of two columns below each other; the second one is filled into lines.
func table(rows [][]string) string {
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(r[0]))
	}
	var b strings.Builder
	for _, r := range rows {
		lines := strings.Split(manual.Wrap(r[1], helpWidth-wide-2), "\n")
		fmt.Fprintf(&b, "%-*s  %s\n", wide, r[0], lines[0])
		for _, line := range lines[1:] {
			fmt.Fprintf(&b, "%-*s  %s\n", wide, "", line)
		}
	}
	return b.String()
}
