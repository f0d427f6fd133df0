package gitstate_test

import (
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/gitstate"
)

var keyText = "-----BEGIN OPENSSH PRIVATE KEY-----\n" + strings.Repeat("b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAAB\n", 4) + "-----END OPENSSH PRIVATE KEY-----\n"

func TestGuardKnowsSecrets(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	secret := map[string]string{
		".env":                "A=1\n",
		"dir/.env.production": "A=1\n",
		"deploy/id_ed25519":   keyText,
		"server.pem":          keyText,
		"noname":              keyText,
		"account.json":        `{"private_key": "` + strings.ReplaceAll(keyText, "\n", `\n`) + `"}`,
		"store.p12":           "\x30\x82\x09\x01rest",
		".npmrc":              "//registry.example.org/:_authToken=abcdef\n",
		".netrc":              "machine example.org password abcdef\n",
		"pass.kdbx":           "\x03\xd9\xa2\x9a",
	}
	harmless := map[string]string{
		".env.example":       "A=\n",
		"dir/.env.template":  "A=\n",
		"environment":        "A=1\n",
		"id_ed25519.pub":     "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA ada\n",
		"cert.pem":           "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n",
		"parse.go":           "const header = \"-----BEGIN RSA PRIVATE KEY-----\"\n\nfunc parse() {}\n",
		"app/.npmrc":         "registry=https://registry.example.org\n//r.example.org/:_authToken=${NPM_TOKEN}\n",
		"translation.key":    "hello = Hallo\n",
		"empty/.env":         "",
		"story.p12":          "a text\n",
		"docs/about-keys.md": "A file that begins with -----BEGIN PRIVATE KEY----- is a key.\n",
	}
	for name, text := range secret {
		s.write(name, text)
	}
	for name, text := range harmless {
		s.write(name, text)
	}
	snap := s.snapshot(s.open(), gitstate.Guard{})
	skipped := map[string]string{}
	for _, path := range snap.Skipped {
		skipped[path.Path] = path.Reason
	}
	for name := range secret {
		if skipped[name] != "secret" {
			t.Errorf("%s is not taken for a secret: %q", name, skipped[name])
		}
		delete(skipped, name)
	}
	if len(skipped) > 0 {
		t.Errorf("taken for secrets: %v", skipped)
	}
	if got := len(strings.Split(s.files(snap.Tree), "\n")); got != len(harmless) {
		t.Errorf("the tree has %d files, want %d:\n%s", got, len(harmless), s.files(snap.Tree))
	}
	for name := range secret {
		if _, err := os.Stat(s.path(name)); err != nil {
			t.Errorf("%s is gone from the disk", name)
		}
	}
}

func TestGuardLooksAtNewPathsOnly(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.write(".env", "A=1\n")
	s.write("large", strings.Repeat("x", 2000))
	s.commit("the user's decision")
	s.write(".env", "A=2\n")
	s.write("large", strings.Repeat("y", 3000))
	s.write("new", strings.Repeat("z", 2000))
	s.write("staged", strings.Repeat("z", 2000))
	s.write("odd\nname/.env", "A=1\n")
	s.write(":(top)x/*/.env.local", "A=1\n")
	s.git("add", "staged") // by the agent: it is as new as the others
	snap := s.snapshot(s.open(), gitstate.Guard{MaxFileSize: 1999})
	want := []gitstate.SkippedPath{
		{Path: ":(top)x/*/.env.local", Reason: "secret"},
		{Path: "new", Reason: "2 kB"},
		{Path: "odd\nname/.env", Reason: "secret"},
		{Path: "staged", Reason: "2 kB"},
	}
	if !reflect.DeepEqual(snap.Skipped, want) {
		t.Errorf("skipped %q", snap.Skipped)
	}
	if got := s.files(snap.Tree); got != ".env\nlarge" {
		t.Errorf("tree:\n%s", got)
	}
	if got := s.git("cat-file", "-s", snap.Tree.String()+":large"); got != "3000" {
		t.Errorf("large has %s bytes", got)
	}
	s.follow(snap)
	if got := s.git("ls-files", "staged"); got != "" {
		t.Error("what is left out is still staged")
	}
	s.read("staged")
}

func TestGuardAllows(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.write("fixtures/deep/.env", "A=1\n")
	s.write("tests/a.key", keyText)
	s.write("tests/b.key", keyText)
	s.write("data.bin", strings.Repeat("x", 2000))
	s.write("other.bin", strings.Repeat("x", 2000))
	snap := s.snapshot(s.open(), gitstate.Guard{MaxFileSize: 1000, Allow: []string{"fixtures/", "*.key", "!b.key", "/data.bin"}})
	want := []gitstate.SkippedPath{{Path: "other.bin", Reason: "2 kB"}, {Path: "tests/b.key", Reason: "secret"}}
	if !reflect.DeepEqual(snap.Skipped, want) {
		t.Errorf("skipped %q", snap.Skipped)
	}
}

// What a clean filter makes of a large file is small.
func TestGuardLeavesLargeFilesToTheirFilter(t *testing.T) {
	t.Parallel()
	s := newScratch(t)
	s.git("config", "filter.pointer.clean", "wc -c")
	s.write(".gitattributes", "*.bin filter=pointer\n")
	s.write("a.bin", strings.Repeat("x", 2000))
	snap := s.snapshot(s.open(), gitstate.Guard{MaxFileSize: 1000})
	if len(snap.Skipped) > 0 {
		t.Errorf("skipped %q", snap.Skipped)
	}
	if got := strings.TrimSpace(s.git("cat-file", "blob", snap.Tree.String()+":a.bin")); got != "2000" {
		t.Errorf("stored %q", got)
	}
}
