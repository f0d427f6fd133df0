package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-ralph/git-ralph/runner/lines"
)

// maxReason is how many bytes of a blocked agent's reason are kept.
const maxReason = 500

// Promised reports whether the promise stands in text, an agent's final words: as <promise>X</promise>, alone on its
// line. White space around the element and within X does not matter, everything else must be equal byte for byte. An
// empty promise never stands.
func Promised(text, promise string) bool {
	words, own := message(text)
	return Request{Promise: promise}.claimsIn(words, own).promise
}

// Blocked returns the reason that text gives for being stuck: what stands in the last <blocked>…</blocked> that is
// alone on its line. It is one line of at most 500 bytes; empty: the text says nothing of the kind.
func Blocked(text string) string {
	words, own := message(text)
	return Request{}.claimsIn(words, own).blocked
}

// reasonOf is what is recorded for the inner text of a blocked element: never empty, since the agent did say it.
func reasonOf(why string) string {
	if why == "" {
		return "no reason given"
	}
	return lines.Head(why, maxReason)
}

// isPromise reports whether line is the element of that promise, which is folded.
func isPromise(line, promise string) bool {
	inner, ok := element(line, "promise")
	return ok && inner == promise
}

// element returns the folded inner text of a line that is one element of that name and nothing else.
func element(line, name string) (inner string, ok bool) {
	first, last := "<"+name+">", "</"+name+">"
	line, ok = strings.CutPrefix(strings.TrimSpace(line), first)
	if !ok {
		return "", false
	}
	line, ok = strings.CutSuffix(line, last)
	if !ok || strings.Contains(line, first) || strings.Contains(line, last) {
		return "", false
	}
	return fold(line), true
}

// fold trims text and makes every run of white space one space.
func fold(text string) string { return strings.Join(strings.Fields(text), " ") }

// mentions reports whether the folded promise stands in line as a whole word, whatever its case: "completed" does not
// hold "COMPLETE".
func mentions(line, promise string) bool {
	line, promise = strings.ToLower(fold(line)), strings.ToLower(promise)
	first, _ := utf8.DecodeRuneInString(promise)
	last, _ := utf8.DecodeLastRuneInString(promise)
	for start := 0; promise != ""; start++ {
		i := strings.Index(line[start:], promise)
		if i < 0 {
			return false
		}
		start += i
		before, _ := utf8.DecodeLastRuneInString(line[:start])
		after, _ := utf8.DecodeRuneInString(line[start+len(promise):])
		if !(isWord(first) && isWord(before)) && !(isWord(last) && isWord(after)) {
			return true
		}
	}
	return false
}

func isWord(r rune) bool {
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_')
}
