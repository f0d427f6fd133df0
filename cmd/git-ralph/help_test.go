package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// A screen is what the help of -h has to fit on, with a line left for what is typed next. A flag that is needed rarely gets the tag `more`: the whole help has it.
const screenLines, screenColumns = 23, 80

// helpsOf are the command lines that ask for help, by command; of all commands by the empty name.
func helpsOf(t *testing.T, ask string) map[string][]string {
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	helps := map[string][]string{"": {ask}}
	for _, c := range parser.Model.Children {
		if !c.Hidden {
			helps[c.Name] = []string{c.Name, ask}
		}
	}
	return helps
}

// helpLines is what a command line prints, which is a help.
func helpLines(t *testing.T, args []string) []string {
	t.Helper()
	a := newTestApp(t)
	if err := run(a.app, nil, args); err != nil {
		t.Errorf("%q: %v", args, err)
	}
	return strings.Split(strings.TrimSuffix(a.out.String(), "\n"), "\n")
}

func TestEveryHelpFitsOneScreenAndEndsWithAnExample(t *testing.T) {
	for name, args := range helpsOf(t, "-h") {
		lines := helpLines(t, args)
		if len(lines) > screenLines {
			t.Errorf("%s -h has %d lines, a screen %d: give flags that are needed rarely the tag more", name, len(lines), screenLines)
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > screenColumns {
				t.Errorf("%s -h: too wide: %s", name, line)
			}
		}
		example, found := strings.CutPrefix(lines[len(lines)-1], "example: ")
		example = strings.TrimSpace(example)
		if !found || !strings.HasPrefix(example, "git ralph "+name) {
			t.Errorf("%s -h does not end with an example: %s", name, lines[len(lines)-1])
			continue
		}
		wantCommandLine(t, example)
	}
}

// wantCommandLine makes sure that what is shown can be typed.
func wantCommandLine(t *testing.T, shown string) {
	t.Helper()
	shown, _, _ = strings.Cut(shown, " >") // what a shell does with the answer
	words, err := agent.SplitCommand(shown)
	if err != nil || len(words) < 2 {
		t.Errorf("%s: %v", shown, err)
		return
	}
	if _, err := newTestApp(t).parse(words[2:]); err != nil {
		t.Errorf("%s: %v", shown, err)
	}
}

// The whole help leaves nothing out, and what it shows to be typed can be typed.
func TestTheWholeHelpHasEverything(t *testing.T) {
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(helpLines(t, []string{"help"}), "\n")
	for _, c := range parser.Model.Children {
		if c.Hidden {
			continue
		}
		if !strings.Contains(all, "\n  "+c.Name+" ") {
			t.Errorf("git ralph help does not show %s", c.Name)
		}
		lines := helpLines(t, []string{"help", c.Name})
		text := strings.Join(lines, "\n") + "\n"
		for _, f := range c.Flags {
			if !f.Hidden && !strings.Contains(text, flagForm(f, false)) {
				t.Errorf("git ralph help %s does not show %s", c.Name, flagForm(f, false))
			}
			if f.Help == "" {
				t.Errorf("%s --%s has no help", c.Name, f.Name)
			}
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > screenColumns {
				t.Errorf("help %s: too wide: %s", c.Name, line)
			}
			if command, found := strings.CutPrefix(line, "        git ralph "); found && command == strings.TrimLeft(command, " ") {
				wantCommandLine(t, strings.TrimSpace(line))
			}
		}
	}
}

func TestHelpIsFoundInAllItsForms(t *testing.T) {
	for _, args := range [][]string{nil, {"-h"}, {"--help"}, {"help"}, {"help", "-h"}} {
		a := newTestApp(t)
		if err := run(a.app, nil, args); err != nil || !strings.HasPrefix(a.out.String(), "usage: git ralph COMMAND") {
			t.Errorf("%q: %v, %q", args, err, a.out)
		}
	}
	for _, args := range [][]string{{"start", "-h"}, {"start", "--max-iterations", "3", "-h"}, {"-h", "start"}} {
		a := newTestApp(t)
		if err := run(a.app, nil, args); err != nil || !strings.HasPrefix(a.out.String(), "usage: git ralph start") {
			t.Errorf("%q: %v, %q", args, err, a.out)
		}
	}
	for _, args := range [][]string{{"start", "--help"}, {"help", "start"}, {"--help", "start"}} {
		a := newTestApp(t)
		if err := run(a.app, nil, args); err != nil || !strings.HasPrefix(a.out.String(), "NAME\n    git-ralph-start - ") {
			t.Errorf("%q: %v, %q", args, err, a.out)
		}
	}
}

func TestHelpTellsTheDefaults(t *testing.T) {
	a := newTestApp(t)
	if err := run(a.app, nil, []string{"start", "--help"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"(default: 20)", "(default: 1h)", "(default: 15m)", "(default: COMPLETE)"} {
		if !strings.Contains(a.out.String(), want) {
			t.Errorf("no %s in\n%s", want, a.out)
		}
	}
}
