package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"strconv"
	"strings"
	"testing"
)

// TestDependenciesAreExplained looks for every module that we import in docs/dependencies.md.
func TestDependenciesAreExplained(t *testing.T) {
	source := os.DirFS("../..")
	text, err := fs.ReadFile(source, "docs/dependencies.md")
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	err = fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path.Ext(name) != ".go" {
			return err
		}
		code, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, code, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			full, _ := strconv.Unquote(spec.Path.Value)
			if m := moduleOf(full); m != "" && !seen[m] {
				seen[m] = true
				if !strings.Contains(string(text), m) {
					t.Errorf("%s imports %s: say in docs/dependencies.md what it does for us and what doing without would cost", name, m)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) == 0 {
		t.Error("no import was read at all")
	}
}

// moduleOf returns the name by which docs/dependencies.md knows the module of an import: its path without the host github.com; empty for the
// standard library and for our own packages.
func moduleOf(full string) string {
	host, rest, _ := strings.Cut(full, "/")
	switch {
	case !strings.Contains(host, ".") || strings.HasPrefix(full, module):
		return ""
	case host == "github.com" || host == "golang.org":
		first, rest, _ := strings.Cut(rest, "/")
		second, _, _ := strings.Cut(rest, "/")
		return first + "/" + second
	}
	first, _, _ := strings.Cut(rest, "/")
	return host + "/" + first
}
