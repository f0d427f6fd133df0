package main

import (
	"embed"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/manual"
)

// manualTexts say what flags do not: one file for each command that needs it, and git-ralph.txt for the whole. Their
// form is that of manual.Parse.
//
//go:embed manual
var manualTexts embed.FS

// manualText is what is written of a page; nothing: all there is to say is in the flags.
func manualText(name string) []manual.Section {
	text, err := manualTexts.ReadFile("manual/" + name + ".txt")
	if err != nil {
		return nil
	}
	return manual.Parse(string(text))
}

// modelPage is git-ralph(1).
func modelPage(model *kong.Node) *manual.Page {
	p := &manual.Page{Name: "git-ralph", Summary: "run a coding agent until its work is done and checked"}
	p.Sections = append(p.Sections, manual.Section{Title: "SYNOPSIS", Blocks: []manual.Block{{Text: "`git ralph` COMMAND [ARGUMENTS]"}}})
	commands := manual.Section{Title: "COMMANDS"}
	for _, g := range groupsOf(model.Children, commandGroup) {
		commands.Blocks = append(commands.Blocks, manual.Block{Kind: manual.Heading, Text: g.title})
		for _, c := range g.members {
			commands.Blocks = append(commands.Blocks, manual.Block{Kind: manual.Definition, Term: "`" + c.Name + "`", Text: c.Help})
		}
	}
	for i, s := range manualText("git-ralph") {
		if s.Title == "" {
			s.Title = "DESCRIPTION"
		}
		p.Sections = append(p.Sections, s)
		if i == 0 {
			p.Sections = append(p.Sections, commands)
		}
	}
	return p
}

// commandPage is the page of a command.
func commandPage(c *kong.Node) *manual.Page {
	p := &manual.Page{Name: "git-ralph-" + c.Name, Summary: summary(c.Help)}
	p.Sections = append(p.Sections, manual.Section{Title: "SYNOPSIS", Blocks: []manual.Block{{Text: "`git ralph " + c.Name + "`" + strings.TrimPrefix(usageOf(c), "git ralph "+c.Name)}}})
	description := manual.Section{Title: "DESCRIPTION", Blocks: []manual.Block{{Text: c.Help}}}
	if legend := c.Tag.Get("legend"); legend != "" {
		description.Blocks = append(description.Blocks, manual.Block{Text: legend})
	}
	written := manualText(c.Name)
	if len(written) > 0 && written[0].Title == "" {
		description.Blocks = append(description.Blocks, written[0].Blocks...)
		written = written[1:]
	}
	p.Sections = append(p.Sections, description)
	p.Sections = append(p.Sections, argumentSections(c)...)
	p.Sections = append(p.Sections, written...)
	if example := c.Tag.Get("example"); example != "" {
		examples := p.Section("EXAMPLES")
		if examples == nil {
			p.Sections = append(p.Sections, manual.Section{Title: "EXAMPLES"})
			examples = &p.Sections[len(p.Sections)-1]
		}
		examples.Blocks = append([]manual.Block{{Kind: manual.Verbatim, Text: example}}, examples.Blocks...)
	}
	p.Sections = append(p.Sections, manual.Section{Title: "SEE ALSO", Blocks: []manual.Block{{Text: "`git-ralph`(1): exit statuses, environment, files, refs."}}})
	return p
}

// summary is a help as it stands after a name: no sentence.
func summary(help string) string {
	return strings.ToLower(help[:1]) + strings.TrimSuffix(help[1:], ".")
}

// argumentSections say what a command's arguments and flags are.
func argumentSections(c *kong.Node) []manual.Section {
	var sections []manual.Section
	arguments := manual.Section{Title: "ARGUMENTS"}
	for _, a := range c.Positional {
		arguments.Blocks = append(arguments.Blocks, manual.Block{Kind: manual.Definition, Term: strings.ToUpper(a.Name), Text: a.Help})
	}
	if argv := c.Tag.Get("argv"); argv != "" {
		text := "The agent, as it stands: no shell runs, nothing is split."
		if c.Name == "diff" {
			text = "Only what changed there."
		}
		arguments.Blocks = append(arguments.Blocks, manual.Block{Kind: manual.Definition, Term: "`--` " + argv, Text: text})
	}
	if len(arguments.Blocks) > 0 {
		sections = append(sections, arguments)
	}
	flags := manual.Section{Title: "FLAGS"}
	groups := groupsOf(allFlags(c), flagGroup)
	for _, g := range groups {
		switch {
		case g.title != "":
			flags.Blocks = append(flags.Blocks, manual.Block{Kind: manual.Heading, Text: g.title})
		case len(groups) > 1:
			flags.Blocks = append(flags.Blocks, manual.Block{Kind: manual.Heading, Text: "Others"})
		}
		for _, f := range g.members {
			flags.Blocks = append(flags.Blocks, flagBlock(f))
		}
	}
	return append(sections, flags)
}

// allFlags are the flags of a command, those that every command has last.
func allFlags(c *kong.Node) []*kong.Flag {
	var all []*kong.Flag
	for n := c; n != nil; n = n.Parent {
		all = append(all, shownFlags(n.Flags)...)
	}
	return all
}

// flagBlock explains a flag.
func flagBlock(f *kong.Flag) manual.Block {
	term, placeholder := flagForm(f, false), ""
	if f.PlaceHolder != "" {
		term, placeholder, _ = strings.Cut(term, " "+f.PlaceHolder)
		placeholder = " " + f.PlaceHolder + placeholder
	}
	text := flagHelp(f)
	if detail := f.Tag.Get("detail"); detail != "" {
		text += " " + detail
	}
	return manual.Block{Kind: manual.Definition, Term: "`" + term + "`" + placeholder, Text: text}
}
