package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpWidth is how wide a help is: no terminal is narrower, and wider lines are hard to read.
const helpWidth = 80

// help prints what a command takes; nil: what commands there are.
func (a *app) help(model, command *kong.Node) error {
	var text strings.Builder
	if command == nil {
		helpCommands(&text, model)
	} else {
		helpCommand(&text, command)
	}
	_, err := fmt.Fprint(a.stdout, text.String())
	return err
}

func helpCommands(text *strings.Builder, model *kong.Node) {
	text.WriteString("usage: git ralph COMMAND [ARGUMENTS]\n\nRun a coding agent until its work is done and checked. Every iteration is a commit.\n\n")
	for _, c := range model.Children {
		if !c.Hidden {
			fmt.Fprintf(text, "  %-9s %s\n", c.Name, c.Help)
		}
	}
	text.WriteString("\nmore: git ralph COMMAND -h\n\nexample: git ralph start \"make the tests pass\" --command \"claude -p\" --verify \"go test ./...\"\n")
}

func helpCommand(text *strings.Builder, c *kong.Node) {
	fmt.Fprintf(text, "usage: git ralph %s%s\n\n%s\n", c.Name, helpArguments(c), c.Help)
	if legend := c.Tag.Get("legend"); legend != "" {
		text.WriteString(legend + "\n")
	}
	var rows [][2]string
	var more []string
	for _, f := range c.Flags {
		switch {
		case f.Hidden:
		case f.Tag.Has("more"):
			more = append(more, flagForm(f))
		default:
			rows = append(rows, [2]string{flagForm(f), flagHelp(f)})
		}
	}
	if len(rows) > 0 {
		text.WriteString("\n")
	}
	wide := 0
	for _, r := range rows {
		wide = max(wide, len(r[0]))
	}
	for _, r := range rows {
		indent := "  "
		if strings.HasPrefix(r[0], "--") {
			indent = "      "
		}
		fmt.Fprintf(text, "%-*s  %s\n", wide+6, indent+r[0], r[1])
	}
	if len(more) > 0 {
		fmt.Fprintf(text, "\nmore: %s\n", wrap(more, helpWidth, "      "))
	}
	if example := c.Tag.Get("example"); example != "" {
		fmt.Fprintf(text, "\nexample: %s\n", example)
	}
}

// helpArguments shows what follows the command's name.
func helpArguments(c *kong.Node) string {
	var text string
	for _, p := range c.Positional {
		name := strings.ToUpper(p.Name)
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

// flagForm shows how a flag is written.
func flagForm(f *kong.Flag) string {
	form := "--" + f.Name
	if f.Tag.Negatable != "" {
		form = "--[no-]" + f.Name
	}
	if f.Short != 0 {
		form = "-" + string(f.Short) + ", " + form
	}
	if !f.IsBool() && f.PlaceHolder != "" {
		form += " " + f.PlaceHolder
	}
	return form
}

// flagHelp is the flag's help, with the value that counts when it is not given.
func flagHelp(f *kong.Flag) string {
	s, ok := findSetting(func(s setting) bool { return s.flag == f.Name })
	if !ok || f.IsBool() {
		return f.Help
	}
	value := fmt.Sprint(s.show(newChoices()))
	if value == "" || value == "0" || value == "[]" {
		return f.Help
	}
	if strings.Contains(f.Help, "(default: ") {
		return f.Help // it says itself what is taken
	}
	return strings.TrimSuffix(f.Help, ".") + " (default: " + value + ")."
}

// wrap puts words, which are not broken, into lines; all but the first are indented, and the first has that much less
// room.
func wrap(words []string, width int, indent string) string {
	var text strings.Builder
	column := len(indent)
	for i, w := range words {
		if i > 0 {
			if column+1+len(w) > width {
				text.WriteString("\n" + indent)
				column = len(indent)
			} else {
				text.WriteString("  ")
				column += 2
			}
		}
		text.WriteString(w)
		column += len(w)
	}
	return text.String()
}
