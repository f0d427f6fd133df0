package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/manual"
)

// generated compares a page of docs with what the code says, or writes it.
func generated(t *testing.T, page, text string) {
	t.Helper()
	old, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err == nil && string(old) == text {
		return
	}
	if updatesDocs() {
		writeDocument(t, "docs/"+page, text)
		return
	}
	t.Errorf("docs/%s is not what the code says (%v): GIT_RALPH_UPDATE_DOCS=1 go test ./cmd/git-ralph -run Docum writes it", page, err)
}

// The page of the commands is made of the same model as the help and the manual.
func TestDocumentOfCommands(t *testing.T) {
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	var list, pages strings.Builder
	for _, group := range groupsOf(parser.Model.Children, commandGroup) {
		var names []string
		for _, c := range group.members {
			names = append(names, fmt.Sprintf("[%s](#git-ralph-%s)", c.Name, c.Name))
			pages.WriteString(markdown(commandPage(c)))
		}
		fmt.Fprintf(&list, "| %s | %s |\n", group.title, strings.Join(names, " · "))
	}
	generated(t, "commands.md", "# Commands\n\n"+
		"What `git ralph help COMMAND` shows, for all of them; this page is made from the program. `-h` is the same on one screen. A command that takes a loop takes\n"+
		"the one of the branch where you are when none is named, else the only one. Exit statuses are [here](exit-status.md), what `--json` prints [there](json.md).\n\n"+
		"| | |\n| --- | --- |\n"+list.String()+pages.String())
}

// markdown writes a page of the manual.
func markdown(p *manual.Page) string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## %s\n", strings.Replace(p.Name, "-ralph-", " ralph ", 1))
	for _, s := range p.Sections {
		switch s.Title {
		case "SEE ALSO":
			continue
		case "SYNOPSIS", "DESCRIPTION":
		default:
			fmt.Fprintf(&b, "\n**%s%s**\n", s.Title[:1], strings.ToLower(s.Title[1:]))
		}
		before := manual.Heading
		for _, block := range s.Blocks {
			if block.Kind != before || block.Kind != manual.Definition {
				b.WriteString("\n")
			}
			before = block.Kind
			if strings.HasSuffix(block.Term, "--help`") {
				continue // each of them has it
			}
			switch block.Kind {
			case manual.Heading:
				fmt.Fprintf(&b, "*%s*\n", block.Text)
			case manual.Definition:
				fmt.Fprintf(&b, "- %s: %s\n", quoted(block.Term), quoted(block.Text))
			case manual.Verbatim:
				fmt.Fprintf(&b, "```sh\n%s\n```\n", block.Text)
			default:
				fmt.Fprintf(&b, "%s\n", quoted(block.Text))
			}
		}
	}
	return b.String()
}

// quoted keeps what is no code from being taken for markup.
func quoted(text string) string {
	parts := strings.Split(text, "`")
	for i := 0; i < len(parts); i += 2 {
		parts[i] = strings.NewReplacer("<", "\\<", "*", "\\*", "_", "\\_").Replace(parts[i])
	}
	return strings.Join(parts, "`")
}
