package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A document is walked through from top to bottom, as a reader would who types all that it shows:
//
//   - in a block of ```console a line that begins with "$ " is typed (lines that begin with "> " go on with it), and what follows is what it prints; a line
//     "..." stands for any number of lines. What comes after `git ralph demo` is all its output: it shows commands itself. A command must succeed, unless
//     the next line that is typed is `echo $?`.
//   - a block of ```LANGUAGE FILE is a file, written as it stands.
//
// A page begins in an empty directory, or where docBegins says. With GIT_RALPH_UPDATE_DOCS=1 what is printed now is written into the documents.

// docBegins says what a page finds that does not begin in an empty directory.
var docBegins = map[string]func(*lab, *reader){
	"README.md":      inTheDemo,
	"docs/format.md": inTheDemo,

	"docs/agents.md":        besideShop,
	"docs/configuration.md": inShop,
	"docs/exit-status.md":   inShop,
	"docs/machines.md":      onTwoMachines,
	"docs/overnight.md":     withClaude,
}

// Only what a machine and a moment decide may differ between a document and what the program prints.
var docNoise = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "<id>"},
	{regexp.MustCompile(`\b[0-9a-f]{7,10}\b`), "<short>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?( UTC|Z)?`), "<time>"},
	{regexp.MustCompile(`\b\d\d:\d\d(:\d\d)?\b`), "<clock>"},
	{regexp.MustCompile(`\b(just now|\d+s ago)\b`), "<ago>"},
	{regexp.MustCompile(` +\d+(\.\d+)?s\b`), " <seconds>"},
	{regexp.MustCompile(`elapsed_s = [\d.]+`), "elapsed_s = <seconds>"},
	{regexp.MustCompile(`(?m)^Date:.*$`), "Date: <date>"},
}

// quiet takes out of a text what may differ.
func quiet(text string) string {
	for _, noise := range docNoise {
		text = noise.pattern.ReplaceAllString(text, noise.instead)
	}
	return text
}

// documents are the README, CONTRIBUTING and the pages of docs, by their paths from the top level.
func documents(t *testing.T) map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "docs", "*.md"))
	if err != nil || len(files) < 5 {
		t.Fatalf("pages: %d, %v", len(files), err)
	}
	texts := map[string]string{}
	for _, file := range append(files, filepath.Join("..", "..", "README.md"), filepath.Join("..", "..", "CONTRIBUTING.md")) {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name, err := filepath.Rel(filepath.Join("..", ".."), file)
		if err != nil {
			t.Fatal(err)
		}
		texts[filepath.ToSlash(name)] = string(text)
	}
	return texts
}

// shownFile is a file that a page of docs shows.
func shownFile(t *testing.T, page, name string) string {
	t.Helper()
	for _, block := range fence.FindAllStringSubmatch(document(t, page), -1) {
		if block[2] == name {
			return block[3]
		}
	}
	t.Fatalf("docs/%s does not show %s", page, name)
	return ""
}

func TestDocumentsShowRealOutput(t *testing.T) {
	t.Parallel()
	for file, text := range documents(t) {
		if strings.Contains(text, "```console\n") {
			t.Run(strings.TrimPrefix(file, "docs/"), func(t *testing.T) {
				t.Parallel()
				walk(t, file, text)
			})
		} else if docBegins[file] != nil {
			t.Errorf("%s has nothing to run", file)
		}
	}
}

// walk does what a page says, and compares, or writes, what is printed.
func walk(t *testing.T, file, text string) {
	l := newLab(t)
	r := &reader{l: l, dir: l.home()}
	if begin := docBegins[file]; begin != nil {
		begin(l, r)
	}
	differ := false
	fresh := fence.ReplaceAllStringFunc(text, func(block string) string {
		part := fence.FindStringSubmatch(block)
		language, name, body := part[1], part[2], part[3]
		switch {
		case name != "":
			r.writes(name, body)
		case language == "console":
			now := r.follows(body)
			if quiet(now) != quiet(body) {
				differ = true
				if !updatesDocs() {
					t.Errorf("%s shows\n%s\nbut the commands print\n%s\nGIT_RALPH_UPDATE_DOCS=1 go test ./cmd/git-ralph -run Docum writes it", file, body, now)
				}
			}
			return "```console\n" + now + "```"
		}
		return block
	})
	if differ && updatesDocs() {
		writeDocument(t, file, fresh)
	}
}

// fence is a block of code: its language, the file that it is, its lines.
var fence = regexp.MustCompile("(?ms)^```([a-z]*)(?: ([^\n]+))?\n(.*?)^```$")

func updatesDocs() bool { return os.Getenv("GIT_RALPH_UPDATE_DOCS") != "" }

func writeDocument(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join("..", "..", filepath.FromSlash(file)), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}
