package gitstate

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// formatPage is docs/format.md.
func formatPage(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "docs", "format.md"))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// trailersIn are the names of trailers of ours in a text.
func trailersIn(text string) []string {
	names := regexp.MustCompile(`Ralph-[A-Z][A-Za-z-]*`).FindAllString(text, -1)
	slices.Sort(names)
	return slices.Compact(names)
}

// docs/format.md names every trailer that the source does, and no other.
func TestEveryTrailerIsDocumented(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var source strings.Builder
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, quoted := range regexp.MustCompile(`"(Ralph-[A-Za-z-]+)"`).FindAllString(string(text), -1) {
				source.WriteString(quoted)
			}
		}
	}
	page := trailersIn(formatPage(t))
	code := trailersIn(source.String())
	for _, name := range code {
		if !slices.Contains(page, name) {
			t.Errorf("docs/format.md does not tell of %s", name)
		}
	}
	for _, name := range page {
		if !slices.Contains(code, name) {
			t.Errorf("docs/format.md tells of %s, which is nowhere in the source", name)
		}
	}
}

// docs/format.md names every key that a note can have.
func TestEveryNoteKeyIsDocumented(t *testing.T) {
	_, notes, _ := strings.Cut(formatPage(t), "\n## Notes\n")
	notes, _, _ = strings.Cut(notes, "\n## Leases\n")
	for _, path := range keysOf(knownNoteKeys(), "") {
		key := path[strings.LastIndex(path, ".")+1:]
		if key != "x" && !regexp.MustCompile("`(\\[+[a-z_.]*)?"+regexp.QuoteMeta(key)+"(\\.<model>)?(\\]+)?`").MatchString(notes) {
			t.Errorf("docs/format.md does not tell of the key %s of notes", path)
		}
	}
}

// keysOf are the keys of a table and of the tables in it, with dots.
func keysOf(in map[string]any, prefix string) []string {
	var all []string
	for key, value := range in {
		if inner, ok := tableOf(value); ok {
			all = append(all, keysOf(inner, prefix+key+".")...)
		}
		all = append(all, prefix+key)
	}
	slices.Sort(all)
	return all
}

// tableOf is a value that is a table, or the first one of a list.
func tableOf(value any) (map[string]any, bool) {
	switch v := reflect.ValueOf(value); v.Kind() {
	case reflect.Map:
		inner := map[string]any{}
		for _, key := range v.MapKeys() {
			inner[key.String()] = v.MapIndex(key).Interface()
		}
		return inner, true
	case reflect.Slice:
		if v.Len() > 0 && v.Index(0).Kind() != reflect.String {
			return tableOf(v.Index(0).Interface())
		}
	}
	return nil, false
}
