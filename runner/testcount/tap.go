package testcount

import (
	"strconv"
	"strings"
)

// maxDepth is how deep subtests may lie; deeper ones count as tests of that depth.
const maxDepth = 16

// tap reads the Test Anything Protocol, of any version. It needs a plan or a version line: "ok" alone is a word. Leaves
// count: a point with subtests before it is none, unless it failed and none of them did. A failed point marked TODO
// counts as skipped.
type tap struct {
	tally
	planned bool
	seen    [maxDepth + 2]bool // a point at that depth since the last one further out
	failed  [maxDepth + 2]bool // a failed one
	last    int                // indent of the last point
	yaml    bool               // in the block below a failed point
	value   bool               // in a value of several lines in it
}

func (t *tap) line(line string) {
	text := strings.TrimLeft(line, " ")
	if text == "" {
		return
	}
	if t.yaml && indent(line) > t.last && t.block(text) {
		return
	}
	t.yaml = false
	switch {
	case strings.HasPrefix(line, "TAP version 1"), isPlan(line):
		t.planned = true
		t.close()
	case strings.HasPrefix(text, "Bail out!"):
		t.count(0, 1, 0)
		t.failure(text, 0)
		t.close()
	case text == "---":
		t.yaml, t.value = true, false
	case strings.HasPrefix(text, "#"):
		if why := strings.TrimSpace(text[1:]); !strings.HasPrefix(why, "Subtest: ") {
			t.note(why)
		}
	default:
		t.point(text, indent(line))
	}
}

// isPlan reports whether line is a plan of the outermost tests, such as "1..44".
func isPlan(line string) bool {
	count, _, _ := strings.Cut(line, " #")
	digits, ok := strings.CutPrefix(count, "1..")
	_, isNumber := number(strings.TrimSpace(digits))
	return ok && isNumber
}

// point takes a line such as "not ok 2 - adds # TODO later".
func (t *tap) point(text string, spaces int) {
	rest, bad := strings.CutPrefix(text, "not ")
	rest, ok := strings.CutPrefix(rest, "ok")
	name, ok := pointName(rest, ok)
	if !ok {
		return
	}
	t.close()
	t.last = spaces
	name, mark := directive(name)
	depth := min(spaces/4, maxDepth)
	parent, explained := t.seen[depth+1], t.failed[depth+1]
	clear(t.seen[depth+1:])
	clear(t.failed[depth+1:])
	bad = bad && mark == ""
	t.seen[depth], t.failed[depth] = true, t.failed[depth] || bad || explained
	switch {
	case bad && !explained:
		t.count(0, 1, 0)
		t.failure(name, 0)
	case parent || bad:
	case mark != "" && (mark == "skip" || strings.HasPrefix(text, "not ")):
		t.count(0, 0, 1)
	default:
		t.count(1, 0, 0)
	}
}

// pointName returns the name in what stands behind "ok": a number, a dash, or nothing must follow.
func pointName(rest string, ok bool) (string, bool) {
	if !ok || rest == "" {
		return "", ok
	}
	text, spaced := strings.CutPrefix(rest, " ")
	digits, name, _ := strings.Cut(text, " ")
	if _, isNumber := number(digits); isNumber {
		text = name
	} else if !strings.HasPrefix(text, "- ") && !strings.HasPrefix(text, "# ") {
		return "", false
	}
	return strings.TrimPrefix(strings.TrimSpace(text), "- "), spaced
}

// directive cuts "# SKIP why" and "# TODO why" from a point's name.
func directive(name string) (bare, mark string) {
	before, after, ok := cutLast(" "+name, " #")
	word, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(after)), " ")
	switch {
	case ok && strings.HasPrefix(word, "skip"):
		return strings.TrimSpace(before), "skip"
	case ok && strings.HasPrefix(word, "todo"):
		return strings.TrimSpace(before), "todo"
	}
	return name, ""
}

// block takes a line of the YAML below a point and reports whether the block goes on.
func (t *tap) block(text string) bool {
	if text == "..." {
		t.close()
		return false
	}
	key, value, ok := strings.Cut(text, ":")
	if !ok || strings.ContainsAny(key, " '\"(") {
		if t.value {
			t.note(text)
		}
		return true
	}
	value = strings.Trim(strings.TrimSpace(value), `'"`)
	t.value = false
	switch key {
	case "duration_ms":
		if ms, err := strconv.ParseFloat(value, 64); err == nil && t.open {
			t.report.Failures[len(t.report.Failures)-1].Duration = seconds(ms / 1000)
		}
	case "error", "message":
		if t.value = strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">"); !t.value {
			t.note(value)
		}
	}
	return true
}

func (t *tap) end() (Report, bool) {
	report, found := t.tally.end("tap")
	return report, found && t.planned
}
