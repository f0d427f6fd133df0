package main

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"

	"github.com/git-ralph/git-ralph/runner/agent"
)

// Links between the documents lead somewhere, and every page is found from the index.
func TestDocumentLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)#\s]*)(#[^)\s]*)?\)`)
	texts := documents(t)
	found := map[string]bool{"docs/index.md": strings.Contains(texts["README.md"], "(docs/index.md)")}
	for file, text := range texts {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := path.Join(path.Dir(file), m[1])
			if m[1] == "" {
				target = file
			}
			if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(target))); err != nil {
				t.Errorf("%s: the link to %s leads nowhere", file, m[1])
			}
			if m[2] != "" && !hasAnchor(texts[target], m[2]) {
				t.Errorf("%s: there is no heading for %s%s", file, m[1], m[2])
			}
			if file == "docs/index.md" {
				found[target] = true
			}
		}
	}
	for file := range texts {
		if !found[file] && file != "README.md" && file != "CONTRIBUTING.md" {
			t.Errorf("%s is not linked: pages of docs are from docs/index.md, that one from README.md", file)
		}
	}
}

// hasAnchor reports whether a heading of the text has that anchor, made as the forges make it.
func hasAnchor(text, anchor string) bool {
	for line := range strings.Lines(text) {
		heading, ok := strings.CutPrefix(strings.TrimLeft(line, "#"), " ")
		if !ok || !strings.HasPrefix(line, "#") {
			continue
		}
		kept := regexp.MustCompile("[^a-z0-9 _-]").ReplaceAllString(strings.ToLower(strings.TrimSpace(heading)), "")
		if "#"+strings.ReplaceAll(kept, " ", "-") == anchor {
			return true
		}
	}
	return false
}

// Every command line that a document shows can be typed: the command exists, and so do its flags.
func TestDocumentedCommandsCanBeTyped(t *testing.T) {
	checked := 0
	for file, text := range documents(t) {
		for _, line := range shownCommands(text) {
			words, err := agent.SplitCommand(line)
			if err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
				continue
			}
			if _, err := newTestApp(t).parse(words[2:]); err != nil {
				t.Errorf("%s: %s: %v", file, line, err)
			}
			checked++
		}
	}
	if checked < 30 {
		t.Errorf("only %d commands were found", checked)
	}
}

// A command that is named in a sentence exists, and so do the flags that are named with it.
func TestCommandsInSentencesExist(t *testing.T) {
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	flag, checked := regexp.MustCompile(`^--?[a-z][a-z-]*`), 0
	for file, text := range documents(t) {
		for _, span := range regexp.MustCompile("`git ralph ([a-z][^`\n]*)`").FindAllStringSubmatch(fence.ReplaceAllString(text, ""), -1) {
			words := strings.Fields(span[1])
			command := child(parser.Model.Node, words[0])
			if words[0] == "help" {
				continue
			}
			if checked++; command == nil {
				t.Errorf("%s: there is no command git ralph %s", file, words[0])
				continue
			}
			for _, word := range words[1:] {
				given := flag.FindString(word)
				known := slices.ContainsFunc(allFlags(command), func(f *kong.Flag) bool { return given == "--"+f.Name || given == "-"+string(f.Short) })
				if given != "" && !known {
					t.Errorf("%s: git ralph %s: there is no %s", file, span[1], given)
				}
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d commands were found", checked)
	}
}

// shownCommands are the command lines of git ralph in blocks of shell code, each up to the first thing that only a shell understands.
func shownCommands(text string) []string {
	var lines []string
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		if block[1] != "sh" && block[1] != "console" && block[1] != "yaml" {
			continue
		}
		for line := range strings.Lines(strings.ReplaceAll(block[3], "\\\n", " ")) {
			at := strings.Index(line, "git ralph ")
			before := strings.TrimSpace(line[:max(at, 0)])
			typed := before == "$" || block[1] != "console" && (before == "" || strings.HasSuffix(before, "&&") || strings.HasSuffix(before, "run:"))
			if at < 0 || !typed {
				continue
			}
			command, _, _ := strings.Cut(strings.TrimSpace(line[at:]), " # ")
			command = regexp.MustCompile(`\s+(\||&&|\|\||>|;|2>).*$`).ReplaceAllString(command, "")
			lines = append(lines, strings.TrimSuffix(command, ";"))
		}
	}
	return lines
}

// docs/hooks.md, the manual or docs/agents.md tell of every variable that the agent, verify or hooks get, and of every one that we read.
func TestEveryVariableIsDocumented(t *testing.T) {
	told := document(t, "hooks.md") + document(t, "agents.md")
	manualPage, err := manualTexts.ReadFile("manual/git-ralph.txt")
	if err != nil {
		t.Fatal(err)
	}
	told += string(manualPage)
	found := 0
	for _, dir := range []string{".", "../../runner", "../../runner/proc", "../../hooks", "../../gitstate"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			for _, name := range regexp.MustCompile(`\bGIT_RALPH_[A-Z]+`).FindAllString(string(text), -1) {
				found++
				if name != "GIT_RALPH_SUPERVISOR" && !strings.Contains(told, name) { // that one is between us and our own program
					t.Errorf("%s knows the variable %s: no page tells of it", file, name)
				}
			}
		}
	}
	if found < 5 {
		t.Errorf("only %d variables were found", found)
	}
}
