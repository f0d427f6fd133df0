package scud

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
)

// TagError says that it is not clear which tag is meant.
type TagError struct {
	Given string   // the name that is not there; empty: none was given
	Tags  []string // the names to choose from, in order
}

func (e *TagError) Error() string {
	switch {
	case len(e.Tags) == 0 && e.Given == "":
		return "the plan has no tasks"
	case len(e.Tags) == 0:
		return fmt.Sprintf("there is no tag %q: the plan has none", e.Given)
	case e.Given == "":
		return "the plan has several tags: " + strings.Join(e.Tags, ", ")
	}
	return fmt.Sprintf("there is no tag %q; the plan has %s", e.Given, strings.Join(e.Tags, ", "))
}

// ConflictError says that two files hold the same tag and do not agree.
type ConflictError struct {
	Tag        string    // its name
	Files      [2]string // relative to the plan's root, with slashes; the first one counts
	Difference string    // the first one, as a clause
}

func (e *ConflictError) Error() string {
	return fmt.Sprintf("%s and %s disagree about tag %q: %s", e.Files[0], e.Files[1], e.Tag, e.Difference)
}

// Choose returns the tag to work on: the given one; if that is empty, the active one; else the only one.
//
// The error is a *[TagError] with the names when that says nothing, a *[ConflictError] when a {tag}.json says something
// else than the file that counts, a *[ParseError] when the file that would hold the tag is broken. To get a tag in spite of
// a conflict, as when its statuses were changed by a loop, use [Plan.Tag].
func (p *Plan) Choose(given string) (*Tag, error) {
	name := given
	if name == "" {
		name = p.Active
		if _, ok := p.Tag(name); !ok && p.brokenTag(name) == nil {
			name = ""
		}
	}
	if name == "" && len(p.Tags) == 1 {
		name = p.Tags[0].Name
	}
	if t, ok := p.Tag(name); ok {
		if conflict := p.conflicts[name]; conflict != nil {
			return nil, conflict
		}
		return t, nil
	}
	if err := p.brokenTag(name); err != nil {
		return nil, err
	}
	e := &TagError{Given: given}
	for _, t := range p.Tags {
		e.Tags = append(e.Tags, t.Name)
	}
	return nil, e
}

// brokenTag returns what is wrong with the file that would hold a tag; nil when no file is broken that might. Without a
// name any broken file matters, if nothing else is there.
func (p *Plan) brokenTag(name string) error {
	for _, b := range p.broken {
		if name == "" && len(p.Tags) == 0 || name != "" && (b.tag == name || b.tag == "") {
			return b.err
		}
	}
	return nil
}

// compareTags says how b differs from a in what decides the order of work; empty if it does not. order reports whether that is more than statuses.
func compareTags(a, b *Tag) (difference string, order bool) {
	for _, t := range b.Tasks {
		if _, ok := a.Task(t.ID); !ok {
			return fmt.Sprintf("task %s is only in the second", t.ID), true
		}
	}
	for _, t := range a.Tasks {
		other, ok := b.Task(t.ID)
		switch {
		case !ok:
			return fmt.Sprintf("task %s is only in the first", t.ID), true
		case !slices.Equal(targets(a, t), targets(b, other)):
			return fmt.Sprintf("task %s has other dependencies in the second", t.ID), true
		case t.Status != other.Status && difference == "":
			difference = fmt.Sprintf("task %s is %s in the first and %s in the second", t.ID, t.Status, other.Status)
		}
	}
	return difference, false
}

// targets returns what a task depends on, in one spelling and order.
func targets(tag *Tag, t Task) []string {
	ids := make([]string, 0, len(t.DependsOn))
	for _, d := range t.DependsOn {
		if own, ok := tag.Task(d.On); ok {
			ids = append(ids, own.ID)
		} else {
			ids = append(ids, d.On)
		}
	}
	return sortIDs(ids)
}

// activeTag reads which tag SCUD works on. Where active-tag is, older files do not count.
func activeTag(root string) (string, error) {
	text, err := ReadText(filepath.Join(root, folder, "active-tag"))
	if err == nil {
		return strings.TrimSpace(text), nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read which tag is active: %w", err)
	}
	for _, name := range [...]string{folder, oldFolder} {
		text, err := ReadText(filepath.Join(root, name, "workflow-state.json"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return "", fmt.Errorf("read which tag is active: %w", err)
		}
		var state struct {
			Group string `json:"active_group"`
			Epic  string `json:"active_epic"`
		}
		if json.Unmarshal([]byte(text), &state) != nil {
			continue // an old file that nobody keeps up: it says nothing
		}
		if state.Group != "" {
			return state.Group, nil
		}
		return state.Epic, nil
	}
	return "", nil
}
