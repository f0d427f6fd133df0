package testcount

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// amounts reads a list such as "1 failed, 41 passed": a number and one of the words in each place. It is false when
// anything else stands in the list, or a word twice.
func amounts(list, separator string, words ...string) (map[string]int, bool) {
	found := map[string]int{}
	for piece := range strings.SplitSeq(list, separator) {
		digits, word, _ := strings.Cut(piece, " ")
		n, ok := number(digits)
		if _, twice := found[word]; !ok || twice || !slices.Contains(words, word) {
			return nil, false
		}
		found[word] = n
	}
	return found, true
}

// number reads an amount of tests. What has more than nine digits is none.
func number(digits string) (int, bool) {
	if digits == "" || len(digits) > 9 {
		return 0, false
	}
	for _, d := range []byte(digits) {
		if d < '0' || d > '9' {
			return 0, false
		}
	}
	n, err := strconv.Atoi(digits)
	return n, err == nil
}

// duration reads "0.05s", "5 ms" or "1.2 sec"; zero when text is none.
func duration(text string) time.Duration {
	text = strings.TrimSuffix(strings.ReplaceAll(text, " ", ""), "ec")
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return 0
	}
	return d
}

// cutLast cuts text at the last separator.
func cutLast(text, separator string) (before, after string, found bool) {
	i := strings.LastIndex(text, separator)
	if i < 0 {
		return text, "", false
	}
	return text[:i], text[i+len(separator):], true
}

// between returns what stands between first and last when text begins and ends with them.
func between(text, first, last string) (string, bool) {
	text, begins := strings.CutPrefix(text, first)
	text, ends := strings.CutSuffix(text, last)
	return text, begins && ends
}

// indent is the number of spaces that line begins with.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }
