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
	held   []byte   // not passed on yet
	out    []byte   // what is passed on at once, where it differs from what came
	next   []int    // per value, where it is in held at or after the place we are at; len(held) for nowhere
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
	r.next = make([]int, len(r.values))
	return r
}

// Write takes bytes. It never keeps p.
func (r *redactor) Write(p []byte) (int, error) {
	if len(r.values) == 0 {
		return r.to.Write(p)
	}
	if len(r.held) == 0 {
		rest := r.pass(p, false)
		r.held = append(r.held, rest...)
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
	for i := range r.next {
		r.next[i] = -1
	}
	r.out = r.out[:0]
	done, end := 0, len(text)
	for {
		at, length := r.find(text, done)
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
		_, _ = r.to.Write(append(r.out, text[done:end]...))
	}
	return text[end:]
}

// find returns the first value at or after from, the longest of those that begin there.
func (r *redactor) find(text []byte, from int) (at, length int) {
	at = len(text)
	for i, value := range r.values {
		if r.next[i] < from {
			r.next[i] = len(text)
			if n := bytes.Index(text[from:], value); n >= 0 {
				r.next[i] = from + n
			}
		}
		if r.next[i] < at {
			at, length = r.next[i], len(value)
		}
	}
	return at, length
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
