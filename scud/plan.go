package scud

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"
)

// Plan is all that the task files below one directory say.
type Plan struct {
	Root     string    // the directory that holds the .scud folder
	Active   string    // the tag that SCUD works on; empty: none. It may name a tag that is not there
	Tags     []*Tag    // in order of their names
	Warnings []Warning // about files as a whole; each tag has its own

	broken    []brokenFile
	conflicts map[string]*ConflictError // by tag
}

// brokenFile is a JSON file that cannot be understood. It matters only to who asks for what it should hold.
type brokenFile struct {
	tag string // the tag that it would be; empty: several
	err error
}

const (
	tasksFolder = folder + "/tasks"
	graphFile   = tasksFolder + "/tasks.scg"
	mirrorName  = "tasks.json"
)

// Read reads the task files below root, as [Find] returns it.
//
// For a tag that is in several files the first of these counts: tasks.scg, {tag}.json, tasks.json, and tasks.json of the
// oldest kind of folder. A tasks.scg that cannot be understood is a *[ParseError]; a broken JSON file is one only for
// [Plan.Choose], when it would have to hold the tag. Files are read under a shared lock; the error is a *[LockedError] when
// another process holds one for a minute. Without any file the plan has no tags.
func Read(ctx context.Context, root string) (*Plan, error) {
	p := &Plan{Root: root, conflicts: map[string]*ConflictError{}}
	if err := p.readGraph(ctx); err != nil {
		return nil, err
	}
	names, err := jsonFiles(root)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if err := p.readJSON(ctx, name); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(p.Tags, func(a, b *Tag) int { return cmp.Compare(a.Name, b.Name) })
	if p.Active, err = activeTag(root); err != nil {
		return nil, err
	}
	return p, nil
}

func (p *Plan) readGraph(ctx context.Context) error {
	text, err := readLocked(ctx, p.Root, graphFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	drafts, err := readFile(graphFile, text)
	if err != nil {
		return err
	}
	for _, d := range drafts {
		p.Tags = append(p.Tags, d.finish(p.Root))
	}
	return nil
}

// jsonFiles returns the names of the JSON files that may hold tasks, those first that count first.
func jsonFiles(root string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(tasksFolder)))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read plan: %w", err)
	}
	var names []string
	for _, e := range entries {
		if path.Ext(e.Name()) == ".json" && !e.IsDir() && e.Name() != mirrorName {
			names = append(names, tasksFolder+"/"+e.Name())
		}
	}
	return append(names, tasksFolder+"/"+mirrorName, oldFolder+"/tasks/"+mirrorName), nil
}

func (p *Plan) readJSON(ctx context.Context, name string) error {
	text, err := readLocked(ctx, p.Root, name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	drafts, err := readFile(name, text)
	if err != nil {
		tag := strings.TrimSuffix(path.Base(name), ".json")
		if path.Base(name) == mirrorName {
			tag = ""
		}
		p.broken = append(p.broken, brokenFile{tag, err})
		p.Warnings = append(p.Warnings, asWarning(err))
		return nil
	}
	for _, d := range drafts {
		p.take(d.finish(p.Root))
	}
	return nil
}

// take adds a tag of a JSON file, unless another file counts for it. A file of its own for the tag should then say the
// same, and may name its waves.
func (p *Plan) take(t *Tag) {
	first, ok := p.Tag(t.Name)
	if !ok {
		p.Tags = append(p.Tags, t)
		return
	}
	if path.Base(t.File) == mirrorName {
		return // known to be stale
	}
	difference, order := compareTags(first, t)
	if !order {
		first.also = t.File
	}
	if difference != "" {
		p.conflicts[t.Name] = &ConflictError{Tag: t.Name, Files: [2]string{first.File, t.File}, Difference: difference}
	}
	first.Waves = t.Waves
}

// Tag returns the tag of this name.
func (p *Plan) Tag(name string) (*Tag, bool) {
	i := slices.IndexFunc(p.Tags, func(t *Tag) bool { return t.Name == name })
	if i < 0 {
		return nil, false
	}
	return p.Tags[i], true
}

// Task returns the task that ref means to the tasks of a tag, and the tag it is in: an id of the same tag, or "tag:id" of
// any. It returns false when there is none.
func (p *Plan) Task(tag *Tag, ref string) (Task, *Tag, bool) {
	if t, ok := tag.Task(ref); ok {
		return t, tag, true
	}
	for i := range ref {
		if ref[i] != ':' {
			continue
		}
		if other, ok := p.Tag(ref[:i]); ok {
			if t, ok := other.Task(ref[i+1:]); ok {
				return t, other, true
			}
		}
	}
	return Task{}, nil, false
}

// readFile reads a task file of any format; the name says which. The result is nil for what is no task file.
func readFile(name, text string) ([]*draft, error) {
	if err := checkText(name, text); err != nil {
		return nil, err
	}
	if name == graphFile {
		return readSCG(name, text)
	}
	return readJSON(name, text)
}

// checkText makes sure that a file holds text at all.
func checkText(name, text string) error {
	if i := strings.IndexByte(text, 0); i >= 0 {
		return &ParseError{name, tableOf(text).of(i), "this is no text: it has a NUL byte"}
	}
	if !utf8.ValidString(text) {
		return &ParseError{name, tableOf(text).of(invalidAt(text)), "this is not UTF-8"}
	}
	return nil
}

// invalidAt returns where text stops being UTF-8.
func invalidAt(text string) int {
	for i, r := range text {
		if r != utf8.RuneError {
			continue
		}
		if _, size := utf8.DecodeRuneInString(text[i:]); size == 1 {
			return i
		}
	}
	return len(text)
}

func asWarning(err error) Warning {
	var parse *ParseError
	if errors.As(err, &parse) {
		return Warning{parse.File, parse.Line, parse.What}
	}
	return Warning{Text: err.Error()}
}
