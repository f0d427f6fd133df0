package gitstate

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// A note is written as TOML that reads well in `git log --notes=ralph`: `version = 1` is its first line, values of many
// lines are written as such, lists of paths have one line each. `version =` stands at the beginning of no other line, so
// that notes which git joined can be told apart: keys below the top level are indented, and a line of text that begins
// with the word has its first letter escaped.

// tomlWriter writes tables of the types that a TOML decoder gives back.
type tomlWriter struct {
	b      bytes.Buffer
	indent string
	err    error
}

// writeTOML returns the text of a table. Keys come in the order of first, the others sorted after them; tables last.
func writeTOML(table map[string]any, first []string) ([]byte, error) {
	var w tomlWriter
	w.table(nil, table, first)
	return w.b.Bytes(), w.err
}

func (w *tomlWriter) table(path []string, table map[string]any, first []string) {
	var keys, tables []string
	for _, key := range orderedKeys(table, first) {
		if isTable(table[key]) {
			tables = append(tables, key)
		} else {
			keys = append(keys, key)
		}
	}
	for _, key := range keys {
		fmt.Fprintf(&w.b, "%s%s = %s\n", w.indent, w.key(key), w.value(table[key]))
	}
	for _, key := range tables {
		inner := append(slices.Clone(path), key)
		switch v := table[key].(type) {
		case map[string]any:
			w.section("["+w.path(inner)+"]", inner, v)
		case []map[string]any:
			for _, element := range v {
				w.section("[["+w.path(inner)+"]]", inner, element)
			}
		}
	}
}

// section writes a table under its header.
func (w *tomlWriter) section(header string, path []string, table map[string]any) {
	outer := w.indent
	if len(path) == 1 {
		w.b.WriteByte('\n')
	}
	w.b.WriteString(outer + header + "\n")
	w.indent = outer + "  "
	w.table(path, table, nil)
	w.indent = outer
}

func isTable(v any) bool {
	switch v.(type) {
	case map[string]any, []map[string]any:
		return true
	}
	return false
}

func orderedKeys(table map[string]any, first []string) []string {
	var keys []string
	for _, key := range first {
		if _, ok := table[key]; ok {
			keys = append(keys, key)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(table)) {
		if !slices.Contains(first, key) {
			keys = append(keys, key)
		}
	}
	return keys
}

func (w *tomlWriter) path(keys []string) string {
	quotedKeys := make([]string, len(keys))
	for i, key := range keys {
		quotedKeys[i] = w.key(key)
	}
	return strings.Join(quotedKeys, ".")
}

func (w *tomlWriter) key(key string) string {
	if isTrailerKey(strings.ReplaceAll(key, "_", "-")) {
		return key
	}
	return tomlString(key)
}

func (w *tomlWriter) value(v any) string {
	switch v := v.(type) {
	case string:
		if strings.Contains(v, "\n") {
			return tomlText(v)
		}
		return tomlString(v)
	case []string:
		if len(v) == 0 {
			return "[]"
		}
		var b strings.Builder
		for _, s := range v {
			b.WriteString("\n" + w.indent + "  " + tomlString(s) + ",")
		}
		return "[" + b.String() + "\n" + w.indent + "]"
	case []any:
		values := make([]string, len(v))
		for i, element := range v {
			values[i] = w.inline(element)
		}
		return "[" + strings.Join(values, ", ") + "]"
	}
	text, err := toml.Marshal(map[string]any{"v": v})
	if err != nil {
		w.err = fmt.Errorf("write %T: %w", v, err)
	}
	return strings.TrimSuffix(strings.TrimPrefix(string(text), "v = "), "\n")
}

// inline returns a value inside of an array, on one line.
func (w *tomlWriter) inline(v any) string {
	switch v := v.(type) {
	case string:
		return tomlString(v)
	case map[string]any:
		var pairs []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			pairs = append(pairs, w.key(key)+" = "+w.inline(v[key]))
		}
		return "{" + strings.Join(pairs, ", ") + "}"
	case []map[string]any:
		values := make([]string, len(v))
		for i, element := range v {
			values[i] = w.inline(element)
		}
		return "[" + strings.Join(values, ", ") + "]"
	}
	return w.value(v)
}

// tomlString returns s as a string on one line.
func tomlString(s string) string { return `"` + escapeTOML(s, '\n') + `"` }

// tomlText returns s as a string of many lines. No line of it begins like the first line of a note.
func tomlText(s string) string {
	lines := strings.Split(escapeTOML(s, 0), "\n")
	for i, line := range lines {
		if rest, found := strings.CutPrefix(line, "version"); found {
			lines[i] = `\u0076ersion` + rest
		}
	}
	return `"""` + "\n" + strings.Join(lines, "\n") + `"""`
}

// escapeTOML escapes quotes, backslashes and control characters but for tab; a newline when it is the one given.
func escapeTOML(s string, newline rune) string {
	var b strings.Builder
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteString(`\` + string(r))
		case r == '\n' && newline == '\n':
			b.WriteString(`\n`)
		case isControl(r) && r != '\t' && r != '\n':
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
