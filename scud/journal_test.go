package scud

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// tear writes a file as a killed writer leaves it: the fresh text up to a byte, what was there behind it, and its journal.
func tear(t *testing.T, path, was, fresh string, from, at int, edits []edit) {
	t.Helper()
	torn := fresh[:at]
	if at < len(was) {
		torn += was[at:]
	}
	if err := os.WriteFile(path, []byte(was), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := tryOpen(path, true)
	if err != nil || f == nil {
		t.Fatal(f, err)
	}
	if err := f.keep(was, from, edits); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(torn), 0o666); err != nil {
		t.Fatal(err)
	}
}

const jsonFile = tasksFolder + "/shop.json"

// layJSON makes a folder for a plan and returns it and the path of its file.
func layJSON(t *testing.T) (root, path string) {
	t.Helper()
	root = t.TempDir()
	path = filepath.Join(root, filepath.FromSlash(jsonFile))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	return root, path
}

// A write that was cut short at any byte is taken back, whether the file was to become longer or shorter.
func TestTornWrite(t *testing.T) {
	root, path := layJSON(t)
	for _, marks := range [][2]string{{"pending", "in-progress"}, {"in-progress", "done"}, {"done", "blocked"}} {
		was := `{"tasks": [{"id": 1, "status": "` + marks[0] + `", "title": "aaaaaaaaaaaa"}, {"id": 2, "status": "pending"}]}`
		from := strings.Index(was, marks[0])
		edits := []edit{{from, from + len(marks[0]), marks[1]}}
		fresh := string(splice(was, 0, len(was), edits))
		for at := from; at <= len(fresh); at++ {
			tear(t, path, was, fresh, from, at, edits)
			whole := at == len(fresh) && len(fresh) > len(was)
			text, err := readLocked(context.Background(), root, jsonFile)
			if want := map[bool]string{false: was, true: fresh}[whole]; err != nil || text != want {
				t.Fatalf("%v torn at %d: %q, error %v; want %q", marks, at, text, err, want)
			}
			if _, err := os.Lstat(path + journalEnding); !os.IsNotExist(err) {
				t.Fatalf("%v torn at %d: the journal is still there: %v", marks, at, err)
			}
		}
	}
}

// What somebody else wrote since stays; so does the file when the kill came before the journal was whole.
func TestJournalOfAnotherTime(t *testing.T) {
	root, path := layJSON(t)
	was := `{"tasks": [{"id": 1, "status": "pending"}]}`
	edits := []edit{{31, 40, `"in-progress"`}}
	fresh := string(splice(was, 0, len(was), edits))
	for name, c := range map[string]struct{ now, journal string }{
		"edited since":        {now: `{"tasks": [{"id": 1, "status": "done", "title": "x"}]}`},
		"edited to one size":  {now: strings.Replace(fresh, "id", "ID", 1)[:31] + strings.Replace(fresh[31:], "in", "on", 1)},
		"emptied since":       {now: "{}"},
		"empty journal":       {now: was, journal: "-"},
		"half a magic":        {now: was, journal: journalMagic[:5]},
		"no bytes":            {now: was, journal: journalMagic + `{"from":31,"size":12,"edits":[{"start":0,"end":9,"text":"\"in-progress\""}]}` + "\n"},
		"senseless":           {now: was, journal: journalMagic + `{"from":-5,"size":1}` + "\nx"},
		"edits out of bounds": {now: was, journal: journalMagic + `{"from":1,"size":1,"edits":[{"start":0,"end":900,"text":"x"}]}` + "\nx"},
	} {
		tear(t, path, was, fresh, 31, 35, edits)
		if c.journal != "" {
			if err := os.WriteFile(path+journalEnding, []byte(strings.TrimPrefix(c.journal, "-")), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(path, []byte(c.now), 0o666); err != nil {
			t.Fatal(err)
		}
		text, err := readLocked(context.Background(), root, jsonFile)
		if err != nil || text != c.now {
			t.Errorf("%s: %q, error %v; want %q", name, text, err, c.now)
		}
		if _, err := os.Lstat(path + journalEnding); !os.IsNotExist(err) {
			t.Errorf("%s: the journal is still there: %v", name, err)
		}
	}
	if err := os.WriteFile(path+journalEnding, []byte("a note of mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := readLocked(context.Background(), root, jsonFile); err == nil || !strings.Contains(err.Error(), "shop.json.git-ralph is none of ours") {
		t.Errorf("a file of somebody else: error %v", err)
	}
}
