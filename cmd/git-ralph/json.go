package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"unicode"
)

// jsonSchema is the version of the objects that --json prints. Fields are only added.
const jsonSchema = 1

// jsonError is an error, on stderr.
type jsonError struct {
	Type    string   `json:"type"`
	Code    int      `json:"code"` // exit status
	Message string   `json:"message"`
	Hints   []string `json:"hints"`
	List    []string `json:"list,omitempty"` // the files or settings that it is about, where there are such
}

// printJSON prints one object on one line.
func (a *app) printJSON(v any) error { return writeJSON(a.stdout, v) }

func writeJSON(w io.Writer, v any) error {
	return writeIndented(w, v, "")
}

// writeIndented prints an object, in lines where there is something to indent them with. What a terminal would take for a command is escaped.
func writeIndented(w io.Writer, v any, indent string) error {
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false)
	e.SetIndent("", indent)
	if err := e.Encode(v); err != nil {
		return err
	}
	out := text.Bytes()
	if bytes.ContainsFunc(out, isUnseen) { // only in texts: JSON itself is ASCII
		var escaped bytes.Buffer
		for _, r := range text.String() {
			if isUnseen(r) {
				fmt.Fprintf(&escaped, `\u%04x`, r)
			} else {
				escaped.WriteRune(r)
			}
		}
		out = escaped.Bytes()
	}
	_, err := w.Write(out)
	return err
}

// isUnseen reports whether a terminal may take a character for a command, of those that JSON lets stand.
func isUnseen(r rune) bool {
	return r >= 0x7f && (unicode.IsControl(r) || unicode.In(r, unicode.Bidi_Control))
}

// notNil makes a list that JSON shows as [] where there is none.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
