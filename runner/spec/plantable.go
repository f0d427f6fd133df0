package spec

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// headingByTable finds the heading of the part of the plan that a table gives for a task: a row that lists the task in its
// column of tasks, and in another cell names the heading or its label, such as "Phase 2".
func headingByTable(plan string, headings []heading, id string) (int, bool) {
	for _, table := range tablesOf(plan) {
		names := table[0]
		for _, row := range table[1:] {
			column := slices.IndexFunc(names, isTaskColumn)
			if column < 0 || column >= len(row) || !cellNames(row[column], id) {
				continue
			}
			for i, cell := range row {
				if i == column {
					continue
				}
				name := ""
				if i < len(names) {
					name = names[i]
				}
				if at, ok := headingFor(headings, name, cell); ok {
					return at, true
				}
			}
		}
	}
	return 0, false
}

// tablesOf returns the tables of a Markdown text: for each its rows of cells, the first one with the columns' names.
func tablesOf(text string) [][][]string {
	var tables [][][]string
	var before []string // the cells of the line before
	inside := false
	for line := range strings.Lines(text) {
		cells := cellsOf(line)
		switch {
		case len(cells) < 2:
			inside = false
		case inside:
			last := &tables[len(tables)-1]
			*last = append(*last, cells)
		case isDivider(cells) && len(before) == len(cells):
			tables = append(tables, [][]string{before})
			inside = true
		}
		before = cells
	}
	return tables
}

// cellsOf splits a line of a table. A line without a pipe has one cell.
func cellsOf(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	cells := strings.Split(line, "|")
	for i := range cells {
		cells[i] = strings.Trim(strings.TrimSpace(cells[i]), "*`_ ")
	}
	return cells
}

// isDivider knows the line below the names of a table's columns.
func isDivider(cells []string) bool {
	return !slices.ContainsFunc(cells, func(cell string) bool {
		return !strings.Contains(cell, "-") || strings.Trim(cell, ":-") != ""
	})
}

func isTaskColumn(name string) bool {
	return slices.ContainsFunc(strings.Fields(strings.ToLower(name)), func(word string) bool {
		return slices.Contains([]string{"task", "tasks", "id", "ids", "#"}, strings.Trim(word, "().:"))
	})
}

// cellNames reports whether a cell is a list of tasks with this one in it, or begins with it: "5. Parser".
func cellNames(cell, id string) bool {
	if rest, ok := afterTask(cell); ok {
		cell = rest
	}
	return namesID(cell, id)
}

// headingFor finds the heading that a cell means: the same text, or the same label. A bare number takes the column's name:
// "2" below "Phase" is Phase 2.
func headingFor(headings []heading, column, cell string) (int, bool) {
	if cell == "" {
		return 0, false
	}
	label := labelOf(cell)
	if label == "" {
		label = labelOf(column + " " + cell)
	}
	for i, h := range headings {
		if strings.EqualFold(h.text, cell) || label != "" && strings.EqualFold(labelOf(unmark(h.text)), label) {
			return i, true
		}
	}
	return 0, false
}

var label = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)^(phase|stage|milestone|step|part|section|sprint|wave|epic)s?[ \t]+#?([0-9]+(?:\.[0-9]+)*[a-z]?|[a-z])(?:[^\pL\pN_.]|\.?$|\.[^0-9])`)
})

// labelOf returns the label at the beginning of text, such as "phase 2"; empty: there is none.
func labelOf(text string) string {
	found := label().FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	return found[1] + " " + found[2]
}

var (
	between = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`[,;&+/]|\band\b`) })
	span    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^((?:[0-9]+\.)*)([0-9]+)[ \t]*(?:-|–|—|\.\.+|\bto\b)[ \t]*((?:[0-9]+\.)*)([0-9]+)$`)
	})
)

// listsID reports whether text is a list of ids and nothing else, with this one in it: "1, 3-5 and 2.1".
func listsID(text, id string) bool {
	found := false
	for _, item := range between().Split(text, -1) {
		item = strings.TrimSpace(item)
		if rest, ok := afterTask(item); ok {
			item = rest
		}
		item = strings.TrimPrefix(item, "#")
		if strings.ContainsAny(item, " \t") && !span().MatchString(item) {
			return false
		}
		found = found || item == id || spanHas(item, id)
	}
	return found
}

// spanHas reports whether an id lies in a span like 3-5 or 2.1-2.4.
func spanHas(item, id string) bool {
	ends := span().FindStringSubmatch(item)
	if ends == nil || ends[1] != ends[3] {
		return false
	}
	last, ok := strings.CutPrefix(id, ends[1])
	number, err := strconv.Atoi(last)
	if !ok || err != nil {
		return false
	}
	low, err := strconv.Atoi(ends[2])
	if err != nil {
		return false
	}
	high, err := strconv.Atoi(ends[4])
	return err == nil && low <= number && number <= high
}
