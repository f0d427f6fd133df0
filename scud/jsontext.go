package scud

import (
	"encoding/json"
	"strings"
)

// jsonText goes through a JSON text once, from front to back, and knows where it is: a value can be read, skipped, or
// found again by its place.
type jsonText struct {
	text  string
	at    int // offset of what is read next
	depth int // of objects and arrays that are skipped
}

// jsonError is what is wrong with a JSON text, and where.
type jsonError struct {
	at   int
	what string
}

func (e *jsonError) Error() string { return e.what }

const maxJSONDepth = 500

// byteOrderMark may begin a text.
const byteOrderMark = "\ufeff"

// kind moves to the next value and returns its first byte; zero at the end.
func (s *jsonText) kind() byte {
	if s.at == 0 && strings.HasPrefix(s.text, byteOrderMark) {
		s.at = len(byteOrderMark)
	}
	for s.at < len(s.text) {
		switch c := s.text[s.at]; c {
		case ' ', '\t', '\r', '\n':
			s.at++
		default:
			return c
		}
	}
	return 0
}

func (s *jsonText) wrong(what string) error { return &jsonError{s.at, what} }

// object reads an object and calls member for each of its members; member must read or skip the value.
func (s *jsonText) object(member func(key string) error) error {
	return s.list('{', '}', func() error {
		if s.kind() != '"' {
			return s.wrong("the name of a member is expected here, in double quotes")
		}
		key, err := s.str()
		if err != nil {
			return err
		}
		if s.kind() != ':' {
			return s.wrong("a colon is expected here")
		}
		s.at++
		return member(key)
	})
}

// array reads an array and calls item for each of its items; item must read or skip it.
func (s *jsonText) array(item func() error) error { return s.list('[', ']', item) }

// list reads what stands between open and end, separated by commas.
func (s *jsonText) list(open, end byte, item func() error) error {
	if s.kind() != open {
		return s.wrong("a " + string(open) + " is expected here")
	}
	if s.depth++; s.depth > maxJSONDepth {
		return s.wrong("this is nested too deeply")
	}
	s.at++
	for s.kind() != end {
		if err := item(); err != nil {
			return err
		}
		if c := s.kind(); c == ',' {
			comma := s.at
			s.at++
			if s.kind() == end {
				s.at = comma
				return s.wrong("a comma stands before the end of the list")
			}
		} else if c != end {
			return s.wrong("a comma or the end of the list is expected here")
		}
	}
	s.at++
	s.depth--
	return nil
}

// str reads a string.
func (s *jsonText) str() (string, error) {
	start := s.at
	escaped, err := s.skipString()
	if err != nil {
		return "", err
	}
	raw := s.text[start:s.at]
	if !escaped {
		return raw[1 : len(raw)-1], nil
	}
	var text string
	if err := json.Unmarshal([]byte(raw), &text); err != nil {
		return "", &jsonError{start, "this string has an escape that JSON does not know"}
	}
	return text, nil
}

// skipString moves behind a string and reports whether there are escapes in it.
func (s *jsonText) skipString() (escaped bool, err error) {
	start := s.at + 1
	for quote := start; ; quote++ {
		length := strings.IndexByte(s.text[quote:], '"')
		if length < 0 {
			return false, s.wrong("this string does not end")
		}
		quote += length
		slashes := quote
		for slashes > start && s.text[slashes-1] == '\\' {
			slashes--
		}
		if (quote-slashes)%2 == 0 { // the quote is not escaped: the backslashes before it escape each other
			s.at = quote + 1
			return strings.IndexByte(s.text[start:quote], '\\') >= 0, nil
		}
	}
}

// skip moves behind a value of any kind.
func (s *jsonText) skip() error {
	switch s.kind() {
	case '{':
		return s.object(func(string) error { return s.skip() })
	case '[':
		return s.array(s.skip)
	case '"':
		_, err := s.skipString()
		return err
	}
	_, err := s.word()
	return err
}

// word reads a number, true, false or null and returns it as it is written.
func (s *jsonText) word() (string, error) {
	s.kind()
	length := strings.IndexAny(s.text[s.at:], " \t\r\n,:]}[{\"")
	if length < 0 {
		length = len(s.text) - s.at
	}
	word := s.text[s.at : s.at+length]
	if !isPlainNumber(word) && !json.Valid([]byte(word)) {
		return "", s.wrong("a value is expected here")
	}
	s.at += length
	return word, nil
}

// isPlainNumber knows the numbers that most are: a few digits.
func isPlainNumber(word string) bool {
	return word != "" && strings.Trim(word, "0123456789") == "" && (word[0] != '0' || word == "0")
}

// value reads a string, a number, true or false as text; null is empty. It returns false for an object or an array, which
// is skipped.
func (s *jsonText) value() (string, bool, error) {
	switch s.kind() {
	case '{', '[':
		return "", false, s.skip()
	case '"':
		text, err := s.str()
		return text, true, err
	}
	word, err := s.word()
	if word == "null" {
		word = ""
	}
	return word, true, err
}

// end makes sure that nothing follows.
func (s *jsonText) end() error {
	if s.kind() != 0 || s.at < len(s.text) {
		return s.wrong("nothing is expected here any more")
	}
	return nil
}
