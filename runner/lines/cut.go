package lines

import "unicode/utf8"

// Head returns the first bytes of text, at most limit and only whole characters.
func Head(text string, limit int) string {
	if len(text) <= limit {
		return text
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:max(limit, 0)]
}

// Tail returns the last bytes of text, at most limit and only whole characters.
func Tail(text string, limit int) string {
	start := len(text) - max(limit, 0)
	if start <= 0 {
		return text
	}
	for start < len(text) && !utf8.RuneStart(text[start]) {
		start++
	}
	return text[start:]
}
