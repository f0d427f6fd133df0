package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-ralph/git-ralph/cmd/git-ralph/internal/manual"
	"github.com/git-ralph/git-ralph/gitstate"
	"github.com/git-ralph/git-ralph/runner"
)

// asItIs is a cell of a table that is written by hand: it stays as the page has it.
const asItIs = "\x00"

// generatedTable holds the table of a page that has this head to the rows that the code says, or writes them; cells that are written by hand are filled in. Rows are
// known by their first cell.
func generatedTable(t *testing.T, page, head string, rows [][]string) {
	t.Helper()
	before, rest, found := strings.Cut(document(t, page), head+"\n")
	rule, rest, _ := strings.Cut(rest, "\n")
	old, after, _ := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatalf("docs/%s has no table %s", page, head)
	}
	written := map[string][]string{}
	for line := range strings.SplitSeq(strings.TrimSuffix(old, "\n"), "\n") {
		cells := cellsOf(line)
		written[cells[0]] = cells
	}
	var table strings.Builder
	for _, row := range rows {
		for n, cell := range row {
			if cell == asItIs {
				row[n] = ""
				if is := written[row[0]]; n < len(is) {
					row[n] = is[n]
				}
			}
		}
		table.WriteString("|")
		for _, cell := range row {
			table.WriteString(strings.TrimRight(" "+cell, " ") + " |")
		}
		table.WriteString("\n")
	}
	if after != "" {
		after = "\n" + after
	}
	generated(t, page, before+head+"\n"+rule+"\n"+table.String()+after)
}

// cellsOf takes a row of a table apart. A bar in a cell is written with a backslash.
func cellsOf(row string) []string {
	cells := strings.Split(strings.ReplaceAll(row, "\\|", "\x01"), "|")
	cells = cells[1 : len(cells)-1]
	for n := range cells {
		cells[n] = strings.TrimSpace(strings.ReplaceAll(cells[n], "\x01", "\\|"))
	}
	return cells
}

// Which settings there are, their flags and their defaults are what the program says.
func TestDocumentOfSettings(t *testing.T) {
	var rows [][]string
	for _, s := range settings() {
		row := []string{"`" + s.key + "`", "", asItIs, asItIs}
		if s.flag != "" {
			row[1] = "`--" + s.flag + "`"
		}
		if value := fmt.Sprint(s.show(newChoices())); value != "" && value != "[]" && value != "map[]" {
			row[2] = "`" + value + "`"
		}
		rows = append(rows, row)
	}
	generatedTable(t, "configuration.md", "| key | flag | default | what it says |", rows)
	for _, row := range rows {
		if row[3] == "" {
			t.Errorf("docs/configuration.md: write down what %s says", row[0])
		}
	}
}

// What a status means is what the manual says; how a loop ends with it is what the program does.
func TestDocumentOfStatuses(t *testing.T) {
	parser, err := newTestApp(t).parser(&cli{})
	if err != nil {
		t.Fatal(err)
	}
	var statuses [][]string
	for _, b := range modelPage(parser.Model.Node).Section("EXIT STATUS").Blocks {
		if b.Kind == manual.Definition {
			statuses = append(statuses, []string{b.Term, b.Text, asItIs})
		}
	}
	generatedTable(t, "exit-status.md", "| status | meaning | what to do |", statuses)

	ends := map[int][]string{}
	for _, exit := range gitstate.Exits() {
		status := outcomeStatus(runner.Outcome{Exit: exit})
		ends[status] = append(ends[status], "`"+string(exit)+"`")
	}
	var rows [][]string
	for _, status := range slices.Sorted(maps.Keys(ends)) {
		rows = append(rows, []string{strings.Join(ends[status], ", "), fmt.Sprint(status)})
	}
	rows = append(rows, []string{"none: the loop is paused, or was interrupted", fmt.Sprint(outcomeStatus(runner.Outcome{}))})
	generatedTable(t, "exit-status.md", "| `Ralph-Exit` | status |", rows)
}
