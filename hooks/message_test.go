package hooks

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

func TestWithDuring(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		template bool
		want     string // empty: as it was
	}{
		"subject":          {"Add a\n", false, "Add a\n\nRalph-During: it/3\n"},
		"no line end":      {"Add a", false, "Add a\n\nRalph-During: it/3\n"},
		"body":             {"Add a\n\nBecause.\n", false, "Add a\n\nBecause.\n\nRalph-During: it/3\n"},
		"trailers":         {"Add a\n\nSigned-off-by: A <a@b>\n", false, "Add a\n\nSigned-off-by: A <a@b>\nRalph-During: it/3\n"},
		"subject as such":  {"fix: a thing\n", false, "fix: a thing\n\nRalph-During: it/3\n"},
		"number":           {"#12 is fixed\n", false, "#12 is fixed\n\nRalph-During: it/3\n"},
		"marked already":   {"Add a\n\nRalph-During: it/2\n", false, ""},
		"editor":           {"\n# Please enter\n#\n", true, "\n\nRalph-During: it/3\n\n# Please enter\n#\n"},
		"editor, merge":    {"Merge branch 'x'\n\n# Please enter\n", true, "Merge branch 'x'\n\nRalph-During: it/3\n\n# Please enter\n"},
		"verbose":          {"Add\n# ------------------------ >8 ------------------------\ndiff\n+Ralph-During: x\n", true, "Add\n\nRalph-During: it/3\n# ------------------------ >8 ------------------------\ndiff\n+Ralph-During: x\n"},
		"marked, in prose": {"Add a\n\nIt has Ralph-During: it/2 in it.\n", false, "Add a\n\nIt has Ralph-During: it/2 in it.\n\nRalph-During: it/3\n"},
	} {
		got, changed := withDuring(c.text, "it/3", c.template)
		want := c.want
		if want == "" {
			want = c.text
		}
		if got != want || changed != (c.want != "") {
			t.Errorf("%s: %q, changed %v, want %q", name, got, changed, want)
		}
	}
}

// FuzzWithDuring makes sure that a message keeps every line that it has, and that the trailer is found again.
func FuzzWithDuring(f *testing.F) {
	f.Add("Add a\n\nSigned-off-by: A <a@b>\n", false)
	f.Add("\n# Please enter\n", true)
	f.Add("a: b\nc: d\n\n# x", true)
	f.Fuzz(func(t *testing.T, text string, template bool) {
		got, changed := withDuring(text, "it/3", template)
		if !changed && got != text {
			t.Fatalf("%q became %q", text, got)
		}
		if left := strings.Fields(strings.Replace(got, "Ralph-During: it/3", "", 1)); changed && strings.Join(left, " ") != strings.Join(strings.Fields(text), " ") {
			t.Fatalf("%q became %q", text, got)
		}
		if again, twice := withDuring(got, "it/3", false); !template && changed && twice && strings.TrimSpace(text) != "" {
			t.Fatalf("%q became %q and then %q", text, got, again)
		}
	})
}

func TestPrepareMessageKeepsTheFilesMode(t *testing.T) {
	file := filepath.Join(t.TempDir(), "message")
	if err := os.WriteFile(file, []byte("Add a\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := PrepareMessage(file, "it", "3", false); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if m := gitstate.ParseMessage(string(text)); err != nil || len(m.Trailers) != 1 || m.Trailers[0].Value != "it/3" || m.Subject != "Add a" {
		t.Errorf("%q, %v", text, err)
	}
	if err := PrepareMessage(filepath.Join(t.TempDir(), "none"), "it", "3", false); err == nil {
		t.Error("a message that is not there is no error")
	}
}
