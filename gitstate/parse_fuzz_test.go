package gitstate

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Names that git printed come back as they were.
func FuzzParseChanges(f *testing.F) {
	f.Add("a", "b", "R100\x00x")
	f.Add("new\nline", "\xff", "")
	f.Fuzz(func(t *testing.T, from, to, junk string) {
		parseChanges([]byte(junk)) // does not panic
		if from == "" || to == "" || strings.ContainsRune(from+to, 0) {
			return
		}
		out := strings.Join([]string{"M", from, "R075", from, to, "D", to, "A", from, "T", to, ""}, "\x00")
		got := parseChanges([]byte(out))
		if !slices.Equal(got.Modified, []string{from, to}) || !slices.Equal(got.Created, []string{from}) ||
			!slices.Equal(got.Deleted, []string{to}) || !slices.Equal(got.Renamed, []RenamedPath{{From: from, To: to}}) {
			t.Errorf("parseChanges(%q) = %+v", out, got)
		}
	})
}

// What holds a lock is read as it was written, and never from half a line.
func FuzzParseHolder(f *testing.F) {
	f.Add("add-auth", 10)
	f.Add("x", 0)
	f.Fuzz(func(t *testing.T, loop string, cut int) {
		if len(strings.Fields(loop)) != 1 || strings.TrimSpace(loop) != loop {
			return
		}
		text := "42 " + loop + " 2026-01-02T03:04:05Z\n"
		if got := parseHolder(text); got.Pid != 42 || got.Loop != loop || got.Since.IsZero() {
			t.Errorf("parseHolder(%q) = %+v", text, got)
		}
		if cut >= 0 && cut < len(text) {
			if got := parseHolder(text[:cut]); *got != (HeldError{}) {
				t.Errorf("parseHolder(%q) = %+v", text[:cut], got)
			}
		}
	})
}

func FuzzPrivateKey(f *testing.F) {
	f.Add("-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n")
	f.Fuzz(func(t *testing.T, text string) {
		if privateKey().MatchString(text) && !strings.Contains(text, "PRIVATE KEY") {
			t.Errorf("a key without the words that are looked for first: %q", text)
		}
	})
}

// A directory is passed over as a whole only where nothing that is wanted is in it.
func FuzzTopmostOutside(f *testing.F) {
	f.Add("a/b/c/d", "a/b/x")
	f.Add("node_modules/x/y", "src/z")
	f.Fuzz(func(t *testing.T, ignored, wanted string) {
		for _, p := range []string{ignored, wanted} {
			if p == "" || p != filepath.ToSlash(filepath.Clean(p)) || strings.HasPrefix(p, "/") || strings.HasPrefix(p, ".") {
				return
			}
		}
		top := topmostOutside(ignored, directories([]string{wanted}))
		if top != ignored && !strings.HasPrefix(ignored, top+"/") {
			t.Errorf("%q is not above %q", top, ignored)
		}
		if top != ignored && strings.HasPrefix(wanted, top+"/") {
			t.Errorf("%q holds %q", top, wanted)
		}
	})
}

// Files and their lines come back as git printed them, whatever stood before.
func FuzzParseLines(f *testing.F) {
	f.Add("a", "b", "-\t-\tx")
	f.Add("new\nline", "tab\tbed", "1\t2")
	f.Fuzz(func(t *testing.T, from, to, junk string) {
		parseLines([]byte(junk)) // does not panic
		if from == "" || to == "" || strings.ContainsRune(from+to, 0) {
			return
		}
		pair := strings.Repeat("0a", 20) + " " + strings.Repeat("1b", 20)
		out := pair + "\n" + strings.Join([]string{"3\t4\t" + to, "-\t-\t" + from, "0\t1\t", from, to, ""}, "\x00")
		want := []FileLines{{Path: to, Added: 3, Removed: 4}, {Path: from, Binary: true}, {Path: to, From: from, Removed: 1}}
		if got := parseLines([]byte(out))[pair]; !slices.Equal(got, want) {
			t.Errorf("parseLines(%q) = %+v", out, got)
		}
	})
}
