package main

import (
	"encoding/json"
	"io"
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
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// notNil makes a list that JSON shows as [] where there is none.
func notNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
