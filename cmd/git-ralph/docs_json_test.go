package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
)

// jsonTypes are the structs of this package that are printed as JSON, by name, with their comments.
type jsonTypes map[string]*jsonType

// jsonType is one of them.
type jsonType struct {
	doc    string
	fields []jsonField
}

// jsonField is a field; key is empty for a struct that is embedded.
type jsonField struct{ key, typ, comment string }

// jsonTypesOf reads them from the source: comments are not there otherwise.
func jsonTypesOf(t *testing.T) jsonTypes {
	t.Helper()
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	all := jsonTypes{}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.TYPE {
				all.add(g)
			}
		}
	}
	return all
}

// add adds a type whose fields have tags for JSON.
func (all jsonTypes) add(g *ast.GenDecl) {
	for _, spec := range g.Specs {
		s := spec.(*ast.TypeSpec)
		body, ok := s.Type.(*ast.StructType)
		if !ok {
			continue
		}
		one := &jsonType{doc: strings.TrimSpace(strings.ReplaceAll(g.Doc.Text(), "\n", " "))}
		tagged := false
		for _, f := range body.Fields.List {
			field := jsonField{typ: typeName(f.Type), comment: strings.TrimSpace(f.Comment.Text())}
			if f.Tag != nil {
				tag := reflect.StructTag(strings.Trim(f.Tag.Value, "`")).Get("json")
				var options string
				field.key, options, _ = strings.Cut(tag, ",")
				if strings.Contains(options, "omitempty") {
					field.comment = strings.TrimPrefix(field.comment+"; left out where there is none", "; ")
					field.typ = strings.TrimPrefix(field.typ, "*")
				}
				tagged = tagged || field.key != ""
			}
			one.fields = append(one.fields, field)
		}
		if tagged {
			all[s.Name.Name] = one
		}
	}
}

// typeName writes a type as it stands in the source.
func typeName(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.StarExpr:
		return "*" + typeName(e.X)
	case *ast.ArrayType:
		return "[]" + typeName(e.Elt)
	case *ast.MapType:
		return "map " + typeName(e.Value)
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return e.Sel.Name
	}
	return "any"
}

// jsonLines are the types that a command prints beside what the comments call its answer.
func jsonLines() map[string][]string {
	return map[string][]string{
		"start":   {"progressJSON", "iterationJSON", "endJSON"},
		"resume":  {"progressJSON", "iterationJSON", "endJSON"},
		"import":  {"progressJSON", "iterationJSON", "endJSON"},
		"log":     {"iterationJSON", "eventJSON"},
		"show":    {"eventJSON"},
		"export":  {"stateFile"},
		"version": {"version"},
	}
}

// The page of what --json prints is made of the structs and their comments.
func TestDocumentOfJSON(t *testing.T) {
	all := jsonTypesOf(t)
	grammar, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	var commands strings.Builder
	var shown []string
	for _, c := range grammar.Model.Children {
		var types []string
		for name, one := range all {
			said := regexp.MustCompile(`is the answer of (.*?)[.:]`).FindStringSubmatch(one.doc + ".")
			if said != nil && regexp.MustCompile(`(^|and )`+c.Name+`\b`).MatchString(said[1]) {
				types = append(types, name)
			}
		}
		slices.Sort(types)
		types = append(types, jsonLines()[c.Name]...)
		answers := slices.ContainsFunc(shownFlags(c.Flags), func(f *kong.Flag) bool { return f.Name == "json" })
		if answers != (len(types) > 0) {
			t.Errorf("%s: --json %t, but it prints %q: say of a struct that it is the answer of %s", c.Name, answers, types, c.Name)
		}
		if answers {
			var links []string
			for _, name := range types {
				links = append(links, jsonLink(name))
			}
			fmt.Fprintf(&commands, "| `%s` | %s |\n", c.Name, strings.Join(links, ", "))
			shown = append(shown, types...)
		}
	}
	generated(t, "json.md", jsonHead+commands.String()+all.tables(t, shown))
}

const jsonHead = `# What --json prints

One object on one line of standard output; ` + "`log`, `start` and `resume`" + ` print one for each thing that happened, which ` + "`type`" + ` names. Times are UTC as in
RFC 3339, times that something took are seconds (` + "`_s`" + `), what is not known is ` + "`null`" + ` and never 0, a list is never ` + "`null`" + `. ` + "`schema`" + ` is 1; fields are only added
to it. What a running loop says in words, and [errors](exit-status.md#errors-for-programs), are on standard error. What ` + "`export`" + ` prints
is [loop-state.json](loop-state.md), in the terms of other tools. This page is made from the program.

| command | prints |
| --- | --- |
`

// tables describe the types, and those that they are made of, each once.
func (all jsonTypes) tables(t *testing.T, names []string) string {
	var b strings.Builder
	done := map[string]bool{}
	for len(names) > 0 {
		name := names[0]
		names = names[1:]
		one := all[name]
		if done[name] {
			continue
		}
		if done[name] = true; one == nil {
			t.Errorf("there is no struct %s", name)
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n| key | value | |\n| --- | --- | --- |\n", jsonName(name), jsonSentence(name, one.doc))
		for _, f := range one.fields {
			inner := strings.NewReplacer("*", "", "[]", "", "map ", "").Replace(f.typ)
			if all[inner] != nil {
				names = append(names, inner)
			}
			if f.key == "" {
				fmt.Fprintf(&b, "| | | and all of %s |\n", jsonLink(inner))
			} else if f.key != "-" {
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", f.key, all.value(f.typ), strings.ReplaceAll(f.comment, "|", "\\|"))
			}
		}
	}
	return b.String()
}

// value says what a type is in JSON.
func (all jsonTypes) value(typ string) string {
	switch {
	case strings.HasPrefix(typ, "*"):
		return all.value(typ[1:]) + " or null"
	case strings.HasPrefix(typ, "[]"):
		return "list of " + all.value(typ[2:])
	case strings.HasPrefix(typ, "map "):
		return "object of " + all.value(typ[4:])
	case all[typ] != nil:
		return jsonLink(typ)
	}
	switch typ {
	case "int", "int64", "float64":
		return "number"
	case "bool", "any":
		return map[string]string{"bool": "true, false", "any": "anything"}[typ]
	case "Time":
		return "time"
	}
	return "text"
}

// jsonName is what a reader calls a type.
func jsonName(name string) string {
	words := regexp.MustCompile(`[A-Z][a-z]*|^[a-z]+`).FindAllString(strings.TrimSuffix(strings.Replace(name, "jsonError", "error", 1), "JSON"), -1)
	return strings.ToLower(strings.Join(words, " "))
}

func jsonLink(name string) string {
	return "[" + jsonName(name) + "](#" + strings.ReplaceAll(jsonName(name), " ", "-") + ")"
}

// jsonSentence is a comment without the name that it begins with.
func jsonSentence(name, doc string) string {
	doc = strings.TrimPrefix(strings.TrimPrefix(doc, name), " is ")
	doc = regexp.MustCompile(`\b[a-z]+JSON\b`).ReplaceAllStringFunc(doc, jsonName)
	return strings.ToUpper(doc[:1]) + strings.ReplaceAll(doc[1:], "A nil pointer is unknown", "What is null is unknown")
}
