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
	files = append(files, filepath.Join("..", "hooks", "message.go"))
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

// The rows of its table are the trailers in the order in which they are written. Their examples are read as the program reads them, and what may be there
// more than once is said to be.
func TestTheTableOfTrailersIsTheProgramsOwn(t *testing.T) {
	_, table, _ := strings.Cut(formatPage(t), "| trailer | example | on |\n| --- | --- | --- |\n")
	table, _, _ = strings.Cut(table, "\n\n")
	rows := strings.Split(table, "\n")[1:] // the first is Ralph-Format
	trailers := recordTrailers()
	if len(rows) != len(trailers) {
		t.Fatalf("docs/format.md has %d rows for %d trailers", len(rows)+1, len(trailers)+1)
	}
	read := 0
	for n, trailer := range trailers {
		cells := strings.Split(strings.Trim(rows[n], "| "), " | ")
		if len(cells) != 3 || cells[0] != "`"+trailer.key+"`" {
			t.Fatalf("docs/format.md: a row of %s belongs where this is: %s", trailer.key, rows[n])
		}
		if says := strings.Contains(cells[1], "repeated"); says != trailer.repeats {
			t.Errorf("%s is repeated: %t, docs/format.md says %t", trailer.key, trailer.repeats, says)
		}
		for _, example := range examplesOf(cells[1]) {
			read++
			if !trailer.read(&Record{}, example) {
				t.Errorf("%s: the program cannot read the example %q", trailer.key, example)
			}
		}
	}
	if read < 25 {
		t.Errorf("only %d examples were found", read)
	}
}

// examplesOf are the values that the begin of a cell shows, whole ones only.
func examplesOf(cell string) []string {
	begin := regexp.MustCompile("^(`[^`]+`(, or |, | )?)*").FindString(cell)
	var examples []string
	for _, m := range regexp.MustCompile("`([^`…]+)`").FindAllStringSubmatch(begin, -1) {
		examples = append(examples, m[1])
	}
	return examples
}

// docs/format.md tells of every event by the subject of its commit, of every status, and of every reason to end.
func TestEveryEventStatusAndExitIsDocumented(t *testing.T) {
	page := formatPage(t)
	source, err := os.ReadFile("event.go")
	if err != nil {
		t.Fatal(err)
	}
	events := regexp.MustCompile(`= "([a-z-]+)"`).FindAllStringSubmatch(string(source), -1)
	if rows := strings.Count(page, "\n| event | "); rows != len(events) || rows == 0 {
		t.Errorf("docs/format.md has %d rows for %d events", rows, len(events))
	}
	for _, event := range events {
		record := Record{Kind: Event, Event: event[1], Loop: "<loop>", Task: "<id>"}
		if row := "\n| event | `" + record.subject() + "` |"; !strings.Contains(page, row) {
			t.Errorf("docs/format.md has no row %s", row)
		}
	}
	_, exits, _ := strings.Cut(page, "| `Ralph-Exit` | the loop ended because |")
	exits, _, _ = strings.Cut(exits, "\n\n")
	read := 0
	for _, exit := range regexp.MustCompile("(?m)^\\| (`.*?) \\|").FindAllStringSubmatch(exits, -1) {
		for _, name := range examplesOf(exit[1]) {
			read++
			if _, ok := parseExit(name); !ok {
				t.Errorf("docs/format.md: the loop never ends with %s", name)
			}
		}
	}
	if read != len(Exits()) {
		t.Errorf("docs/format.md tells of %d ends, there are %d", read, len(Exits()))
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
	known := map[string]bool{"version": true}
	for _, path := range keysOf(knownNoteKeys(), "") {
		known[path[strings.LastIndex(path, ".")+1:]] = true
	}
	cells := regexp.MustCompile("(?m)^\\| (`[^|]*`) \\|").FindAllStringSubmatch(notes, -1)
	for _, cell := range cells {
		for _, name := range examplesOf(cell[1]) {
			name = strings.TrimSuffix(strings.Trim(name, "[]"), ".<model>")
			if !known[name[strings.LastIndex(name, ".")+1:]] {
				t.Errorf("docs/format.md: no note has %s", name)
			}
		}
	}
	if len(cells) < 15 {
		t.Errorf("only %d rows were found", len(cells))
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
