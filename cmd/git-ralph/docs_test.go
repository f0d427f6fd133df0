package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// docFiles are the documents whose examples are run.
var docFiles = []string{"README.md", "docs/format.md"}

// Only what a machine and a moment decide may differ between a document and what the program prints.
var docNoise = []struct {
	pattern *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\b[0-9a-f]{40}\b`), "<id>"},
	{regexp.MustCompile(`\b[0-9a-f]{7,10}\b`), "<short>"},
	{regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z`), "<time>"},
	{regexp.MustCompile(`\b\d\d:\d\d:\d\d\b`), "<clock>"},
	{regexp.MustCompile(`\b(just now|\d+s ago)\b`), "<ago>"},
	{regexp.MustCompile(` +\d+(\.\d+)?s\b`), " <seconds>"},
	{regexp.MustCompile(`elapsed_s = [\d.]+`), "elapsed_s = <seconds>"},
	{regexp.MustCompile(`(?m)^Date:.*$`), "Date: <date>"},
}

// TestDocumentsShowRealOutput runs the commands of every ```console block of the documents, in the repository that `git ralph demo --keep greet-demo`
// leaves, and compares what they print. With GIT_RALPH_UPDATE_DOCS=1 it writes what they print into the documents.
func TestDocumentsShowRealOutput(t *testing.T) {
	t.Parallel()
	l := newLab(t)
	demo := exec.Command("git-ralph", "demo", "--keep", "greet-demo")
	demo.Dir, demo.Env = l.work, l.env
	if out, err := demo.CombinedOutput(); err != nil {
		t.Fatalf("demo: %v\n%s", err, out)
	}
	for _, file := range docFiles {
		path := filepath.Join("..", "..", filepath.FromSlash(file))
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		fresh := consoleBlock.ReplaceAllStringFunc(string(text), func(block string) string {
			blocks++
			return checkBlock(l, file, block)
		})
		if blocks == 0 {
			t.Errorf("%s: no console blocks found", file)
		}
		if os.Getenv("GIT_RALPH_UPDATE_DOCS") != "" && fresh != string(text) {
			if err := os.WriteFile(path, []byte(fresh), 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
}

var consoleBlock = regexp.MustCompile("(?ms)^```console\n.*?^```$")

// checkBlock runs the commands of one block and returns the block with what they print now.
func checkBlock(l *lab, file, block string) string {
	var fresh strings.Builder
	fresh.WriteString("```console\n")
	for line := range strings.Lines(strings.TrimSuffix(block, "```")) {
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok || !runnable(command) {
			continue
		}
		fresh.WriteString(line)
		fresh.WriteString(printed(l, strings.TrimSpace(command)))
	}
	fresh.WriteString("```")
	if want, got := quiet(block), quiet(fresh.String()); want != got && os.Getenv("GIT_RALPH_UPDATE_DOCS") == "" {
		l.t.Errorf("%s shows\n%s\nbut the commands print\n%s", file, want, got)
	}
	return fresh.String()
}

// runnable reports whether a line that begins with "$ " is a command of the document, not of the demo's own output.
func runnable(command string) bool {
	return !strings.HasPrefix(command, "git ralph start") && !strings.Contains(command, "--reverse")
}

// printed runs a command as the reader of the document would, in the demo's repository, and returns its standard output.
func printed(l *lab, command string) string {
	command = strings.ReplaceAll(command, "go run ./cmd/git-ralph", "git-ralph")
	cmd := exec.Command("sh", "-c", command)
	cmd.Dir, cmd.Env = filepath.Join(l.work, "greet-demo"), l.env
	out, err := cmd.Output()
	if err != nil {
		l.t.Errorf("%s: %v\n%s", command, err, out)
	}
	var trimmed strings.Builder
	for line := range strings.Lines(string(out)) {
		trimmed.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return trimmed.String()
}

// quiet takes out of a text what may differ.
func quiet(text string) string {
	for _, noise := range docNoise {
		text = noise.pattern.ReplaceAllString(text, noise.instead)
	}
	return text
}
