package scud_test

import (
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/scud"
)

const wholePhase = `# SCUD Graph v1
# Phase: ignored

@meta {
  name bakery

  id_format sequential
  updated 2026-02-01T09:00:00+00:00
}

@nodes
# id | title | status | complexity | priority
1 | Dough \| yeast \\ salt \n \x | X | 5 | H

1.10 | Rest | P | 0 | L
1.2 | Knead | I | 2 | C | role=baker scope=src/*
2 | Oven | D | 13 | nonsense
10 | Größe prüfen | ! | 1 | M
auth:3 | A namespaced one | R | 0 | M
bread-a | Words as ids | B | | M
4 | Deferred | F | 0 | M
5 | Cancelled | C | 0 | M

@edges
# dependent -> dependency
1.10 -> 1.2
10 -> 1
10 -> bakery:2 | because
10 -> other:7
2 ~~ 10 | reason=same oven
4 >> 5
4 != 5

@parents
# parent: child1, child2
1: 1.10, 1.2

@roles
baker | kneads

@assignments
1.10 | ana | bo | 2025-12-01
@agents
1.10 | builder
1.2 | tester | smart
@details
1 | description |
  First line.
  
  # a heading

  @nodes
  ---
  a | b |
    indented
1 | details |
  Use flour.
# a comment
1 | test_strategy |
	Eat it.
1.2 | description | On the same line.

`

func TestReadSCG(t *testing.T) {
	want := `1 "Dough | yeast \\ salt \n \\x" expanded/X 5 high of 1.2,1.10 "First line.\n\n# a heading\n\n@nodes\n---\na | b |\n  indented" "Use flour." "Eat it." :13
1.2 "Knead" in-progress/I 2 critical in 1 "On the same line." "tester" "smart" :16
1.10 "Rest" pending/P 0 low in 1 after 1.2@26 "ana" "builder" :15
2 "Oven" done/D 13 medium :17
4 "Deferred" deferred/F 0 medium :21
5 "Cancelled" cancelled/C 0 medium :22
10 "Größe prüfen" failed/! 1 medium after 1@27 after bakery:2@28 after other:7@29 :18
auth:3 "A namespaced one" review/R 0 medium :19
bread-a "Words as ids" blocked/B 0 medium :20
`
	for name, text := range map[string]string{
		"as it is":        wholePhase,
		"windows":         strings.ReplaceAll(wholePhase, "\n", "\r\n"),
		"byte order mark": "\ufeff" + wholePhase,
		"between others":  phase("a", []string{"1"}, nil, nil) + "\n---\n\n" + wholePhase + "\n---  \r\n\n" + phase("z", []string{"1"}, nil, nil),
		"no separators":   phase("a", []string{"1"}, nil, nil) + wholePhase + phase("z", []string{"1"}, nil, nil),
	} {
		t.Run(name, func(t *testing.T) {
			tag, err := read(t, lay(t, map[string]string{graph: text})).Choose("bakery")
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(text, phase("a", []string{"1"}, nil, nil)) { // on other lines; all else must be the same
				check(t, "tasks", withoutLines(show(tag)), withoutLines(want))
			} else {
				check(t, "tasks", show(tag), want)
			}
			check(t, "warnings", said(tag.Warnings), "")
		})
	}
}

// withoutLines takes line numbers out of what show writes.
func withoutLines(text string) string {
	return regexp.MustCompile(`(?m)@\d+| :\d+$`).ReplaceAllString(text, "")
}

func TestReadOldHeader(t *testing.T) {
	_, tag := only(t, graph, "# SCUD Graph v1\n# Epic: old one\n@nodes\n1 | T | P | 1 | M\n")
	check(t, "name", tag.Name, "old one")
}

// What is odd is said with its line, and nothing else is lost.
func TestSCGWarnings(t *testing.T) {
	for name, c := range map[string]struct{ text, tasks, warnings string }{
		"statuses": {
			"@nodes\n1 | T | d | 1 | M\n2 | T | Done | 1 | M\n3 | T |  | 1 | M\n4 | T | Q | 1 | M\n5|T||1|M\n",
			`1 "T" d/d 1 medium :3
2 "T" done/Done 1 medium :4
3 "T" pending/ 1 medium :5
4 "T" Q/Q 1 medium :6
5 "T" pending/ 1 medium :7
`,
			`3: task "1": status "d" is none of SCUD's: kept as it is, and the task is not run
4: task "2": status "Done" is none of SCUD's: read as done
5: task "3": status "" is none of SCUD's: read as pending
6: task "4": status "Q" is none of SCUD's: kept as it is, and the task is not run
7: task "5": status "" is none of SCUD's: read as pending
`},
		"nodes": {
			"@nodes\n1 | T | P | 1\n | T | P | 1 | M\n2 | T | P | many | M\n3 | T | P | -1 | M\n",
			"2 \"T\" pending/P 0 medium :5\n3 \"T\" pending/P 0 medium :6\n",
			`3: this is no task: it takes id | title | status | complexity | priority
4: this is no task: it takes id | title | status | complexity | priority
5: task "2": complexity "many" is no number
6: task "3": complexity "-1" is no number
`},
		"twice": {
			"@nodes\n1 | A | P | 1 | M\n2 | B | P | 1 | M\n1 | C | D | 1 | M\n",
			"1 \"C\" done/D 1 medium :5\n2 \"B\" pending/P 1 medium :4\n",
			"5: task \"1\" is there twice; line 3 does not count\n"},
		"edges": {
			"@edges\n9 -> 1\n1 - 2\n1 -> 7\n@nodes\n1 | A | P | 1 | M\n",
			"1 \"A\" pending/P 1 medium after 7@5 :7\n",
			"3: task \"9\" depends on \"1\", but is not there\n4: this is no edge: it takes dependent -> dependency\n"},
		"parents": {
			"@nodes\n1 | A | P | 1 | M\n2 | B | P | 1 | M\n3 | C | P | 1 | M\nx:1 | D | P | 1 | M\n@parents\n1: 2, 9\n3: 2\nx:1: 3\n8: 3\n1\n2: 2\n",
			"1 \"A\" pending/P 1 medium of 2 :3\n2 \"B\" pending/P 1 medium in 1 :4\n3 \"C\" pending/P 1 medium in x:1 :5\nx:1 \"D\" pending/P 1 medium of 3 :6\n",
			`8: subtask "9" of "1" is not there
9: task "2" is a subtask of "1" already, not of "3"
11: task "8" has subtasks, but is not there
12: this names no parent: it takes parent: subtask, subtask
13: task "2" is a subtask of "1" already, not of "2"
`},
		"round": {
			"@nodes\n1 | A | P | 1 | M\n2 | B | P | 1 | M\n3 | C | P | 1 | M\n4 | D | P | 1 | M\n@parents\n1: 2\n2: 1\n3: 3\n2: 4\n",
			"1 \"A\" pending/P 1 medium of 2 :3\n2 \"B\" pending/P 1 medium in 1 of 4 :4\n3 \"C\" pending/P 1 medium :5\n4 \"D\" pending/P 1 medium in 2 :6\n",
			"3: task \"1\" would be a part of itself; it is read as a task of its own\n5: task \"3\" would be a part of itself; it is read as a task of its own\n"},
		"expanded leaf": {
			"@nodes\n1 | A | X | 1 | M\n", "1 \"A\" expanded/X 1 medium :3\n",
			"3: task \"1\" is expanded, but has no subtasks: it is neither open nor done\n"},
		"details": {
			"@nodes\n1 | A | P | 1 | M\n@details\n  lost\n1 | description |\n  one\nnot indented\nx | y\n  two\n9 | details |\n  gone\n  gone\n1 | colour |\n  red\n",
			"1 \"A\" pending/P 1 medium \"one\\ntwo\" :3\n",
			`5: this text belongs to no task
8: this line is not indented and left out
9: this line is not indented and left out
11: a text "details" of "9", which is unknown, is left out
14: a text "colour" of "1", which is unknown, is left out
`},
		"sections": {
			"stray\n@nodes\n1 | A | P | 1 | M\n@magic\n1 | B | D | 2 | H\n@partitions\nx\n",
			"1 \"A\" pending/P 1 medium :4\n",
			"2: this line belongs to no section\n5: section @magic is unknown and left alone\n"},
	} {
		t.Run(name, func(t *testing.T) {
			_, tag := only(t, graph, "# Phase: t\n"+c.text)
			check(t, "tasks", show(tag), c.tasks)
			check(t, "warnings", said(tag.Warnings), c.warnings)
		})
	}
}

func TestTagTwice(t *testing.T) {
	_, tag := only(t, graph, phase("a", []string{"1", "2"}, nil, nil)+"---\n"+phase("a", []string{"3 D"}, nil, nil))
	check(t, "tasks", show(tag), "3 \"Task 3\" done/D 3 medium :18\n")
	check(t, "warnings", said(tag.Warnings), "14: tag \"a\" is there twice; the one at line 1 does not count\n")
}

// A line of any length is read.
func TestLongLine(t *testing.T) {
	long := strings.Repeat("word ", 50_000) + "end"
	_, tag := only(t, graph, "# Phase: t\n@nodes\n1 | A | P | 1 | M\n@details\n1 | description |\n  "+long+"\n1 | details |\n  x\n")
	if tag.Tasks[0].Description != long || tag.Tasks[0].Details != "x" {
		t.Errorf("read %d bytes of %d, then %q", len(tag.Tasks[0].Description), len(long), tag.Tasks[0].Details)
	}
}

func TestNotSCG(t *testing.T) {
	for text, want := range map[string]string{
		"hello\n":                         `.scud/tasks/tasks.scg:1: this is no SCUD graph: no line "# Phase: NAME" says which tag begins here`,
		"\n\n@nodes\n1 | A | P | 1 | M\n": `.scud/tasks/tasks.scg:3: this is no SCUD graph: no line "# Phase: NAME" says which tag begins here`,
		"# Phase: a\n@nodes\n<<<<<<< HEAD\n1 | A | P | 1 | M\n=======\n": ".scud/tasks/tasks.scg:3: a merge conflict is not resolved here",
		"# Phase: a\n@details\n=======\n":                                ".scud/tasks/tasks.scg:3: a merge conflict is not resolved here",
		"# Phase: a\n\x00":                                               ".scud/tasks/tasks.scg:2: this is no text: it has a NUL byte",
		"# Phase: a\n# caf\xe9":                                          ".scud/tasks/tasks.scg:2: this is not UTF-8",
	} {
		_, err := scud.Read(t.Context(), lay(t, map[string]string{graph: text}))
		var parse *scud.ParseError
		if !errors.As(err, &parse) || err.Error() != want {
			t.Errorf("%q: error %v, want %s", text, err, want)
		}
	}
}

// An empty file, or one with nothing but comments, is a plan without tags.
func TestEmptySCG(t *testing.T) {
	for _, text := range []string{"", "\n", "# SCUD Graph v1\n", "---\n\n---\n"} {
		if p := read(t, lay(t, map[string]string{graph: text})); len(p.Tags) > 0 {
			t.Errorf("%q: tags %v", text, p.Tags)
		}
	}
}
