package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// badUsage puts an error of kong's into our form.
func badUsage(err error) error {
	if p, ok := errors.AsType[*problem](err); ok { // from a hook of ours
		return p
	}
	parse, ok := errors.AsType[*kong.ParseError](err)
	if !ok || parse.Context == nil || parse.Context.Selected() == nil {
		return &problem{status: 129, text: err.Error(), hints: []string{"git ralph -h"}, cause: err}
	}
	p := &problem{status: 129, text: err.Error()}
	if choice := badChoice(parse.Context); choice != nil {
		p = choice
	} else if missing := missingArgument(parse.Context); missing != nil {
		p = missing
	}
	p.hints, p.cause = append(p.hints, wholeName(parse.Context.Selected())+" -h"), err
	return p
}

// badChoice says that an argument or flag is none of the words that it may be; nil: that is not what is wrong.
func badChoice(k *kong.Context) *problem {
	if k == nil {
		return nil
	}
	for _, path := range k.Path {
		value := path.Positional
		if path.Flag != nil {
			value = path.Flag.Value
		}
		if value == nil || value.Enum == "" {
			continue
		}
		typed, words := fmt.Sprint(k.Value(path)), value.EnumSlice()
		if slices.Contains(words, typed) {
			continue
		}
		p := &problem{status: 129, text: fmt.Sprintf("%q is none of: %s", typed, strings.Join(words, " "))}
		if near := closest(typed, words); near != "" {
			p.hints = []string{"did you mean: " + near}
		}
		return p
	}
	return nil
}

// missingArgument says what a command cannot do without; nil: nothing is missing.
func missingArgument(k *kong.Context) *problem {
	if k == nil || k.Selected() == nil {
		return nil
	}
	node := k.Selected()
	for _, argument := range node.Positional {
		given := slices.ContainsFunc(k.Path, func(p *kong.Path) bool { return p.Positional == argument })
		if given || !argument.Required {
			continue
		}
		p := &problem{status: 129, text: fmt.Sprintf("%s needs %s", wholeName(node), strings.ToUpper(argument.Name))}
		if words := choiceOf(argument); len(words) > 0 {
			p.text = fmt.Sprintf("%s needs one of: %s", wholeName(node), strings.Join(words, " "))
		}
		return p
	}
	return nil
}
