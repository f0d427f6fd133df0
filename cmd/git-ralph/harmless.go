package main

import (
	"bytes"
	"io"
	"regexp"
	"sync"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// rawOut is where text goes as it is that others wrote. On a terminal it may be coloured, and nothing more: it moves no cursor, sets no title, and writes
// nothing into a clipboard.
func (a *app) rawOut() io.Writer {
	if !a.outTerm.is {
		return a.stdout
	}
	return &harmless{to: a.stdout}
}

// harmless lets text and colours through. What a write ends in the middle of waits for the next one.
type harmless struct {
	to   io.Writer
	held []byte
}

// longestColour is how many bytes a sequence that sets colours has at most; what is longer is none.
const longestColour = 64

// colourSequence sets colours.
var colourSequence = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;:]*m") })

// Write takes all of p.
func (h *harmless) Write(p []byte) (int, error) {
	text := append(h.held, p...)
	end := len(text) - unfinished(text)
	h.held = bytes.Clone(text[end:])
	text = bytes.ReplaceAll(text[:end], []byte("\r\n"), []byte("\n"))
	text = bytes.ReplaceAll(text, []byte("\r"), []byte("\n")) // a line that is drawn again stands below
	var out []byte
	for len(text) > 0 {
		at := colourSequence().FindIndex(text)
		if at == nil {
			at = []int{len(text), len(text)}
		}
		out = append(out, lines.Plain(string(text[:at[0]]))...)
		out = append(out, text[at[0]:at[1]]...)
		text = text[at[1]:]
	}
	_, err := h.to.Write(out)
	return len(p), err
}

// unfinished is how many bytes at the end of text are the beginning of something.
func unfinished(text []byte) int {
	if at := bytes.LastIndexByte(text, 0x1b); at >= 0 && len(text)-at < longestColour && !bytes.ContainsFunc(text[at+1:], func(r rune) bool { return r >= '@' && r != '[' }) {
		return len(text) - at
	}
	if bytes.HasSuffix(text, []byte("\r")) {
		return 1
	}
	for n := 1; n < utf8.UTFMax && n <= len(text); n++ {
		if tail := text[len(text)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}
