package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// needMan skips a test where there is no real man: some images have a stub that says so.
func needMan(t *testing.T) {
	t.Helper()
	if out, err := exec.Command("man", "--version").Output(); err != nil || !strings.HasPrefix(string(out), "man ") {
		t.Skip("man-db's man is not installed")
	}
}

// installedLab has the program in a folder bin of its own, first on PATH, as an installation has it.
func installedLab(t *testing.T) (l *lab, prefix string) {
	l = newLab(t)
	prefix = filepath.Join(l.work, "installed")
	program, err := exec.LookPath("git-ralph")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(prefix, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(prefix, "bin", "git-ralph")
	if os.Link(program, path) != nil { // another disk
		binary, err := os.ReadFile(program)
		if err == nil {
			err = os.WriteFile(path, binary, 0o777)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	l.env = append(l.env, "PATH="+filepath.Join(prefix, "bin")+string(filepath.ListSeparator)+os.Getenv("PATH"), "MANPAGER=cat", "MANWIDTH=80")
	return l, prefix
}

func TestGitOpensTheManualOnceItIsInstalled(t *testing.T) {
	needMan(t)
	t.Parallel()
	l, prefix := installedLab(t)
	if stdout, stderr, status := l.run(nil, "git", "ralph", "--help"); status == 0 {
		t.Fatalf("git ralph --help works before the manual is installed: %s%s", stdout, stderr)
	}
	if out := l.git("ralph", "-h"); !strings.Contains(out, "git ralph help for all") {
		t.Errorf("-h does not say where there is more:\n%s", out)
	}
	if out := l.git("ralph", "man", "--install"); !strings.HasSuffix(out, " pages in "+filepath.Join(prefix, "share", "man", "man1")) {
		t.Fatalf("installed: %s", out)
	}
	if out := l.git("ralph", "--help"); !strings.HasPrefix(out, "GIT-RALPH(1)") || !strings.Contains(out, "\nEXIT STATUS\n") {
		t.Errorf("git ralph --help shows\n%s", out)
	}
	if out, _, _ := l.run(nil, "man", "git-ralph-start"); !strings.Contains(out, "--[no-]skip-broken") {
		t.Errorf("man git-ralph-start shows\n%s", out)
	}
	l.git("ralph", "man", "--install") // again: what is there is replaced
	if left, _ := filepath.Glob(filepath.Join(prefix, "share", "man", "man1", ".*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
	l.write("file", "no folder")
	if _, stderr, status := l.run(nil, "git", "ralph", "man", "--install", "--prefix", "../file"); status != 1 || !strings.Contains(stderr, "install the manual: ") {
		t.Errorf("into a file: status %d, %s", status, stderr)
	}
	elsewhere := filepath.Join(l.work, "else where")
	if _, stderr, status := l.run(nil, "git", "ralph", "man", "--install", "--prefix", elsewhere); status != 0 || !strings.Contains(stderr, "hint: ") || !strings.Contains(stderr, "MANPATH") {
		t.Errorf("where man does not look: status %d, %s", status, stderr)
	}
}

// Pages are what man and mandoc take without a word.
func TestPagesAreCleanRoff(t *testing.T) {
	needMan(t)
	t.Parallel()
	l, prefix := installedLab(t)
	l.git("ralph", "man", "--install")
	pages, err := filepath.Glob(filepath.Join(prefix, "share", "man", "man1", "*.1"))
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages, %v", len(pages), err)
	}
	_, noMandoc := exec.LookPath("mandoc")
	for _, page := range pages {
		if _, stderr, status := l.run(nil, "man", "--warnings", "-l", page); status != 0 || stderr != "" {
			t.Errorf("man, status %d: %s", status, stderr)
		}
		if noMandoc == nil {
			if stdout, _, status := l.run(nil, "mandoc", "-T", "lint", "-W", "style", page); status != 0 {
				t.Errorf("mandoc, status %d: %s", status, stdout)
			}
		}
	}
}

// What the manual says of exit statuses and refs is what the documents say.
func TestTheManualIsComplete(t *testing.T) {
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	page := modelPage(parser.Model.Node)
	for _, c := range []struct{ section, document, row string }{
		{"EXIT STATUS", "exit-status.md", `(?m)^\| (\d+) \|`},
		{"REFS", "format.md", "(?m)^\\| `(refs/[^`]*)` \\|"},
		{"ENVIRONMENT", "hooks.md", "(?m)^\\| `(GIT_RALPH_[^`]*)` \\|"},
	} {
		section := page.Section(c.section)
		if section == nil {
			t.Fatalf("there is no section %s", c.section)
		}
		terms := map[string]bool{}
		for _, b := range section.Blocks {
			terms[strings.ReplaceAll(b.Term, "`", "")] = true
		}
		rows := regexp.MustCompile(c.row).FindAllStringSubmatch(document(t, c.document), -1)
		if len(rows) < 5 {
			t.Errorf("docs/%s has %d rows", c.document, len(rows))
		}
		placeholder := regexp.MustCompile("<(.*?)>")
		for _, row := range rows {
			if want := placeholder.ReplaceAllStringFunc(row[1], func(p string) string { return strings.ToUpper(p[1 : len(p)-1]) }); !terms[want] {
				t.Errorf("%s does not tell of %s", c.section, want)
			}
		}
	}
	names, err := manualTexts.ReadDir("manual")
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range names {
		if name := strings.TrimSuffix(entry.Name(), ".txt"); name != "git-ralph" && child(parser.Model.Node, name) == nil {
			t.Errorf("manual/%s is of no command", entry.Name())
		}
	}
}
