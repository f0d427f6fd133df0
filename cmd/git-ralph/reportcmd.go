package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/report"
	"github.com/git-ralph/git-ralph/hooks"
)

// reportCmd writes a loop down as one page.
type reportCmd struct {
	Loop   string `arg:"" optional:"" help:"The loop (default: the branch's, or the only one)."`
	Output string `short:"o" placeholder:"FILE" help:"Write it to FILE (default: standard output)."`
	Format string `placeholder:"html|markdown" help:"html, or markdown for a pull request (default: html, or as FILE ends)."`
}

// The formats of a report.
const (
	formatHTML     = "html"
	formatMarkdown = "markdown"
)

// Run reads the whole history of the loop, and writes the page when all of it is there.
func (c *reportCmd) Run(ctx context.Context, a *app) error {
	format, err := c.format()
	if err != nil {
		return err
	}
	l, err := a.loop(ctx, c.Loop)
	if err != nil {
		return err
	}
	if c.Output == "" && format == formatHTML && a.outTerm.is {
		return usage("git ralph report "+shellWord(l.Name)+" -o report.html", "a report is a page for a browser: name a file for it")
	}
	v, err := a.read(ctx, l)
	if err != nil {
		return err
	}
	page, err := during(a, "reading every iteration", func() (report.Page, error) { return a.readPage(ctx, v) })
	if err != nil {
		return err
	}
	write := report.HTML
	if format == formatMarkdown {
		write = report.Markdown
	}
	if c.Output == "" {
		return write(a.stdout, page)
	}
	var text bytes.Buffer
	if err := write(&text, page); err != nil {
		return err
	}
	if err := replaceFile(a.path(c.Output), text.Bytes()); err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	a.say("%s: %s, %s", flat(c.Output), counted(len(page.Iterations), "iteration"), sizeWords(text.Len()))
	return a.warnOfDirt(ctx, a.path(c.Output))
}

// warnOfDirt says when a file that was written is in the way of loops: they want a clean work tree.
func (a *app) warnOfDirt(ctx context.Context, path string) error {
	file := fromTop(a.opened.TopLevel, path)
	if !filepath.IsLocal(file) {
		return nil
	}
	dirty, err := a.opened.Dirty(ctx)
	if err == nil && slices.Contains(dirty, file) {
		a.say("hint: resume and land want a clean work tree: write it elsewhere, such as -o %s", shellWord("../"+filepath.Base(file)))
	}
	return err
}

// format is the one that is asked for.
func (c *reportCmd) format() (string, error) {
	switch c.Format {
	case formatHTML, formatMarkdown:
		return c.Format, nil
	case "":
		if end := strings.ToLower(filepath.Ext(c.Output)); end == ".md" || end == ".markdown" {
			return formatMarkdown, nil
		}
		return formatHTML, nil
	}
	return "", usage("one of: "+formatHTML+" "+formatMarkdown, "--format: there is no report in %q", c.Format)
}

// sizeWords writes a number of bytes.
func sizeWords(bytes int) string {
	if bytes < 1000 {
		return counted(bytes, "byte")
	}
	return fmt.Sprintf("%d kB", (bytes+500)/1000)
}

// replaceFile writes a file: all of it, or it stays as it was. What is no file, such as a pipe, or a link to one, is written into.
func replaceFile(path string, text []byte) error {
	rights := fs.FileMode(0o666)
	if info, err := os.Lstat(path); err == nil {
		if !info.Mode().IsRegular() {
			return os.WriteFile(path, text, rights)
		}
		rights = info.Mode().Perm()
	}
	root, err := os.OpenRoot(filepath.Dir(path))
	if err == nil {
		defer root.Close()
		err = hooks.WriteWhole(root, filepath.Base(path), text, rights)
	}
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		e.Op, e.Path = strings.TrimSuffix(e.Op, "at"), path // the name that the user knows
	}
	return err
}
