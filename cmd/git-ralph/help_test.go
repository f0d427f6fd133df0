package main

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// A screen is what a help has to fit on.
const screenLines, screenColumns = 40, 120

func TestEveryHelpFitsOneScreenAndEndsWithAnExample(t *testing.T) {
	a := newTestApp(t)
	parser, err := a.parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	helps := map[string][]string{"": {"-h"}}
	for _, c := range parser.Model.Children {
		if !c.Hidden {
			helps[c.Name] = []string{c.Name, "-h"}
		}
	}
	for name, args := range helps {
		a := newTestApp(t)
		if err := run(a.app, nil, args); err != nil {
			t.Errorf("%s -h: %v", name, err)
			continue
		}
		lines := strings.Split(strings.TrimSuffix(a.out.String(), "\n"), "\n")
		if len(lines) > screenLines {
			t.Errorf("%s -h has %d lines", name, len(lines))
		}
		for _, line := range lines {
			if utf8.RuneCountInString(line) > screenColumns {
				t.Errorf("%s -h: too wide: %s", name, line)
			}
		}
		if last := lines[len(lines)-1]; !strings.HasPrefix(last, "example: git ralph "+name) {
			t.Errorf("%s -h does not end with an example: %s", name, last)
		}
	}
}

func TestHelpIsFoundInAllItsForms(t *testing.T) {
	for _, args := range [][]string{nil, {"-h"}, {"--help"}, {"help"}} {
		a := newTestApp(t)
		if err := run(a.app, nil, args); err != nil || !strings.HasPrefix(a.out.String(), "usage: git ralph COMMAND") {
			t.Errorf("%q: %v, %q", args, err, a.out)
		}
	}
	for _, args := range [][]string{{"start", "-h"}, {"help", "start"}, {"start", "--max-iterations", "3", "-h"}, {"-h", "start"}} {
		a := newTestApp(t)
		if err := run(a.app, nil, args); err != nil || !strings.HasPrefix(a.out.String(), "usage: git ralph start") {
			t.Errorf("%q: %v, %q", args, err, a.out)
		}
	}
}

func TestHelpTellsTheDefaults(t *testing.T) {
	a := newTestApp(t)
	if err := run(a.app, nil, []string{"start", "-h"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"(default: 20)", "(default: 1h)", "(default: 15m)", "(default: COMPLETE)"} {
		if !strings.Contains(a.out.String(), want) {
			t.Errorf("no %s in\n%s", want, a.out)
		}
	}
}
