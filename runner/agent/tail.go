package agent

import (
	"strings"

	"github.com/git-ralph/git-ralph/runner/lines"
)

const (
	// finalLines is how many last lines of a program without a structured stream are its final words.
	finalLines = 20
	// finalText is how many bytes of an agent's last words are kept.
	finalText = 64 << 10
	// keepLines are kept however long they are: the final lines and what stands before them.
	keepLines = finalLines + 4
)

// tail keeps the end of what a program printed, without blank lines behind it. The zero value is empty.
type tail struct {
	lines  []string
	size   int
	blanks int // blank lines since the last full one
}

// push adds a line, and drops lines from the beginning that are not needed.
func (t *tail) push(line string) {
	if strings.TrimSpace(line) == "" {
		t.blanks = min(t.blanks+1, keepLines)
		return
	}
	for ; t.blanks > 0; t.blanks-- {
		t.lines, t.size = append(t.lines, ""), t.size+1
	}
	t.lines, t.size = append(t.lines, line), t.size+len(line)+1
	for len(t.lines) > keepLines && t.size > finalText {
		t.size -= len(t.lines[0]) + 1
		t.lines = t.lines[1:]
	}
}

// final returns the last lines, blank ones counted, and those before them that are still there. Both are trimmed, and
// the blank ones are left out.
func (t *tail) final() (before, last []string) {
	split := max(0, len(t.lines)-finalLines)
	return filled(strings.Join(t.lines[:split], "\n")), filled(strings.Join(t.lines[split:], "\n"))
}

// text is the end of the output, in whole lines where that is possible.
func (t *tail) text() string {
	whole := strings.Join(t.lines, "\n")
	end := lines.Tail(whole, finalText)
	if len(end) < len(whole) && whole[len(whole)-len(end)-1] != '\n' {
		if _, rest, ok := strings.Cut(end, "\n"); ok {
			return rest
		}
	}
	return end
}
