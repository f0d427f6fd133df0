package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// checkNames looks for commands and flags that do not exist, and suggests what was meant; and for a flag at the end that
// lacks its value.
func checkNames(model *kong.Node, args []string) error {
	node, hasValue := model, false
	var waiting *kong.Flag // its value comes next
	for _, arg := range args {
		flag, err := (*kong.Flag)(nil), error(nil)
		name, isLong := strings.CutPrefix(arg, "--")
		switch {
		case waiting != nil:
			waiting = nil
			continue
		case isLong:
			name, _, hasValue = strings.Cut(name, "=")
			flag, err = checkFlag(node, name)
		case len(arg) == 2 && arg[0] == '-':
			hasValue = false
			flag, err = checkLetter(node, arg)
		case node == model && !strings.HasPrefix(arg, "-"):
			if node = child(model, arg); node == nil {
				err = unknownCommand(model, "git ralph ", arg)
			}
		}
		if err != nil {
			return err
		}
		if flag != nil && !flag.IsBool() && !hasValue {
			waiting = flag
		}
	}
	if waiting != nil {
		return usage(wholeName(node)+" -h", "--%s needs a value: %s", waiting.Name, waiting.PlaceHolder)
	}
	return nil
}

// checkLetter returns the flag with that letter, such as "-m".
func checkLetter(node *kong.Node, letter string) (*kong.Flag, error) {
	flag := findFlag(node, func(f *kong.Flag) bool { return string(f.Short) == letter[1:] })
	if flag == nil {
		return nil, usage("see which there are: "+wholeName(node)+" -h", "%s has no flag %s", wholeName(node), letter)
	}
	return flag, nil
}

// wholeName is how a command is typed, without arguments.
func wholeName(node *kong.Node) string {
	if node.Parent == nil {
		return "git ralph"
	}
	return "git ralph " + node.Name
}

// findFlag returns the first of a command's flags that matches; nil: none does.
func findFlag(node *kong.Node, match func(*kong.Flag) bool) *kong.Flag {
	for _, group := range node.AllFlags(false) {
		for _, f := range group {
			if match(f) {
				return f
			}
		}
	}
	return nil
}

func child(node *kong.Node, name string) *kong.Node {
	for _, c := range node.Children {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// unknownCommand says which one was probably meant: that is typed after what stands before it.
func unknownCommand(model *kong.Node, before, name string) error {
	var names []string
	for _, c := range model.Children {
		if !c.Hidden {
			names = append(names, c.Name)
		}
	}
	if near := closest(name, names); near != "" {
		return usage("did you mean: "+before+near, "%q is no command of git ralph", name)
	}
	return usage("see which there are: git ralph -h", "%q is no command of git ralph", name)
}

// checkFlag returns the flag with that long name, or says which was probably meant.
func checkFlag(node *kong.Node, name string) (*kong.Flag, error) {
	var names []string
	flag := findFlag(node, func(f *kong.Flag) bool {
		if !f.Hidden {
			names = append(names, flagNames(f)...)
		}
		return answersTo(f, name)
	})
	if flag != nil {
		return flag, nil
	}
	whole := wholeName(node)
	p := &problem{status: 129, text: fmt.Sprintf("%s has no flag --%s", whole, name)}
	if near := closest(name, names); near != "" {
		p.hints = append(p.hints, "did you mean: --"+near)
	}
	p.hints = append(p.hints, "see which there are: "+whole+" -h")
	return nil, p
}

// oneOf is the hint for a word that is none of the right ones.
func oneOf(word string, words []string) string {
	if near := closest(word, words); near != "" {
		return "did you mean: " + near
	}
	return "write one of: " + strings.Join(words, " ")
}

// flagNames are the long names of a flag.
func flagNames(f *kong.Flag) []string {
	names := append([]string{f.Name}, f.Aliases...)
	if f.Tag.Negatable != "" {
		names = append(names, "no-"+f.Name)
	}
	return names
}

// answersTo reports whether that is a long name of the flag.
func answersTo(f *kong.Flag, name string) bool { return slices.Contains(flagNames(f), name) }

// closest returns the name that was probably meant; empty: none is near. A third of the letters may be wrong.
func closest(name string, names []string) string {
	best, bestDistance := "", 1+max(1, len(name)/3)
	for _, n := range names {
		d := distance(name, n)
		if len(name) >= 3 && strings.HasPrefix(n, name) {
			d = 1
		}
		if d < bestDistance {
			best, bestDistance = n, d
		}
	}
	return best
}

// distance counts the letters to insert, delete, replace or swap with their neighbour that make b of a.
func distance(a, b string) int {
	before, last := make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
