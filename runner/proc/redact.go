package proc

import (
	"bytes"
	"cmp"
	"encoding/json"
	"io"
	"slices"
)

// redactor passes bytes on with *** in place of certain values, wherever the writes divide them. Of values that begin
// at one place the longest counts. It holds back no more than what may be the beginning of a value.
type redactor struct {
	to     io.Writer
	values [][]byte // longest first
	finder *finder
	held   []byte // not passed on yet
	out    []byte // what is passed on at once, where it differs from what came
}

var redacted = []byte("***")

// newRedactor returns a redactor for these values as they are and as they look inside a JSON string.
func newRedactor(to io.Writer, values []string) *redactor {
	r := &redactor{to: to}
	add := func(value []byte) {
		if len(value) > 0 && !slices.ContainsFunc(r.values, func(v []byte) bool { return bytes.Equal(v, value) }) {
			r.values = append(r.values, value)
		}
	}
	for _, value := range values {
		add([]byte(value))
		var plain bytes.Buffer
		encoder := json.NewEncoder(&plain)
		encoder.SetEscapeHTML(false)
		if encoder.Encode(value) == nil {
			add(plain.Bytes()[1 : plain.Len()-2]) // less the quotes and the newline
		}
		if escaped, err := json.Marshal(value); err == nil {
			add(escaped[1 : len(escaped)-1])
		}
	}
	slices.SortStableFunc(r.values, func(a, b []byte) int { return cmp.Compare(len(b), len(a)) })
	if len(r.values) > 0 {
		r.finder = newFinder(r.values)
	}
	return r
}

// Write takes bytes. It never keeps p.
func (r *redactor) Write(p []byte) (int, error) {
	if len(r.values) == 0 {
		return r.to.Write(p)
	}
	if len(r.held) == 0 {
		r.held = append(r.held, r.pass(p, false)...)
		return len(p), nil
	}
	r.held = append(r.held, p...)
	rest := r.pass(r.held, false)
	r.held = r.held[:copy(r.held, rest)]
	return len(p), nil
}

// flush passes on what is held back: nothing comes any more.
func (r *redactor) flush() {
	if len(r.held) == 0 {
		return
	}
	r.pass(r.held, true)
	r.held = nil
}

// pass passes text on and returns what it may not pass on yet.
func (r *redactor) pass(text []byte, final bool) []byte {
	r.out = r.out[:0]
	done, end := 0, len(text)
	for {
		at, length := r.finder.find(text, done)
		if !final {
			end = r.waits(text, done, at)
		}
		if at >= end {
			break
		}
		r.out = append(append(r.out, text[done:at]...), redacted...)
		done = at + length
	}
	if done == 0 {
		_, _ = r.to.Write(text[:end])
	} else {
		r.out = append(r.out, text[done:end]...)
		_, _ = r.to.Write(r.out)
	}
	return text[end:]
}

// waits returns the first place at or after from, and not after the value found at at, from which on the text's rest is
// the beginning of a longer value: that is not decided yet.
func (r *redactor) waits(text []byte, from, at int) int {
	first := max(from, len(text)-len(r.values[0])+1)
	for i := first; i < len(text) && i <= at; i++ {
		for _, value := range r.values {
			if len(value) > len(text)-i && bytes.HasPrefix(value, text[i:]) {
				return i
			}
		}
	}
	return len(text)
}

// finder looks for several values in one pass, and skips what cannot be part of one (Wu and Manber's method): the two
// bytes at the end of a window tell how far the window can move at least.
type finder struct {
	values   [][]byte       // longest first
	shortest int            // length of the shortest, and of the window
	skip     [1 << 16]uint8 // per two bytes; zero: a value may begin where the window does
}

func newFinder(values [][]byte) *finder {
	f := &finder{values: values, shortest: len(values[len(values)-1])}
	if f.shortest < 2 {
		return f // a window of one byte tells nothing: every place is looked at
	}
	for i := range f.skip {
		f.skip[i] = uint8(min(f.shortest-1, 255))
	}
	for _, value := range values {
		for i := range f.shortest - 1 {
			pair := pairAt(value, i)
			f.skip[pair] = uint8(min(int(f.skip[pair]), f.shortest-2-i))
		}
	}
	return f
}

func pairAt(text []byte, i int) uint16 { return uint16(text[i])<<8 | uint16(text[i+1]) }

// find returns the first value at or after from, the longest of those that begin there, or the text's end.
func (f *finder) find(text []byte, from int) (at, length int) {
	ahead := max(f.shortest-2, 0) // from a window's beginning to its last two bytes
	for at = from; at+f.shortest <= len(text); at++ {
		for i := at + ahead; i+1 < len(text) && f.skip[pairAt(text, i)] > 0; i = at + ahead {
			at += int(f.skip[pairAt(text, i)])
		}
		for _, value := range f.values {
			if at < len(text) && bytes.HasPrefix(text[at:], value) {
				return at, len(value)
			}
		}
	}
	return len(text), 0
}
