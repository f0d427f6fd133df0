package spec

import (
	"fmt"
	"slices"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// end says which end of a part is of more use.
type end int

const (
	theBeginning end = iota
	theEnd
)

// minPart is how many bytes of a cut part are worth their place.
const minPart = 40

// dots stand where a line was cut.
const dots = "…"

// part is one thing that the agent is told: a heading and quoted lines.
type part struct {
	name  string // for when it has to be left out
	head  string
	alone string // says the most important thing when no line fits; empty: nothing can be said without lines
	lines []string
	keep  end
}

// size is the length of the whole part.
func (p part) size() int { return len(p.text(p.lines)) }

func (p part) text(quoted []string) string {
	if len(quoted) == 0 {
		return p.head
	}
	return p.head + "\n" + quote(quoted)
}

// within returns the part in at most limit bytes, cut where it is of less use; empty when too little would be left.
func (p part) within(limit int) string {
	if p.size() <= limit {
		return p.text(p.lines)
	}
	room := limit - len(p.text([]string{p.mark(len(p.lines))}))
	if room < minPart && len(p.alone) <= limit {
		return p.alone
	} else if room < minPart {
		return ""
	}
	kept := p.fit(room)
	missing := len(p.lines) - len(kept)
	switch {
	case missing > 0 && p.keep == theEnd:
		kept = append([]string{p.mark(missing)}, kept...)
	case missing > 0:
		kept = append(kept, p.mark(missing))
	}
	return p.text(kept)
}

// fit returns the lines of the more useful end that take at most room bytes when they are quoted. The last of them may
// be cut.
func (p part) fit(room int) []string {
	var kept []string
	for room > len("\n> "+dots) && len(kept) < len(p.lines) {
		line := p.lines[len(kept)]
		if p.keep == theEnd {
			line = p.lines[len(p.lines)-1-len(kept)]
		}
		room -= len("\n> ")
		if len(line) > room {
			if len(kept) > 0 && room < 2*minPart {
				break
			}
			line = p.cut(line, room)
		}
		room -= len(line)
		kept = append(kept, line)
	}
	if p.keep == theEnd {
		slices.Reverse(kept)
	}
	return kept
}

// cut shortens the line that has no more than room bytes left.
func (p part) cut(line string, room int) string {
	if p.keep == theEnd {
		return dots + lines.Tail(line, room-len(dots))
	}
	return lines.Head(line, room-len(dots)) + dots
}

// mark says how many lines are missing, and where.
func (p part) mark(missing int) string {
	which := "last"
	if p.keep == theEnd {
		which = "first"
	}
	if missing == 1 {
		return fmt.Sprintf("(the %s line is left out)", which)
	}
	return fmt.Sprintf("(the %s %d lines are left out)", which, missing)
}
