package main

import (
	"fmt"
	"strings"

	"github.com/alecthomas/kong"
)

// helpGroup is what belongs together in a help.
type helpGroup[T any] struct {
	title   string
	members []T
}

// groupsOf sorts into groups, which stand in the order of their first members. What has no group comes last, with what
// group answers for it.
func groupsOf[T any](all []T, group func(T) (title string, shown bool)) []helpGroup[T] {
	var groups []helpGroup[T]
	last := helpGroup[T]{}
next:
	for _, one := range all {
		title, shown := group(one)
		switch {
		case !shown:
			continue
		case title == "":
			last.members = append(last.members, one)
			continue
		}
		for i := range groups {
			if groups[i].title == title {
				groups[i].members = append(groups[i].members, one)
				continue next
			}
		}
		groups = append(groups, helpGroup[T]{title, []T{one}})
	}
	if len(last.members) > 0 {
		groups = append(groups, last)
	}
	return groups
}

// commandGroup is what a command belongs to.
func commandGroup(c *kong.Node) (title string, shown bool) {
	if c.Group == nil {
		return "Other commands", !c.Hidden
	}
	return c.Group.Title, !c.Hidden
}

// flagGroup is what a flag belongs to; empty: nothing.
func flagGroup(f *kong.Flag) (title string, shown bool) {
	if f.Group == nil {
		return "", true
	}
	return f.Group.Title, true
}

// shownFlags are the flags that are no secret; what every command answers to comes last.
func shownFlags(flags []*kong.Flag) []*kong.Flag {
	var first, last []*kong.Flag
	for _, f := range flags {
		switch {
		case f.Hidden:
		case f.Name == "json":
			last = append(last, f)
		default:
			first = append(first, f)
		}
	}
	return append(first, last...)
}

// flagForm shows how a flag is written; where such flags stand below each other, those without a letter leave its place
// free.
func flagForm(f *kong.Flag, aligned bool) string {
	form := "--" + f.Name
	if f.Tag.Negatable != "" {
		form = "--[no-]" + f.Name
	}
	switch {
	case f.Short != 0:
		form = "-" + string(f.Short) + ", " + form
	case aligned:
		form = "    " + form
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
