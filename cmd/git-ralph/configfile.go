package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// repositoryFile is the configuration that a repository brings along, at the top level of its work tree.
const repositoryFile = ".ralph.toml"

// userFile returns the path of the user's own configuration and how users know it; empty: there is no place for one.
func (a *app) userFile() (path, name string) {
	dir, short := a.getenv("XDG_CONFIG_HOME"), ""
	home := a.getenv("HOME")
	switch {
	case filepath.IsAbs(dir):
	case runtime.GOOS == "windows":
		dir = a.getenv("AppData")
	case home != "":
		dir = filepath.Join(home, ".config")
	default:
		dir = ""
	}
	if dir == "" {
		return "", ""
	}
	path = filepath.Join(dir, "git-ralph", "config.toml")
	if rest, ok := strings.CutPrefix(path, home+string(filepath.Separator)); ok && home != "" {
		short = "~/" + filepath.ToSlash(rest)
	}
	if short == "" {
		short = path
	}
	return path, short
}

// readConfig reads a configuration file. A file that is not there has no entries.
func readConfig(path, name string, from origin) ([]entry, error) {
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() { // a link that came with a clone may lead to what has no end
		return nil, &problem{status: 1, text: fmt.Sprintf("read configuration %s: it is no file", name), hints: []string{"look at it: ls -l " + shellWord(path)}}
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, &problem{status: 1, text: fmt.Sprintf("read configuration %s: %v", name, errors.Unwrap(err)), cause: err,
			hints: []string{"look at it: ls -l " + shellWord(path)}}
	}
	return parseConfig(string(text), source{origin: from, name: name})
}

// located is a key's value in a TOML file, and its line: to refuse every value is the one way to be told where it
// stands.
type located struct {
	key   string
	value any
	line  int // zero: unknown
}

var errLocated = errors.New("located")

// UnmarshalTOML keeps the value.
func (l *located) UnmarshalTOML(value any) error {
	l.value = value
	return errLocated
}

// byLine returns the values of a table in the order of the file.
func byLine(md *toml.MetaData, table map[string]toml.Primitive) []located {
	var all []located
	for key, raw := range table {
		l := located{key: key}
		if e, ok := errors.AsType[toml.ParseError](md.PrimitiveDecode(raw, &l)); ok {
			l.line = e.Position.Line
		}
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b located) int {
		return cmp.Or(cmp.Compare(a.line, b.line), strings.Compare(a.key, b.key))
	})
	return all
}

// parseConfig reads the text of a configuration file. Entries are in the order of the file.
func parseConfig(text string, where source) ([]entry, error) {
	var raw map[string]toml.Primitive
	md, err := toml.Decode(strings.TrimPrefix(text, "\ufeff"), &raw)
	if e, ok := errors.AsType[toml.ParseError](err); ok {
		where.line = e.Position.Line
		return nil, &problem{status: 1, text: fmt.Sprintf("%s: %s", where, e.Message), cause: err, hints: []string{"TOML looks like this: max_iterations = 20"}}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", where, err)
	}
	p := configParser{md: &md, where: where}
	for _, v := range byLine(&md, raw) {
		if err := p.add(v, raw[v.key]); err != nil {
			return nil, err
		}
	}
	return p.entries, nil
}

// configParser collects the entries of one file.
type configParser struct {
	md      *toml.MetaData
	where   source
	entries []entry
}

// isGroup reports whether a key stands for a table whose keys are settings themselves.
func isGroup(key string) bool {
	return key == "env" || key == "snapshot" || key == "push" || key == "push.checks"
}

// add takes one key of the file's top level, or of a group.
func (p *configParser) add(v located, raw toml.Primitive) error {
	if _, isTable := v.value.(map[string]any); !isTable || !isGroup(v.key) {
		if v.key == "push.after_iteration" { // as `push = true` where there is no such table
			v.key = "push"
		}
		return p.put(v.key, v)
	}
	var inner map[string]toml.Primitive
	if err := p.md.PrimitiveDecode(raw, &inner); err != nil {
		return fmt.Errorf("%s: %s: %w", p.where, v.key, err)
	}
	for _, in := range byLine(p.md, inner) {
		value := inner[in.key]
		if in.line == 0 { // a table that only dotted keys make
			in.line = v.line
		}
		if v.key == "env" {
			in.key, in.value = "env", map[string]any{in.key: in.value}
			if err := p.put("env", in); err != nil {
				return err
			}
			continue
		}
		in.key = v.key + "." + in.key
		if err := p.add(in, value); err != nil {
			return err
		}
	}
	return nil
}

func (p *configParser) put(key string, v located) error {
	where := p.where
	where.line = v.line
	s, ok := findSetting(func(s setting) bool { return s.key == key })
	if !ok {
		return unknownKey(key, where)
	}
	p.entries = append(p.entries, entry{setting: s, value: v.value, source: where})
	return nil
}

// unknownKey says that a file has a key that means nothing, and what may have been meant.
func unknownKey(key string, where source) error {
	var keys []string
	for _, s := range settings() {
		keys = append(keys, s.key)
	}
	p := &problem{status: 1, text: fmt.Sprintf("%s: %s is no setting", where, key)}
	_, last, nested := strings.Cut(key, ".")
	under := strings.ReplaceAll(key, "-", "_")
	switch {
	case slices.Contains(keys, under):
		p.hints = []string{"write " + under}
	case slices.Contains(keys, "snapshot."+under):
		p.hints = []string{"write it below [snapshot]"}
	case nested && slices.Contains(keys, last):
		p.hints = []string{"write " + last + " before the first [table]"}
	case closest(under, keys) != "":
		p.hints = []string{"did you mean: " + closest(under, keys)}
	}
	p.hints = append(p.hints, "settings are named as flags: git ralph start -h")
	return p
}
