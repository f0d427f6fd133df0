package report

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// What texts may take of a page, in bytes as they stand in it: what has to be written as an entity takes five.
const (
	roomForAll      = 330_000 // the texts of all iterations
	roomForOne      = 40_000  // the texts of one, where there are few
	roomLeast       = 400     // the texts of one, where there are thousands
	roomForPrompt   = 60_000
	roomForConfig   = 30_000
	roomForFacts    = 20_000 // the lines below the outcome
	roomForOutcome  = 2_000
	roomForPlan     = 100_000 // the tasks with all that is told of them
	roomForBetween  = 70_000  // what happened between iterations
	roomForLine     = 600
	linesForBetween = 60 // of what happened between two iterations
)

// trimmed cuts the texts of a page to what there is room for.
func (p Page) trimmed() Page {
	p.Outcome, p.Prompt = cut(p.Outcome, roomForOutcome), cut(p.Prompt, roomForPrompt)
	p.Facts, p.Limits = cutFacts(p.Facts, roomForFacts), cutFacts(p.Limits, roomForFacts)
	p.Config = cutLines(p.Config, roomForConfig)
	p.Plan = p.Plan.trimmed()
	iterations := make([]Iteration, len(p.Iterations))
	room := max(roomLeast, min(roomForOne, roomForAll/max(1, len(iterations))))
	between := max(roomLeast, roomForBetween/(len(iterations)+1))
	p.After = firstLines(p.After, between)
	for n, i := range p.Iterations {
		i.Before = firstLines(i.Before, between)
		i.Headline = cut(i.Headline, min(room/8, roomForLine))
		i.Error = cut(i.Error, room/8)
		i.Summary = cut(i.Summary, room/4)
		i.Tail = cutHead(i.Tail, room/4)
		i.Files = cutFiles(i.Files, room/6)
		i.Failures = cutLines(i.Failures, room/12)
		i.Commits = cutLines(i.Commits, room/12)
		i.Facts = cutFacts(i.Facts, room/12)
		iterations[n] = i
	}
	p.Iterations = iterations
	return p
}

// size is how many bytes text takes in a page.
func size(text string) int {
	return len(text) + 4*(strings.Count(text, "<")+strings.Count(text, ">")+strings.Count(text, "&")+strings.Count(text, `"`)+strings.Count(text, "'")+strings.Count(text, "+"))
}

// cut cuts the end of a text off.
func cut(text string, room int) string {
	if size(text) <= room {
		return text
	}
	taken := 0
	for i, c := range text {
		if taken += size(string(c)); taken > room {
			return text[:i] + "…"
		}
	}
	return text
}

// cutHead cuts the begin of a text off: of what a check prints the end counts.
func cutHead(text string, room int) string {
	if size(text) <= room {
		return text
	}
	taken, i := 0, len(text)
	for i > 0 {
		c, width := utf8.DecodeLastRuneInString(text[:i])
		if taken += size(string(c)); taken > room {
			break
		}
		i -= width
	}
	return "…" + text[i:]
}

// cutLines leaves out the last lines of a list, and says how many.
func cutLines(lines []string, room int) []string {
	for i, line := range lines {
		if room -= size(line) + lineCost; room < 0 {
			return append(append([]string(nil), lines[:i]...), fmt.Sprintf("and %d more", len(lines)-i))
		}
	}
	return lines
}

// lineCost is what a line of a list takes beside its text.
const lineCost = 20

// firstLines are so many lines of what happened as are worth reading, and as there is room for.
func firstLines(lines []string, room int) []string {
	shown := make([]string, 0, min(len(lines), linesForBetween)+1)
	for i, line := range lines {
		if i == linesForBetween {
			shown = append(shown, fmt.Sprintf("and %d more", len(lines)-i))
			break
		}
		shown = append(shown, cut(line, min(room-2*lineCost, roomForLine)))
	}
	return cutLines(shown, room)
}

// cutFiles leaves out the last files, and says how many.
func cutFiles(files []File, room int) []File {
	for i, f := range files {
		if room -= size(f.Path) + 4*lineCost; room < 0 {
			rest := File{Path: fmt.Sprintf("and %d more", len(files)-i)}
			for _, f := range files[i:] {
				rest.Added, rest.Removed = rest.Added+f.Added, rest.Removed+f.Removed
			}
			return append(append([]File(nil), files[:i]...), rest)
		}
	}
	return files
}

// cutFacts cuts the texts of facts.
func cutFacts(facts []Fact, room int) []Fact {
	shown := make([]Fact, len(facts))
	for i, f := range facts {
		f.Text = cut(f.Text, max(lineCost, room/max(1, len(facts))))
		shown[i] = f
	}
	return shown
}
