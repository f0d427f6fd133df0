package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
)

const module = "github.com/git-ralph/git-ralph"

// house says which packages of ours a package may import. docs/architecture.md draws it. A package that is not named
// here may import none, so a new one is a decision. "*" is all, "runner/*" what lies below runner.
func house() map[string][]string {
	return map[string][]string{
		"bench":                  {"*"},
		"cmd/git-ralph":          {"*"},
		"cmd/git-ralph/internal": {"runner", "gitstate"},
		"runner":                 {"gitstate", "scud", "runner/*"},
		"runner/agent":           {"runner/proc", "runner/lines"},
		"runner/lines":           {},
		"runner/proc":            {},
		"runner/spec":            {"scud", "runner/lines"},
		"runner/testcount":       {"runner/lines"},
		"scud":                   {},
		"hooks":                  {"gitstate", "runner/proc"},
		"gitstate":               {},
	}
}

// reserved are things that only some packages may use: by import path and name, with the packages and what a newcomer
// needs to hear.
type reserved struct {
	path    string   // import path; empty: a method of anything
	names   []string // empty: the import itself
	only    []string // packages, or single files; empty: nobody
	because string
}

func reservations() []reserved {
	front := []string{"cmd/git-ralph", "cmd/git-ralph/internal", "bench"}
	process := append(slices.Clone(front), "runner/proc/main.go") // the supervisor is a process of its own
	store := "objects go through the Store of gitstate, refs through its Transact: go-git's own storage ignores git's locks and cannot open every repository"
	return []reserved{
		{"os/exec", nil, []string{"gitstate", "runner/proc", "bench"}, "programs are started only in gitstate (git) and runner/proc (everything else), where no process is left behind"},
		{"os", []string{"StartProcess"}, []string{"runner/proc"}, "programs are started only in gitstate (git) and runner/proc (everything else), where no process is left behind"},
		{"syscall", []string{"Exec", "ForkExec", "StartProcess"}, []string{"runner/proc"}, "programs are started only in gitstate (git) and runner/proc (everything else), where no process is left behind"},
		{"fmt", []string{"Print", "Printf", "Println"}, front, "only cmd/git-ralph prints: below it values and errors go out"},
		{"os", []string{"Stdout", "Stderr", "Stdin"}, process, "only cmd/git-ralph knows the terminal: take an io.Writer or return a value"},
		{"log", nil, front, "only cmd/git-ralph prints: return an error, or emit an event"},
		{"log/slog", nil, front, "only cmd/git-ralph prints: return an error, or emit an event"},
		{"os", []string{"Exit"}, process, "only cmd/git-ralph ends the process: return an error"},
		{"os", []string{"Getenv", "LookupEnv", "Environ", "Setenv", "Unsetenv", "ExpandEnv"}, process, "only cmd/git-ralph reads the environment: take what you need as a field"},
		{"github.com/go-git/go-git/v5", nil, nil, store},
		{"github.com/go-git/go-git/v5/storage/filesystem", nil, nil, store},
		{"github.com/go-git/go-git/v5/plumbing/transport", nil, nil, "fetch and push are the git program's work"},
		{"", []string{"PlainOpen", "PlainOpenWithOptions", "PlainInit", "PlainClone", "Worktree"}, nil, store},
		{"", []string{"SetReference", "CheckAndSetReference", "RemoveReference"}, []string{"gitstate/store_memory.go"}, store},
	}
}

// TestHouse reads the program's own source.
func TestHouse(t *testing.T) {
	for _, complaint := range houseComplaints(t, os.DirFS("../..")) {
		t.Error(complaint)
	}
}

// TestHouseComplains makes sure that TestHouse can fail: each of these files breaks one rule.
func TestHouseComplains(t *testing.T) {
	for name, c := range map[string]struct{ file, source, want string }{
		"arrow up":      {"gitstate/x.go", `package gitstate; import "` + module + `/runner"; var _ runner.Phase`, "may not import runner"},
		"sideways":      {"runner/agent/x.go", `package agent; import _ "` + module + `/runner/spec"`, "may not import runner/spec"},
		"new package":   {"util/x.go", `package util; import _ "` + module + `/scud"`, "may not import scud"},
		"to the top":    {"hooks/x.go", `package hooks; import _ "` + module + `/cmd/git-ralph"`, "may not import cmd/git-ralph"},
		"program":       {"runner/x.go", `package runner; import "os/exec"; var _ = exec.Command`, "programs are started only in"},
		"print":         {"scud/x.go", `package scud; import "fmt"; func f() { fmt.Println(1) }`, "only cmd/git-ralph prints"},
		"renamed":       {"scud/x.go", `package scud; import p "fmt"; func f() { p.Println(1) }`, "only cmd/git-ralph prints"},
		"builtin":       {"scud/x.go", `package scud; func f() { println(1) }`, "only cmd/git-ralph prints"},
		"exit":          {"runner/x.go", `package runner; import "os"; func f() { os.Exit(1) }`, "only cmd/git-ralph ends"},
		"environment":   {"gitstate/x.go", `package gitstate; import "os"; var x = os.Getenv("X")`, "only cmd/git-ralph reads the environment"},
		"open":          {"gitstate/x.go", `package gitstate; import git "github.com/go-git/go-git/v5"; var _ = git.PlainOpen`, "objects go through the Store"},
		"work tree":     {"gitstate/x.go", `package gitstate; func f(r interface{ Worktree() }) { r.Worktree() }`, "objects go through the Store"},
		"ref":           {"gitstate/x.go", `package gitstate; func f(r interface{ SetReference(int) }) { r.SetReference(1) }`, "refs through its Transact"},
		"start-up work": {"scud/x.go", `package scud; func init() {}`, "does work at start-up"},
		"no comment":    {"scud/x.go", `package scud`, "has no package comment"},
	} {
		t.Run(name, func(t *testing.T) {
			got := houseComplaints(t, fstest.MapFS{c.file: {Data: []byte(c.source)}})
			if !slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, c.want) }) {
				t.Errorf("got %q, want a complaint with %q", got, c.want)
			}
		})
	}
	fine := `// Package runner is fine.
package runner
import ("fmt"; "` + module + `/gitstate")
type q struct{ Worktree string }
func f(x q) string { return fmt.Sprint(x.Worktree, gitstate.NotesRef) }`
	if got := houseComplaints(t, fstest.MapFS{"runner/x.go": {Data: []byte(fine)}, "runner/x_test.go": {Data: []byte(`package runner; import _ "os/exec"`)}}); len(got) > 0 {
		t.Errorf("a fine file is complained about: %q", got)
	}
}

// houseComplaints reads every Go file but the tests, for whatever system it is built.
func houseComplaints(t *testing.T, source fs.FS) []string {
	var complaints []string
	documented := map[string]bool{}
	err := fs.WalkDir(source, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || len(d.Name()) > 1 && d.Name()[0] == '.'):
			return fs.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		text, err := fs.ReadFile(source, name)
		if err != nil {
			return err
		}
		files := token.NewFileSet()
		file, err := parser.ParseFile(files, name, text, parser.ParseComments)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		documented[dir] = documented[dir] || file.Doc != nil
		complaints = append(complaints, importComplaints(name, file)...)
		complaints = append(complaints, useComplaints(name, file, files)...)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for dir, has := range documented {
		if !has {
			complaints = append(complaints, dir+" has no package comment: say in doc.go what it is, how its parts fit, what it never does")
		}
	}
	return complaints
}

// importComplaints names the imports of ours that run against the house.
func importComplaints(name string, file *ast.File) []string {
	var complaints []string
	from := path.Dir(name)
	room := from
	if strings.HasPrefix(from, "cmd/git-ralph/internal/") {
		room = "cmd/git-ralph/internal"
	}
	for _, spec := range file.Imports {
		full, _ := strconv.Unquote(spec.Path.Value)
		to, ours := strings.CutPrefix(full, module+"/")
		if !ours || slices.ContainsFunc(house()[room], func(may string) bool { return may == "*" || matchesRoom(may, to) }) {
			continue
		}
		complaints = append(complaints, fmt.Sprintf("%s: %s may not import %s: arrows go down only (docs/architecture.md); "+
			"pass a value or a function in from the caller, or move the code to the package whose job it is", name, from, to))
	}
	return complaints
}

func matchesRoom(may, to string) bool {
	above, below := strings.CutSuffix(may, "/*")
	return may == to || below && strings.HasPrefix(to, above+"/")
}

// useComplaints names what the file uses although it is reserved to others.
func useComplaints(name string, file *ast.File, files *token.FileSet) []string {
	u := &uses{file: name, files: files, imported: map[string]string{}}
	for _, spec := range file.Imports {
		full, _ := strconv.Unquote(spec.Path.Value)
		local := path.Base(strings.TrimSuffix(full, "/v5"))
		if spec.Name != nil {
			local = spec.Name.Name
		}
		u.imported[local] = full
		u.check(spec.Pos(), "imports "+full, func(r reserved) bool { return r.path == full && r.names == nil })
	}
	ast.Inspect(file, u.visit)
	return u.complaints
}

// uses gathers complaints about one file.
type uses struct {
	file       string
	files      *token.FileSet
	imported   map[string]string // local name to import path
	complaints []string
}

func (u *uses) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		if n.Recv == nil && n.Name.Name == "init" {
			u.say(n.Pos(), "init", "no package of ours does work at start-up")
		}
	case *ast.CallExpr:
		if plain, ok := n.Fun.(*ast.Ident); ok && (plain.Name == "print" || plain.Name == "println") {
			u.say(n.Pos(), plain.Name, "only cmd/git-ralph prints: below it values and errors go out")
		}
		if called, ok := n.Fun.(*ast.SelectorExpr); ok {
			u.check(n.Pos(), called.Sel.Name, func(r reserved) bool { return r.path == "" && slices.Contains(r.names, called.Sel.Name) })
		}
	case *ast.SelectorExpr:
		if from, ok := n.X.(*ast.Ident); ok && u.imported[from.Name] != "" {
			u.check(n.Pos(), from.Name+"."+n.Sel.Name, func(r reserved) bool {
				return r.path == u.imported[from.Name] && slices.Contains(r.names, n.Sel.Name)
			})
		}
	}
	return true
}

func (u *uses) check(at token.Pos, what string, matches func(reserved) bool) {
	for _, r := range reservations() {
		if matches(r) && !mayUse(r, u.file) {
			u.say(at, what, r.because)
		}
	}
}

func (u *uses) say(at token.Pos, what, because string) {
	u.complaints = append(u.complaints, fmt.Sprintf("%s:%d: %s: %s", u.file, u.files.Position(at).Line, what, because))
}

// mayUse reports whether the file lies in a package that a thing is reserved to.
func mayUse(r reserved, file string) bool {
	return slices.ContainsFunc(r.only, func(room string) bool {
		return file == room || path.Dir(file) == room || strings.HasSuffix(room, "/internal") && strings.HasPrefix(file, room+"/")
	})
}
